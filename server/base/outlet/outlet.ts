/* What waits to be written to the readers of events. One slow reader is cut off; it never holds the others. */

/** Bytes to be written, shared by every reader that gets the same text. */
export interface Chunk {
  readonly bytes: Buffer
  /** The place in the chain after it; '' where it has none. */
  readonly cursor: string
  /** Order in which chunks were made. */
  readonly made: number
  /** When it was made (performance.now()). */
  readonly at: number
  /** How many queues hold it. */
  holders: number
}

let made = 0
export const chunkOf = (text: string, cursor: string): Chunk => ({
  bytes: Buffer.from(text),
  cursor,
  made: made++,
  at: performance.now(),
  holders: 0,
})

/** Limits on what is not written yet: of one reader, and of all readers together (a shared chunk counts once). Milliseconds for `grace` and `stall`. */
export interface OutletLimits {
  readonly events: number
  readonly bytes: number
  /**
   * A burst may exceed `events` and `bytes` for this long, because a busy block can have more events than that for a reader of many accounts. A reader
   * that is over them with an older chunk is behind.
   */
  readonly grace: number
  /** Too much for one reader at any time. */
  readonly burst: { readonly events: number; readonly bytes: number }
  readonly ofAll: number
  /** A reader that takes nothing for this long is cut off. */
  readonly stall: number
}
/** More than this never waits for one reader. */
export const BURST: OutletLimits['burst'] = { events: 16_384, bytes: 16 << 20 }
const OUTLET_LIMITS: OutletLimits = {
  ...{ events: 1_024, bytes: 4 << 20, ofAll: 64 << 20 },
  ...{ grace: 2_000, burst: BURST, stall: 10_000 },
}

/** Bytes handed to a connection and not yet taken by the system. Beyond it, chunks wait here. */
const WINDOW = 64 << 10
/** A replay waits while this much of a reader's limits is used. */
const BUSY = 0.25

/** Queue of one reader. */
export interface Outlet {
  push(chunk: Chunk): void
  /** Resolves when there is room for more of a replay, or the outlet is closed. */
  room(): Promise<void> | undefined
  /** Cursor of the last chunk with one that the system has taken; '' before. */
  last(): string
  close(): void
}

export interface OutletDeps {
  /** Writes to the connection; calls `done` when the system has taken the bytes. */
  readonly write: (bytes: Buffer, done: () => void) => void
  /** The reader does not keep up. The outlet is closed already. */
  readonly slow: () => void
}

/** The queues of all readers of a process. */
export interface Outlets {
  create(deps: OutletDeps): Outlet
  /** Bytes that wait in all queues; a shared chunk counts once. */
  bytes(): number
  close(): void
}

interface Queue extends Outlet {
  /** When the oldest chunk that is not written was made; Infinity if there is none. */
  oldest(): number
  cut(): void
  check(now: number): void
}

export const createOutlets = (limits: OutletLimits = OUTLET_LIMITS): Outlets => {
  const queues = new Set<Queue>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  const hold = (chunk: Chunk): void => {
    if (chunk.holders++ === 0) total += chunk.bytes.length
  }
  const release = (chunk: Chunk): void => {
    if (--chunk.holders === 0) total -= chunk.bytes.length
  }

  /** Cuts off the reader that is the furthest behind, until all queues fit. */
  const makeRoom = (): void => {
    while (total > limits.ofAll) {
      let last: Queue | undefined
      for (const queue of queues) if (last === undefined || queue.oldest() < last.oldest()) last = queue
      if (last === undefined) return
      last.cut()
    }
  }

  const create = ({ write, slow }: OutletDeps): Outlet => {
    const waiting: Chunk[] = []
    const sent: Chunk[] = []
    let bytes = 0
    let inFlight = 0
    let moved = performance.now()
    let isOpen = true
    let last = ''
    let roomy: (() => void)[] = []

    /** Whether more waits than that. One chunk is always taken, however large: a reader that is cut off for it would ask for it again for ever. */
    const isOver = (most: OutletLimits['burst']): boolean => {
      const count = waiting.length + sent.length
      return count > most.events || (count > 1 && bytes > most.bytes)
    }
    const isBehind = (now: number): boolean => isOver(limits) && now - (sent[0] ?? waiting[0])!.at > limits.grace
    const isBusy = (): boolean => isOpen && (waiting.length + sent.length > limits.events * BUSY || bytes > limits.bytes * BUSY)
    const wakeReplay = (): void => {
      if (roomy.length === 0 || isBusy()) return
      const woken = roomy
      roomy = []
      for (const wake of woken) wake()
    }
    const taken = (): void => {
      const chunk = sent.shift()
      if (chunk === undefined || !isOpen) return
      moved = performance.now()
      inFlight -= chunk.bytes.length
      bytes -= chunk.bytes.length
      if (chunk.cursor !== '') last = chunk.cursor
      release(chunk)
      flush()
      wakeReplay()
    }
    const flush = (): void => {
      while (isOpen && waiting.length > 0 && inFlight < WINDOW) {
        const chunk = waiting.shift()!
        if (sent.length === 0) moved = performance.now()
        sent.push(chunk)
        inFlight += chunk.bytes.length
        write(chunk.bytes, taken)
      }
    }
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      queues.delete(queue)
      for (const chunk of [...sent, ...waiting]) release(chunk)
      waiting.length = 0
      sent.length = 0
      bytes = 0
      wakeReplay()
      if (queues.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
    const queue: Queue = {
      push(chunk) {
        if (!isOpen) return
        hold(chunk)
        waiting.push(chunk)
        bytes += chunk.bytes.length
        flush()
        if (isOver(limits.burst) || isBehind(performance.now())) queue.cut()
        else makeRoom()
      },
      room: () => (isBusy() ? new Promise<void>((resolve) => roomy.push(resolve)) : undefined),
      last: () => last,
      close,
      oldest: () => (sent[0] ?? waiting[0])?.made ?? Number.POSITIVE_INFINITY,
      cut() {
        close()
        slow()
      },
      check(now) {
        if (isBehind(now) || (sent.length > 0 && now - moved > limits.stall)) queue.cut()
      },
    }
    queues.add(queue)
    timer ??= setInterval(
      () => {
        const now = performance.now()
        for (const each of queues) each.check(now)
      },
      Math.min(1_000, limits.stall),
    ).unref()
    return queue
  }

  return {
    create,
    bytes: () => total,
    close() {
      clearInterval(timer)
      for (const queue of queues) queue.close()
    },
  }
}
