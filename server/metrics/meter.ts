import { ERRORS, type ErrorKind } from '../../shared/errors.ts'

/* Counters that are updated while calls run. They are plain numbers, which exposition.ts converts to metrics on a scrape. */

/** Upper bounds of the buckets of latency histograms, in milliseconds. */
export const BUCKETS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** Label of all unknown method names, so that the number of labels stays bounded. */
export const UNKNOWN = 'unknown'

/** Number of durations in each bucket of BUCKETS, and of longer ones. The counts are not cumulative. */
export interface Histogram {
  readonly counts: readonly number[]
  /** Milliseconds. */
  readonly sum: number
}

export interface CallMeter {
  /** Counts an answer from the cache. Its duration is negligible. */
  hit(): void
  /** Counts an answer, or with `failure` an error of this kind. */
  done(failure: ErrorKind | undefined, milliseconds: number): void
}

/** Counters for the HTTP requests of one endpoint, which is the label `door` of the metrics. */
export interface RequestMeter {
  done(status: number, milliseconds: number): void
}

export interface CallFigures {
  readonly network: string
  readonly method: string
  readonly hits: number
  /** Requests by HTTP status. Status 200 includes cache hits. */
  readonly statuses: ReadonlyMap<number, number>
  /** Durations of all calls. Cache hits are in the first bucket. */
  readonly durations: Histogram
}

export interface RequestFigures {
  readonly endpoint: string
  readonly statuses: ReadonlyMap<number, number>
  readonly durations: Histogram
}

/** Reasons why limits or keys refuse requests. Items of batches and WebSocket messages count too. */
export type Refusal = 'anonymous' | 'key' | 'liteserver' | 'unknown_key' | 'wrong_network'

export interface Meter {
  /** Returns the counters of a method. Callers should reuse the object, because looking it up is slower than counting. */
  calls(network: string, method: string): CallMeter
  /** Returns the counters of an endpoint. The names must come from a fixed set. Callers should reuse the object. */
  endpoint(name: string): RequestMeter
  refused(why: Refusal): void
  figures(): {
    readonly calls: readonly CallFigures[]
    readonly requests: readonly RequestFigures[]
    readonly refused: ReadonlyMap<Refusal, number>
  }
}

/** A class, because every cached answer updates the object of its method. */
class Durations implements Histogram {
  readonly counts: number[] = new Array(BUCKETS.length + 1).fill(0)
  sum = 0
  add(milliseconds: number): void {
    let i = 0
    while (i < BUCKETS.length && milliseconds > BUCKETS[i]!) i++
    this.counts[i]!++
    this.sum += milliseconds
  }
}

class Calls implements CallMeter {
  hits = 0
  answered = 0
  readonly failures = new Map<number, number>()
  readonly taken = new Durations()
  hit(): void {
    this.hits++
  }
  done(failure: ErrorKind | undefined, milliseconds: number): void {
    this.taken.add(milliseconds)
    if (failure === undefined) this.answered++
    else {
      const { http } = ERRORS[failure]
      this.failures.set(http, (this.failures.get(http) ?? 0) + 1)
    }
  }
}

const MAX_STATUS = 600

class EndpointCounter implements RequestMeter {
  /** Counts by status, in an array because its index access is faster than a Map. */
  readonly counts: number[] = new Array(MAX_STATUS).fill(0)
  readonly taken = new Durations()
  done(status: number, milliseconds: number): void {
    this.counts[status]!++
    this.taken.add(milliseconds)
  }
  statuses(): ReadonlyMap<number, number> {
    return new Map(this.counts.flatMap((count, status) => (count > 0 ? [[status, count] as const] : [])))
  }
}

const figuresOf = (network: string, method: string, { hits, answered, failures, taken }: Calls): CallFigures => {
  const [first = 0, ...rest] = taken.counts
  const good = hits + answered
  return {
    network,
    method,
    hits,
    statuses: new Map([...(good > 0 ? [[200, good] as const] : []), ...failures]),
    durations: { counts: [first + hits, ...rest], sum: taken.sum },
  }
}

export const createMeter = (): Meter => {
  const methods = new Map<string, { readonly network: string; readonly method: string; readonly calls: Calls }>()
  const endpoints = new Map<string, EndpointCounter>()
  const refused = new Map<Refusal, number>()
  return {
    calls(network, method) {
      const key = `${network} ${method}`
      let entry = methods.get(key)
      if (!entry) {
        entry = { network, method, calls: new Calls() }
        methods.set(key, entry)
      }
      return entry.calls
    },
    endpoint(name) {
      let counter = endpoints.get(name)
      if (!counter) {
        counter = new EndpointCounter()
        endpoints.set(name, counter)
      }
      return counter
    },
    refused(why) {
      refused.set(why, (refused.get(why) ?? 0) + 1)
    },
    figures: () => ({
      calls: [...methods.values()]
        .map(({ network, method, calls }) => figuresOf(network, method, calls))
        .filter(({ statuses }) => statuses.size > 0),
      requests: [...endpoints]
        .map(([name, counter]) => ({ endpoint: name, statuses: counter.statuses(), durations: counter.taken }))
        .filter(({ statuses }) => statuses.size > 0),
      refused,
    }),
  }
}

const nothing = (): void => {}
const UNCOUNTED: CallMeter = { hit: nothing, done: nothing }

/** For services whose metrics nobody may read. */
export const idleMeter: Meter = {
  calls: () => UNCOUNTED,
  endpoint: () => ({ done: nothing }),
  refused: nothing,
  figures: () => ({ calls: [], requests: [], refused: new Map() }),
}
