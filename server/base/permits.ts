import { TonError } from '../../shared/errors.ts'
import { createFairLine } from './fair-line.ts'
import { createUsage } from './recent-use.ts'

export interface PermitOptions {
  readonly atOnce: number
  /** Maximum number of permits of one client; by default all. The service itself (client '') has no such maximum. */
  readonly ofOne?: number
  readonly waiting: number
  /** Maximum wait for a permit (ms). */
  readonly patience: number
  readonly text: string
}

/**
 * Those that go next are chosen together, this part of all that wait. Ten thousand can wait, and hundreds of permits come back in one event-loop turn: to
 * look at everybody for each of them took seconds.
 */
const CHOSEN_PART = 1 / 64

/** Half-life (ms) of the time for which a client had permits. */
const HALF_LIFE = 10_000

interface Waiter {
  readonly client: string
  go(): void
  refuse(): void
}

/** Gives the permit back. */
export type Permit = (() => void) & Disposable

export type Permits = ReturnType<typeof createPermits>

/** `now` returns monotonic milliseconds. */
export const createPermits = (
  { atOnce, ofOne, waiting: most, patience, text }: PermitOptions,
  now: () => number = () => performance.now(),
) => {
  const used = createUsage(HALF_LIFE, now)
  const permits = new Set<{ readonly client: string; readonly since: number }>()
  const refusal = (): TonError => new TonError('UNAVAILABLE', text, { retryAfter: Math.ceil(patience / 4_000) })

  /** Milliseconds for which each client recently had permits, including those that it has now. */
  const costs = (): ((client: string) => number) => {
    const at = now()
    const running = new Map<string, number>()
    for (const { client, since } of permits) running.set(client, (running.get(client) ?? 0) + at - since)
    return (client) => used.of(client, at) + (running.get(client) ?? 0)
  }

  const waiting = createFairLine<Waiter, string>({ most, clientOf: (client) => client, usedBy: used.of })

  let queued = 0
  /** Those that go next, in order; they are not in `waiting` any more. */
  let chosen: Waiter[] = []

  const hasAll = (client: string): boolean => {
    if (ofOne === undefined || client === '') return false
    let own = 0
    for (const each of permits) if (each.client === client) own++
    return own >= ofOne
  }

  const nextWaiter = (): Waiter | undefined => {
    if (chosen.length === 0) chosen = waiting.nextOf(costs(), Math.ceil(queued * CHOSEN_PART))
    const at = chosen.findIndex(({ client }) => !hasAll(client))
    if (at >= 0) return chosen.splice(at, 1)[0]
    const costOf = costs()
    return waiting.next((client) => (hasAll(client) ? Number.POSITIVE_INFINITY : costOf(client)))?.job
  }

  const permit = (client: string): Permit => {
    const own = { client, since: now() }
    permits.add(own)
    const release = (): void => {
      if (!permits.delete(own)) return
      if (client !== '') used.add(client, now() - own.since)
      if (queued > 0) nextWaiter()?.go()
    }
    return Object.assign(release, { [Symbol.dispose]: release })
  }

  const wait = (signal: AbortSignal, client: string): Promise<Permit> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!waiting.remove(waiter)) chosen = chosen.filter((each) => each !== waiter)
        settle()
        reject(error)
      }
      const waiter: Waiter = {
        client,
        go() {
          settle()
          resolve(permit(client))
        },
        refuse: () => fail(refusal()),
      }
      const onAbort = (): void => fail(signal.reason)
      const timer = setTimeout(() => waiter.refuse(), patience)
      const settle = (): void => {
        queued--
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      queued++
      waiting.push(waiter, client)?.refuse()
    })

  return {
    /**
     * Waits for a permit. Resolves with a function that gives it back; a second call of the function does nothing. The client that recently used permits for
     * the shortest time goes first. Rejects with the signal's reason. Rejects with UNAVAILABLE if the wait takes too long, or if too many requests wait: then
     * the client with the most requests loses one.
     */
    take(signal: AbortSignal, client = ''): Promise<Permit> {
      if (signal.aborted) return Promise.reject(signal.reason)
      return permits.size < atOnce && !hasAll(client) ? Promise.resolve(permit(client)) : wait(signal, client)
    },
    /**
     * Returns a function that gives the permit back. Returns undefined if no permit is free, or if anybody waits. The time of this permit counts for no
     * client.
     */
    takeNow: (): (() => void) | undefined => (permits.size < atOnce ? permit('') : undefined),
    waiting: (): number => queued,
  }
}
