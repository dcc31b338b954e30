import { TonError } from '../../shared/errors.ts'
import { createFairLine } from './fair-line.ts'
import { createUsage } from './recent-use.ts'

export interface PermitOptions {
  readonly atOnce: number
  /** True if a client gets a further permit only while as many stay free for others as it then has. The service itself (client '') gets any. */
  readonly isShared?: boolean
  /** A client without a permit that has waited for this time (ms) gets the oldest one of the client with the highest use, which has had it for as long. */
  readonly lease?: number
  readonly waiting: number
  /** Maximum wait for a permit (ms). */
  readonly patience: number
  readonly text: string
}

/**
 * Those that go next are chosen together: one of each client, of this part of all clients that wait. Ten thousand can wait, and hundreds of permits come back
 * in one event-loop turn: to look at everybody for each of them took seconds.
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

/** Called with an error if the permit has to come back at once, because a client without one waits (`lease`). */
type Lose = (error: TonError) => void

export type Permits = ReturnType<typeof createPermits>

/** `now` returns monotonic milliseconds. */
export const createPermits = (
  { atOnce, isShared = false, lease, waiting: most, patience, text }: PermitOptions,
  now: () => number = () => performance.now(),
) => {
  const used = createUsage(HALF_LIFE, now)
  /** Permits of each client that has any, the oldest first. */
  const permits = new Map<string, { readonly since: number; lose: Lose | undefined }[]>()
  let count = 0
  const refusal = (): TonError => new TonError('UNAVAILABLE', text, { retryAfter: Math.ceil(patience / 4_000) })

  /** Milliseconds for which each client recently had permits, including those that it has now. */
  const costs = (): ((client: string) => number) => {
    const at = now()
    return (client) => (permits.get(client) ?? []).reduce((sum, { since }) => sum + at - since, used.of(client, at))
  }

  const waiting = createFairLine<Waiter, string>({ most, clientOf: (client) => client, usedBy: used.of })

  let queued = 0
  /** Those that go next, in order; they are not in `waiting` any more. */
  let chosen: Waiter[] = []

  const hasShare = (client: string): boolean =>
    isShared && client !== '' && permits.has(client) && permits.get(client)!.length + 1 >= atOnce - count

  const nextWaiter = (): Waiter | undefined => {
    if (queued === 0 || count >= atOnce) return undefined
    const find = (): number => chosen.findIndex(({ client }) => !hasShare(client))
    if (find() < 0) {
      const costOf = costs()
      chosen.push(...waiting.nextOf((client) => (hasShare(client) ? Number.POSITIVE_INFINITY : costOf(client)), CHOSEN_PART))
    }
    const at = find()
    return at < 0 ? undefined : chosen.splice(at, 1)[0]
  }

  const seizeFor = (client: string): void => {
    if (permits.has(client)) return
    const costOf = costs()
    const byCost = [...permits].sort(([a], [b]) => costOf(b) - costOf(a)).map(([, [oldest]]) => oldest!)
    const own = byCost.find(({ since, lose }) => lose !== undefined && now() - since >= lease!)
    if (own === undefined) return
    own.lose!(refusal())
    own.lose = undefined
  }

  const permit = (client: string, lose?: Lose): Permit => {
    const own = { since: now(), lose: client === '' ? undefined : lose }
    const all = permits.get(client) ?? []
    permits.set(client, all)
    all.push(own)
    count++
    const release = (): void => {
      const place = all.indexOf(own)
      if (place < 0) return
      all.splice(place, 1)
      if (all.length === 0) permits.delete(client)
      count--
      if (client !== '') used.add(client, now() - own.since)
      // The shares of others grow too, so one permit that comes back can let two go on.
      for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) next.go()
    }
    return Object.assign(release, { [Symbol.dispose]: release })
  }

  const wait = (signal: AbortSignal, client: string, lose?: Lose): Promise<Permit> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!waiting.remove(waiter, [client])) chosen = chosen.filter((each) => each !== waiter)
        settle()
        reject(error)
      }
      const waiter: Waiter = {
        client,
        go() {
          settle()
          resolve(permit(client, lose))
        },
        refuse: () => fail(refusal()),
      }
      const onAbort = (): void => fail(signal.reason)
      const timer = setTimeout(() => waiter.refuse(), patience)
      const seizing = lease === undefined ? undefined : setInterval(seizeFor, lease, client)
      const settle = (): void => {
        queued--
        clearTimeout(timer)
        clearInterval(seizing)
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
    take(signal: AbortSignal, client = '', lose?: Lose): Promise<Permit> {
      if (signal.aborted) return Promise.reject(signal.reason)
      return count < atOnce && !hasShare(client) ? Promise.resolve(permit(client, lose)) : wait(signal, client, lose)
    },
    /**
     * Returns a function that gives the permit back. Returns undefined if the client would have to wait. Without a client, the time of this permit counts
     * for nobody.
     */
    takeNow: (client = ''): Permit | undefined => (count < atOnce && !hasShare(client) ? permit(client) : undefined),
    waiting: (): number => queued,
  }
}
