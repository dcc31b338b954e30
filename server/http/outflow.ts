import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TonError } from '../../shared/errors.ts'

/*
 * Large answers on their way out. What readers do not take lies in this process's memory, so it is counted: of one connection, and of all together. What is
 * over a bound waits; when all together are over theirs, the slowest readers are cut off first.
 */

export interface OutflowLimits {
  /** Bytes that may wait for the reader of one connection, and for those of all. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Milliseconds that one answer waits for room at most, altogether. */
  readonly patience: number
  /** Milliseconds that a reader has at least before it is cut off. */
  readonly grace: number
}

/** One answer on its way. */
export interface Flow {
  /** Gives bytes to the connection; resolves when there is room for more. Rejects when the reader has gone, has been cut off, or is too slow. */
  write(bytes: Buffer): Promise<void>
}

export interface Outflow {
  /** An answer that is made while it is read: each piece waits for room. */
  open(res: ServerResponse): Flow
  /**
   * An answer of so many bytes that is in memory already: it counts until the last of it is taken. Undefined where there is no room for it, and it has to be
   * refused.
   */
  admit(res: ServerResponse, bytes: number): Flow | undefined
  /** Bytes that wait, of all. */
  waiting(): number
}

interface Reader {
  readonly res: ServerResponse
  readonly socket: Socket
  readonly since: number
  waiting: number
  taken: number
}

const GONE = new TonError('UNAVAILABLE', 'the reader has gone')
const SLOW = new TonError('UNAVAILABLE', 'the answer is read too slowly')

export const createOutflow = (limits: OutflowLimits): Outflow => {
  const readers = new Set<Reader>()
  /** Called when room is made. */
  const queue = new Set<() => void>()
  let ofAll = 0

  const ofSocket = (socket: Socket): number => {
    let bytes = 0
    for (const reader of readers) if (reader.socket === socket) bytes += reader.waiting
    return bytes
  }
  const count = (reader: Reader, bytes: number): void => {
    reader.waiting += bytes
    ofAll += bytes
    if (bytes < 0) for (const look of queue) look()
  }
  const follow = (res: ServerResponse): Reader => {
    const reader: Reader = { res, socket: res.req.socket, since: performance.now(), waiting: 0, taken: 0 }
    readers.add(reader)
    res.once('close', () => {
      readers.delete(reader)
      count(reader, -reader.waiting)
    })
    return reader
  }
  /** The reader that took the least a second, of those that others may be preferred to. */
  const slowest = (): Reader | undefined => {
    const now = performance.now()
    let found: { readonly reader: Reader; readonly pace: number } | undefined
    for (const reader of readers) {
      const age = now - reader.since
      if (age < limits.grace || reader.waiting === 0) continue
      const pace = reader.taken / age
      if (found === undefined || pace < found.pace) found = { reader, pace }
    }
    return found?.reader
  }
  /** Cuts off slow readers until so many bytes more are within the bound of all; whether they are. */
  const makeRoom = (bytes: number, but?: Reader): boolean => {
    while (ofAll + bytes > limits.ofAll) {
      const reader = slowest()
      if (reader === undefined || reader === but) return false
      readers.delete(reader)
      count(reader, -reader.waiting)
      reader.res.destroy()
    }
    return true
  }

  /** Waits until so many bytes more fit; rejects after the patience that is left. Gives the milliseconds it took. */
  const room = (reader: Reader, bytes: number, patience: number): Promise<number> => {
    const began = performance.now()
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        queue.delete(look)
        clearInterval(looking)
        reader.res.off('close', look)
      }
      const look = (): void => {
        const waited = performance.now() - began
        if (reader.res.destroyed || reader.res.closed) reject(GONE)
        else if (fits(reader, bytes)) resolve(waited)
        else if (waited >= patience) reject(SLOW)
        else return
        settle()
      }
      queue.add(look)
      reader.res.once('close', look)
      // Readers come of age in the meantime.
      const looking = setInterval(look, Math.min(limits.grace, 250))
    })
  }
  const fits = (reader: Reader, bytes: number): boolean =>
    // A piece that is larger than the bound goes alone.
    (reader.waiting === 0 || ofSocket(reader.socket) + bytes <= limits.ofConnection) && makeRoom(bytes, reader)

  return {
    open(res) {
      const reader = follow(res)
      let patience = limits.patience
      return {
        async write(bytes) {
          if (res.destroyed) throw GONE
          if (!fits(reader, bytes.length)) patience -= await room(reader, bytes.length, patience)
          count(reader, bytes.length)
          res.write(bytes, () => {
            if (!readers.has(reader)) return
            reader.taken += bytes.length
            count(reader, -bytes.length)
          })
        },
      }
    },
    admit(res, bytes) {
      const before = ofSocket(res.req.socket)
      if ((before > 0 && before + bytes > limits.ofConnection) || !makeRoom(bytes)) return undefined
      const reader = follow(res)
      count(reader, bytes)
      return {
        async write(part) {
          if (res.destroyed) throw GONE
          res.write(part, () => {
            reader.taken += part.length
          })
        },
      }
    },
    waiting: () => ofAll,
  }
}
