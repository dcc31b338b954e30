import { ERRORS, type ErrorKind } from '../../shared/errors.ts'

/*
 * Counters that are updated while calls run. They are plain numbers, which exposition.ts converts to metrics on a scrape: prom-client's own classes would
 * take a microsecond for each count.
 */

/** Upper bounds of the buckets of latency histograms, in milliseconds. */
export const BUCKETS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** Label of all unknown method names, so that the number of labels stays bounded. */
export const UNKNOWN = 'unknown'

export type Labels = Readonly<Record<string, string | number>>

/** Reasons why limits or keys refuse requests. Items of batches and WebSocket messages count too. */
export type Refusal = 'anonymous' | 'key' | 'liteserver' | 'unknown_key' | 'wrong_network'

/** Answers by HTTP status, and their durations. A class, because every answer updates such an object. */
export class AnswerCounter {
  readonly labels: Labels
  readonly statuses = new Map<number, number>()
  /** Number of durations in each bucket of BUCKETS, and of longer ones. The counts are not cumulative. */
  readonly counts: number[] = new Array(BUCKETS.length + 1).fill(0)
  /** Milliseconds. */
  sum = 0
  constructor(labels: Labels) {
    this.labels = labels
  }
  done(status: number, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    let i = 0
    while (i < BUCKETS.length && milliseconds > BUCKETS[i]!) i++
    this.counts[i]!++
    this.sum += milliseconds
  }
}

/** Counts the calls of one method. */
export class CallMeter {
  readonly answers: AnswerCounter
  hits = 0
  constructor(labels: Labels) {
    this.answers = new AnswerCounter(labels)
  }
  /** Counts an answer from the cache. Its duration is negligible. */
  hit(): void {
    this.hits++
    this.answers.done(200, 0)
  }
  /** Counts an answer, or with `failure` an error of this kind. */
  done(failure: ErrorKind | undefined, milliseconds: number): void {
    this.answers.done(failure === undefined ? 200 : ERRORS[failure].http, milliseconds)
  }
}

/** Returns the value of a key. Creates it if it is missing. */
const getOrCreate = <V>(map: Map<string, V>, key: string, create: () => V): V => {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

export type Meter = ReturnType<typeof createMeter>

export const createMeter = () => {
  const methods = new Map<string, CallMeter>()
  const endpoints = new Map<string, AnswerCounter>()
  const refused = new Map<Refusal, number>()
  const isUsed = ({ statuses }: AnswerCounter): boolean => statuses.size > 0
  return {
    /** Returns the counters of a method. Callers should reuse the object, because looking it up is slower than counting. */
    calls: (network: string, method: string): CallMeter =>
      getOrCreate(methods, `${network} ${method}`, () => new CallMeter({ network, method })),
    /** Returns the counters of an endpoint, which is the label `door`. The names must come from a fixed set. Callers should reuse the object. */
    endpoint: (door: string): AnswerCounter => getOrCreate(endpoints, door, () => new AnswerCounter({ door })),
    refused: (why: Refusal): void => void refused.set(why, (refused.get(why) ?? 0) + 1),
    figures: () => ({
      calls: [...methods.values()].filter(({ answers }) => isUsed(answers)),
      requests: [...endpoints.values()].filter(isUsed),
      refused: refused as ReadonlyMap<Refusal, number>,
    }),
  }
}
