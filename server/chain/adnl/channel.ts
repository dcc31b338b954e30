import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import { createByClient } from '../../base/by-client.ts'
import { AdnlError } from './error.ts'
import type { Ciphers } from './handshake.ts'
import { createPacketReader, sealPacket } from './packets.ts'

export type Channel = ReturnType<typeof createChannel>

export interface ChannelOptions {
  /** Maximum payload length, bytes. */
  readonly maxPacket: number
  /** Timeout of a packet after its first byte, ms. */
  readonly packetMs: number
  /** The client of the connection, which takes turns with others; '' is the service itself. */
  readonly client?: string
  readonly onPacket: (payload: Buffer) => void
  /** Called once with the error that ended the connection, or undefined if it was closed normally. */
  readonly onClose: (reason: Error | undefined) => void
}

/** Maximum number of bytes that all connections together process in one event-loop turn. Decryption and checks take a few milliseconds per MB. */
const MAX_IN_TURN = 4 << 20
/** Bytes that a packet counts in addition to its size: the answer to a ping of 12 bytes costs as much as some kilobytes. */
const OF_PACKET = 8 << 10
/** Shares the bytes of a turn out among connections. */
const createShares = () => {
  let taken = 0
  /** The connection that used this turn up, and by client those whose data came after that. They go on in the next turn. */
  let last: (() => void) | undefined
  const waiting = createByClient<() => void>()
  const endTurn = (): void => {
    taken = 0
    const goOn = last
    last = undefined
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) next()
    // If it went on first, it could use up each turn.
    goOn?.()
  }
  return {
    isUsedUp: (): boolean => taken >= MAX_IN_TURN,
    take(bytes: number): void {
      if (taken === 0) setImmediate(endTurn)
      taken += bytes
    },
    wait(client: string, goOn: () => void): void {
      if (last === undefined) last = goOn
      else waiting.add(client, goOn)
    },
  }
}
/** What lite-servers and other workers send does not wait for what peers send. */
const shares = { own: createShares(), peers: createShares() }

/** Random bytes for 128 packets. To ask the operating system for those of each packet takes a tenth of a round trip. */
const nonces = Buffer.alloc(128 * 32)
let usedNonces = nonces.length
const takeNonce = (): Buffer => {
  if (usedNonces === nonces.length) {
    randomFillSync(nonces)
    usedNonces = 0
  }
  usedNonces += 32
  return nonces.subarray(usedNonces - 32, usedNonces)
}

/** Sends and receives packets over a socket. */
export const createChannel = (
  socket: Socket,
  ciphers: Ciphers,
  { maxPacket, packetMs, client = '', onPacket, onClose }: ChannelOptions,
) => {
  const share = client === '' ? shares.own : shares.peers
  let closed = false
  let isWaiting = false
  let deadline: NodeJS.Timeout | undefined
  let isPaused = false
  const goOn = (): void => {
    isWaiting = false
    limitTime()
    if (!isPaused && !closed) socket.resume()
  }

  const close = (reason?: Error): void => {
    if (closed) return
    closed = true
    clearTimeout(deadline)
    socket.destroy()
    onClose(reason)
  }

  /** Packets of the bytes that are being read. */
  let packets = 0
  const reader = createPacketReader(maxPacket, (payload) => {
    packets += 1
    if (!closed) onPacket(payload)
  })
  /** Limits the time of an incomplete packet while the connection is read. */
  const limitTime = (): void => {
    const isRunning = reader.partial() && !isPaused && !closed && !isWaiting
    if (!isRunning || packets > 0) {
      clearTimeout(deadline)
      deadline = undefined
    }
    if (isRunning) deadline ??= setTimeout(() => close(new AdnlError(`a packet was not complete within ${packetMs} ms`)), packetMs)
  }
  const waitForTurn = (): void => {
    socket.pause()
    isWaiting = true
    share.wait(client, goOn)
    limitTime()
  }
  socket.on('data', (encrypted: Buffer) => {
    packets = 0
    // One turn may bring data of a thousand connections, each with hundreds of packets.
    if (share.isUsedUp()) {
      waitForTurn()
      socket.unshift(encrypted)
      return
    }
    try {
      reader.feed(ciphers.receive.update(encrypted))
    } catch (error) {
      close(error instanceof Error ? error : new AdnlError(String(error)))
    }
    share.take(encrypted.length + OF_PACKET * packets)
    if (share.isUsedUp()) waitForTurn()
    else limitTime()
  })
  socket.on('error', (error) => close(error))
  socket.on('end', () => close())
  socket.on('close', () => close())

  return {
    /** Sends a packet. After the channel is closed, does nothing. */
    send(payload: Uint8Array): void {
      if (closed) return
      // Packets sent in one event-loop turn are written together.
      if (socket.writableCorked === 0) {
        socket.cork()
        process.nextTick(() => socket.uncork())
      }
      socket.write(ciphers.send.update(sealPacket(payload, takeNonce())))
    },
    /** Number of sent bytes that the peer has not read yet. */
    backlog: (): number => socket.writableLength,
    /** Stops reading. The time until `resume` does not count for the timeout of a packet. */
    pause(): void {
      isPaused = true
      limitTime()
      socket.pause()
    },
    resume(): void {
      isPaused = false
      limitTime()
      if (!isWaiting) socket.resume()
    },
    close,
  }
}
