import { ERRORS, type ErrorKind } from '../../shared/errors.ts'

/* What is counted while calls run: plain numbers, which become metrics only on a scrape (exposition.ts). */

/** Upper bounds of the latency histograms, milliseconds. */
export const BUCKETS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** All unknown method names share this label, so that the number of labels stays bounded. */
export const UNKNOWN = 'unknown'

/** Durations: one count for each bound of BUCKETS and one for the rest, not cumulative. */
export interface Histogram {
  readonly counts: readonly number[]
  /** Total milliseconds. */
  readonly sum: number
}

/** Calls of one method on one network. */
export interface CallMeter {
  /** An answer from the cache. It took no time worth measuring. */
  hit(): void
  /** An answer (undefined), or a failure of this kind, after this many milliseconds. */
  done(failure: ErrorKind | undefined, milliseconds: number): void
}

/** HTTP requests at one group of endpoints: the label `door` of the metrics. */
export interface RequestMeter {
  /** A request was answered with this status after this many milliseconds. */
  done(status: number, milliseconds: number): void
}

export interface CallFigures {
  readonly network: string
  readonly method: string
  /** Answers from the cache. */
  readonly hits: number
  /** By HTTP status; hits are among the 200s. */
  readonly statuses: ReadonlyMap<number, number>
  /** Of all calls; hits are in the first bucket. */
  readonly durations: Histogram
}

export interface RequestFigures {
  readonly endpoint: string
  readonly statuses: ReadonlyMap<number, number>
  readonly durations: Histogram
}

/** Requests that limits or keys refused, batch items and ws messages included. */
export type Refusal = 'anonymous' | 'key' | 'liteserver' | 'unknown_key' | 'wrong_network'

export interface Meter {
  /** The counters of a method. Keep the returned object. */
  calls(network: string, method: string): CallMeter
  /** The counters of a group of endpoints. Callers use a fixed set of names. Keep the returned object. */
  endpoint(name: string): RequestMeter
  refused(why: Refusal): void
  figures(): {
    readonly calls: readonly CallFigures[]
    readonly requests: readonly RequestFigures[]
    readonly refused: ReadonlyMap<Refusal, number>
  }
}

/** A class, unlike most of this code: there is one object per method, and every cached answer uses it. */
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

/** HTTP statuses are below this. */
const MAX_STATUS = 600

class EndpointCounter implements RequestMeter {
  /** Counts by status. An array index is faster than a key of a Map. */
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

/** Counts nothing. It is used if nobody may read metrics. */
export const idleMeter: Meter = {
  calls: () => UNCOUNTED,
  endpoint: () => ({ done: nothing }),
  refused: nothing,
  figures: () => ({ calls: [], requests: [], refused: new Map() }),
}
