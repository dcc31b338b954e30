import { TonError } from '../../../../shared/errors.ts'
import { untilAborted } from '../../../base/abort.ts'
import type { Waiting } from '../mempool.ts'

const MAX_FOLLOWED = 16_384

const dropped = (why: string): TonError => new TonError('CHAIN', `the message was accepted, but is in no block: ${why}`)
/** The account accepted the message when it was checked, and refused it in the block. */
export const refusedLate = (error: string): TonError => dropped(`before its turn came, the account changed and refused it: ${error}`)
export const expired = (ms: number): TonError => dropped(`it was dropped after ${ms / 60_000} minutes`)
export const reverted = (): TonError => dropped('the chain was reverted meanwhile')

interface Followed {
  readonly promise: Promise<void>
  readonly settle: (error?: Error) => void
  senders: number
}

const follow = (): Followed => {
  let settle!: Followed['settle']
  const promise = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Prevents an unhandled rejection if all senders have stopped waiting.
  promise.catch(() => {})
  return { promise, settle, senders: 0 }
}

export const createArrivals = () => {
  const all = new Map<string, Followed>()
  let automine = true
  const endAll = (error?: Error): void => {
    const ended = [...all.values()]
    all.clear()
    for (const { settle } of ended) settle(error)
  }
  return {
    /** Resolves when a block includes the message with this hash; at once while automine is off. Rejects with the reason if the message is dropped. */
    async of(hashKey: string, signal: AbortSignal): Promise<void> {
      if (!automine) return
      const found = all.get(hashKey) ?? follow()
      if (found.senders === 0 && all.size >= MAX_FOLLOWED)
        throw new TonError('UNAVAILABLE', `more than ${MAX_FOLLOWED} sent messages wait for a block`, { retryAfter: 1 })
      all.set(hashKey, found)
      found.senders++
      try {
        await untilAborted(found.promise, signal)
      } finally {
        found.senders--
        if (found.senders === 0 && all.get(hashKey) === found) all.delete(hashKey)
      }
    },
    /** Must be called when a block includes the message, or, with an error, when the message is dropped. */
    end(message: Waiting | undefined, error?: Error): void {
      if (message === undefined) return
      const found = all.get(message.hash)
      all.delete(message.hash)
      found?.settle(error)
    },
    endAll,
    setAutomine(on: boolean): void {
      automine = on
      // Without automine nothing puts messages into blocks, so senders get the acceptance as their result.
      if (!on) endAll()
    },
  }
}
export type Arrivals = ReturnType<typeof createArrivals>
