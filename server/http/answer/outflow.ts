import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TonError } from '../../../shared/errors.ts'
import { createByteBudget, type Holder } from '../../base/limits/byte-budget.ts'

/*
 * Large HTTP answers being sent (answers on sockets: ws/outbox.ts; events: base/outlet). Bytes that readers have not taken stay in this process's
 * memory, so they are counted per connection and in total. Bytes over a bound wait. If the total is over its bound, the slowest readers are cut off first.
 */

export interface OutflowLimits {
  /** Bytes that may wait for the readers of one connection, and in total. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Total milliseconds that one answer may wait for room. */
  readonly patience: number
  /** Milliseconds before a new reader may be cut off. */
  readonly grace: number
}

/** One answer being sent. */
export interface Flow {
  /** Gives bytes to the connection once there is room for them. Rejects with UNAVAILABLE if the reader is gone, was cut off or is too slow. */
  write(bytes: Buffer): Promise<void>
}

export interface Outflow {
  /** An answer that is made while it is sent: each piece waits for room. */
  open(res: ServerResponse): Flow
  /**
   * An answer of `bytes` bytes that is already in memory. All of it counts until its response closes. undefined if there is no room: the caller
   * has to refuse it.
   */
  admit(res: ServerResponse, bytes: number): Flow | undefined
  /** Waiting bytes of all answers. */
  waiting(): number
}

interface Reader extends Holder {
  readonly res: ServerResponse
  readonly socket: Socket
  taken: number
}

const GONE = new TonError('UNAVAILABLE', 'the reader has gone')
const SLOW = new TonError('UNAVAILABLE', 'the answer is read too slowly')

export const createOutflow = (limits: OutflowLimits): Outflow => {
  /** The slowest reader is cut off first: the one that takes the fewest bytes per second. */
  const budget = createByteBudget<Reader>({
    most: limits.ofAll,
    costOf: ({ taken }, age) => (age < limits.grace ? undefined : -taken / age),
  })
  /** Checks of writes that wait, called when there is more room. */
  const queue = new Set<() => void>()

  const ofSocket = (socket: Socket): number => {
    let bytes = 0
    for (const reader of budget.holders) if (reader.socket === socket) bytes += reader.bytes
    return bytes
  }
  const lookAgain = (): void => {
    for (const look of queue) look()
  }
  const follow = (res: ServerResponse): Reader => {
    const reader = budget.add({ res, socket: res.req.socket, since: performance.now(), bytes: 0, taken: 0, cut: () => res.destroy() })
    res.once('close', () => {
      budget.remove(reader)
      lookAgain()
    })
    return reader
  }

  /** Waits until `bytes` more fit. Returns the milliseconds it took. Rejects after `patience` milliseconds, or if the reader is gone. */
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
      // Readers pass their grace time in the meantime and can then be cut off.
      const looking = setInterval(look, Math.min(limits.grace, 250))
    })
  }
  const fits = (reader: Reader, bytes: number): boolean =>
    // A piece that is larger than the bound is sent alone.
    (reader.bytes === 0 || ofSocket(reader.socket) + bytes <= limits.ofConnection) && budget.makeRoom(bytes, reader)

  return {
    open(res) {
      const reader = follow(res)
      let patience = limits.patience
      return {
        async write(bytes) {
          if (res.destroyed) throw GONE
          if (!fits(reader, bytes.length)) patience -= await room(reader, bytes.length, patience)
          budget.count(reader, bytes.length)
          res.write(bytes, () => {
            reader.taken += bytes.length
            budget.count(reader, -bytes.length)
            lookAgain()
          })
        },
      }
    },
    admit(res, bytes) {
      const before = ofSocket(res.req.socket)
      if ((before > 0 && before + bytes > limits.ofConnection) || !budget.makeRoom(bytes)) return undefined
      const reader = follow(res)
      budget.count(reader, bytes)
      return {
        async write(part) {
          if (res.destroyed) throw GONE
          res.write(part, () => {
            reader.taken += part.length
          })
        },
      }
    },
    waiting: budget.total,
  }
}
