import { connect, type Socket } from 'node:net'

/*
 * Many connections of one client. One that the service closes is opened again. Addresses of loopback have no limit of connections, so a crowd is at most as large
 * as that of one address from outside: 500 connections, 200 WebSockets.
 */

/** Milliseconds after which a closed connection is opened again. */
const AGAIN = 50

export interface Counts {
  opened: number
  closed: number
  /** Requests that were due, and those that were sent: the others found every connection busy. */
  offered: number
  sent: number
  /** Answers by their status. */
  readonly answers: Record<string, number>
}

export const createCounts = (): Counts => ({ opened: 0, closed: 0, offered: 0, sent: 0, answers: {} })

export interface CrowdOptions {
  readonly port: number
  readonly size: number
  readonly counts: Counts
  readonly signal: AbortSignal
  /** Called for each new connection. Returns what to do when it is closed. */
  onOpen(socket: Socket): (() => void) | undefined
}

const ADDRESSES = 250
let crowds = 0

/** Opens `size` connections from an address of their own, and keeps their number. All are closed at the signal. */
export const openCrowd = ({ port, size, counts, signal, onOpen }: CrowdOptions): void => {
  const from = `127.0.1.${(crowds++ % ADDRESSES) + 1}`
  const open = (): void => {
    if (signal.aborted) return
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    const end = (): void => void socket.destroy()
    signal.addEventListener('abort', end)
    socket.setNoDelay(true)
    let onClose: (() => void) | undefined
    socket.on('error', () => {})
    socket.on('connect', () => {
      counts.opened++
      onClose = onOpen(socket)
    })
    socket.on('close', () => {
      signal.removeEventListener('abort', end)
      counts.closed++
      onClose?.()
      setTimeout(open, AGAIN)
    })
  }
  for (let i = 0; i < size; i++) open()
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g
/** Characters that a status line which is cut in two may need of the chunk before. */
const STATUS_LENGTH = 12

/** Counts the answers of a connection by their status lines. `onAnswers` gets how many have come. */
export const countAnswers = (socket: Socket, counts: Counts, onAnswers: (count: number) => void): void => {
  let rest = ''
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1')
    let count = 0
    let end = 0
    for (const { 1: status, index } of text.matchAll(STATUS)) {
      counts.answers[status!] = (counts.answers[status!] ?? 0) + 1
      count++
      end = index + STATUS_LENGTH
    }
    rest = text.slice(Math.max(end, text.length - STATUS_LENGTH))
    if (count > 0) onAnswers(count)
  })
}
