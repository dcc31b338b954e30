import type { Writable } from 'node:stream'
import { createPauses } from '../yield.ts'
import type { Chunk } from './chunk.ts'
import type { Reader, Unread } from './unread.ts'

/* Writes chunks to one connection as fast as its reader takes them: answers and events of a WebSocket, events over SSE. A slow reader never delays others. */

/** Bytes handed to a connection and not yet taken by the system. Beyond it, chunks wait here. */
const WINDOW = 64 << 10
/** A replay of past events waits while more bytes than these wait. */
const REPLAY_WINDOW = 1 << 20
/** Milliseconds of one turn of the event loop that are spent on writing. The remaining readers follow in the next turn. */
const SLICE_MS = 5

export interface Writer {
  /** Chunks are written at the end of the turn, or soon after it if there are many readers. `done` is called when the system has taken it, or the writer is closed. */
  push(chunk: Chunk, done?: () => void): void
  /** Writes what waits now, as much as the connection has room for. */
  flush(): void
  /** Resolves when there is room for more of a replay, or the writer is closed. */
  room(): Promise<void> | undefined
  /** Cursor of the last chunk that the system has taken and that has a cursor; '' before the first. */
  last(): string
  close(): void
}

/** Writes pieces as if they were one; `done` is called when the system has taken them. */
export type WritePieces = (pieces: readonly Buffer[], done: () => void) => void

export const writePieces = (to: Pick<Writable, 'write'>, pieces: readonly Buffer[], done: () => void): void => {
  for (let i = 0; i < pieces.length - 1; i++) to.write(pieces[i])
  to.write(pieces.at(-1), done)
}

export interface WriterDeps {
  readonly unread: Unread
  /** Writes to the connection; calls `done` when the system has taken all of it. */
  readonly write: WritePieces
  /** Called when the reader is too slow. The writer is closed already. */
  readonly slow: () => void
}

/** Writers with something to write. A writer writes once in a turn, however much it is given: a system call costs more than a few hundred bytes. */
const due = new Set<Writer>()
let isFlushing = false
const flushDue = async (): Promise<void> => {
  const pause = createPauses(SLICE_MS)
  for (const writer of due) {
    due.delete(writer)
    writer.flush()
    const paused = pause()
    if (paused !== undefined) await paused
  }
  isFlushing = false
}
const flushSoon = (writer: Writer): void => {
  due.add(writer)
  if (isFlushing) return
  isFlushing = true
  queueMicrotask(flushDue)
}

interface Entry {
  readonly chunk: Chunk
  readonly done: (() => void) | undefined
}

export const createWriter = ({ unread, write, slow }: WriterDeps): Writer => {
  const { ofConnection, patience } = unread.limits
  const waiting: Entry[] = []
  /** Entries that are written and not taken, by write. */
  const sent: (readonly Entry[])[] = []
  let underway = 0
  let isOpen = true
  let last = ''
  let timer: NodeJS.Timeout | undefined
  let roomy: (() => void)[] = []

  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(timer)
    due.delete(writer)
    for (const entry of [...sent.flat(), ...waiting]) end(entry)
    waiting.length = 0
    sent.length = 0
    unread.remove(reader)
    wakeReplays()
  }
  const cut = (): void => {
    if (!isOpen) return
    close()
    slow()
  }
  const reader: Reader = {
    connection: {},
    bytes: 0,
    // Milliseconds that it is behind.
    cost: (now) => now - (sent[0]?.[0] ?? waiting[0])!.chunk.madeAt,
    cut,
  }
  const end = ({ chunk, done }: Entry): void => {
    unread.release(reader, chunk)
    done?.()
  }
  const isBusy = (): boolean => isOpen && reader.bytes > REPLAY_WINDOW
  const wakeReplays = (): void => {
    if (roomy.length === 0 || isBusy()) return
    const woken = roomy
    roomy = []
    for (const wake of woken) wake()
  }
  const taken = (): void => {
    const entries = sent.shift()
    if (entries === undefined || !isOpen) return
    for (const entry of entries) {
      const { bytes, cursor } = entry.chunk
      underway -= bytes.length
      if (cursor !== '') last = cursor
      end(entry)
    }
    clearTimeout(timer)
    if (sent.length > 0) timer = setTimeout(cut, patience).unref()
    writer.flush()
    wakeReplays()
  }
  /** The next entries that are written together: about as much as the connection has room for. */
  const next = (): Entry[] => {
    let count = 0
    while (count < waiting.length && underway < WINDOW) underway += waiting[count++]!.chunk.bytes.length
    return waiting.splice(0, count)
  }
  const writer: Writer = {
    push(chunk, done) {
      if (!isOpen) return done?.()
      const { length } = chunk.bytes
      // One chunk is always taken, however large: a reader that is disconnected because of it would request it again and again.
      const fits = reader.bytes === 0 || reader.bytes + length <= ofConnection
      const isNew = chunk.readers === 0
      if (!fits || !unread.makeRoom(isNew ? length : 0, reader)) {
        cut()
        return done?.()
      }
      unread.hold(reader, chunk)
      waiting.push({ chunk, done })
      flushSoon(writer)
    },
    flush() {
      if (!isOpen || waiting.length === 0 || underway >= WINDOW) return
      const entries = next()
      if (sent.push(entries) === 1) timer = setTimeout(cut, patience).unref()
      write(
        entries.map(({ chunk }) => chunk.bytes),
        taken,
      )
    },
    room: () => (isBusy() ? new Promise<void>((resolve) => roomy.push(resolve)) : undefined),
    last: () => last,
    close,
  }
  unread.add(reader)
  return writer
}
