import type { Writable } from 'node:stream'
import type { Chunk } from './chunk.ts'
import type { Flushing } from './flushing.ts'

/* The queue of one reader of events. */

/**
 * Limits on the bytes that are not written yet: of one reader, and of all readers together (a shared chunk counts once). `grace` and `stall` are in
 * milliseconds.
 */
export interface OutletLimits {
  readonly events: number
  readonly bytes: number
  /**
   * A reader may exceed `events` and `bytes` for this long, because one busy block can have more events for a reader of many accounts. A reader that exceeds
   * them with an older chunk is too slow.
   */
  readonly grace: number
  /** What one reader may never exceed, not even for a moment. */
  readonly burst: { readonly events: number; readonly bytes: number }
  readonly ofAll: number
  /** A reader that takes nothing for this long is disconnected. */
  readonly stall: number
}
/** Bytes handed to a connection and not yet taken by the system. Beyond it, chunks wait here. */
const WINDOW = 64 << 10
/** A replay waits while this part of a reader's limits is used. */
const BUSY = 0.25
/** Queue of one reader. */
export interface Outlet {
  /** Chunks are written at the end of the turn, or soon after it if there are many readers. */
  push(chunk: Chunk): void
  /** Writes what waits now, as much as the connection has room for. */
  flush(): void
  /** Resolves when there is room for more of a replay, or the outlet is closed. */
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

export interface OutletDeps {
  /** Writes to the connection; calls `done` when the system has taken all of it. What was pushed in one turn comes in one call. */
  readonly write: WritePieces
  /** Called when the reader is too slow. The outlet is closed already. */
  readonly slow: () => void
}

/** Chunks that were written together. */
interface Written {
  readonly chunks: readonly Chunk[]
  readonly bytes: number
}

export interface Queue extends Outlet {
  /** When the oldest chunk that is not written was made; Infinity if there is none. */
  oldest(): number
  cut(): void
  check(now: number): void
}

/** What the queues of a process have in common. */
export interface Common {
  readonly limits: OutletLimits
  readonly flushing: Flushing<Queue>
  /** Counts one more queue that holds the chunk. */
  readonly hold: (chunk: Chunk) => void
  /** Counts one less. */
  readonly release: (chunk: Chunk) => void
  /** Disconnects the slowest readers while all queues together hold too much. */
  readonly makeRoom: () => void
  readonly closed: (queue: Queue) => void
}

export const createQueue = ({ write, slow }: OutletDeps, { limits, flushing, hold, release, makeRoom, closed }: Common): Queue => {
  const waiting: Chunk[] = []
  const sent: Written[] = []
  /** Chunks and bytes that are not taken, sent or not; bytes that are sent. */
  let count = 0
  let bytes = 0
  let inFlight = 0
  let moved = performance.now()
  let isOpen = true
  let last = ''
  let roomy: (() => void)[] = []

  const oldest = (): Chunk | undefined => sent[0]?.chunks[0] ?? waiting[0]
  /**
   * Whether more than `most` waits. One chunk is always taken, however large: a reader that is disconnected because of it would request it again and again.
   */
  const isOver = (most: OutletLimits['burst']): boolean => count > most.events || (count > 1 && bytes > most.bytes)
  const isBehind = (): boolean => isOver(limits) && performance.now() - oldest()!.at > limits.grace
  const isBusy = (): boolean => isOpen && (count > limits.events * BUSY || bytes > limits.bytes * BUSY)
  const wakeReplay = (): void => {
    if (roomy.length === 0 || isBusy()) return
    const woken = roomy
    roomy = []
    for (const wake of woken) wake()
  }
  const taken = (): void => {
    const written = sent.shift()
    if (written === undefined || !isOpen) return
    moved = performance.now()
    inFlight -= written.bytes
    bytes -= written.bytes
    count -= written.chunks.length
    for (const chunk of written.chunks) {
      if (chunk.cursor !== '') last = chunk.cursor
      release(chunk)
    }
    queue.flush()
    wakeReplay()
  }
  /** The next chunks that are written together: about as much as the connection has room for. */
  const next = (): Written => {
    let size = 0
    let length = 0
    while (length < waiting.length && inFlight + size < WINDOW) size += waiting[length++]!.bytes.length
    return { chunks: waiting.splice(0, length), bytes: size }
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    flushing.remove(queue)
    for (const { chunks } of sent) for (const chunk of chunks) release(chunk)
    for (const chunk of waiting) release(chunk)
    waiting.length = 0
    sent.length = 0
    bytes = 0
    count = 0
    wakeReplay()
    closed(queue)
  }
  const queue: Queue = {
    push(chunk) {
      if (!isOpen) return
      hold(chunk)
      waiting.push(chunk)
      count++
      bytes += chunk.bytes.length
      flushing.add(queue)
      if (isOver(limits.burst) || isBehind()) queue.cut()
      else makeRoom()
    },
    flush() {
      if (!isOpen || waiting.length === 0 || inFlight >= WINDOW) return
      if (sent.length === 0) moved = performance.now()
      const written = next()
      sent.push(written)
      inFlight += written.bytes
      write(flushing.pieces(written.chunks, written.bytes), taken)
    },
    room: () => (isBusy() ? new Promise<void>((resolve) => roomy.push(resolve)) : undefined),
    last: () => last,
    close,
    oldest: () => oldest()?.made ?? Number.POSITIVE_INFINITY,
    cut() {
      close()
      slow()
    },
    check(now) {
      if (isBehind() || (sent.length > 0 && now - moved > limits.stall)) queue.cut()
    },
  }
  return queue
}
