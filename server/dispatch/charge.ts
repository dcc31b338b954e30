import { entriesByName } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import type { Refusal } from '../metrics/meter.ts'
import { LIMITED, toTonError } from './failure.ts'
import type { Dispatch, Outcome } from './types.ts'

/*
 * The cost of an answer, by its rows and by its text, and which answers are so large that few are made at a time. The database reads the rows, the event
 * loop writes them, and memory holds them until the reader has them.
 */

/** Characters of an answer's JSON that cost one unit. They are counted once it is made. */
const TEXT_OF_UNIT = 256 << 10
/** Rows that cost one unit, in addition to the weight of the method. */
const ROWS_OF_UNIT = 100
/** A page of more rows is a large one. */
const LARGE = 100
/** Rows that one trace counts as, because it is a tree of transactions. */
const OF_TRACE = 10

/** Rows that a call asks for by `limit`, parsed or not; 0 if it has no limit or its method has no pages. */
const rowsAsked = ({ page }: MethodDef, params: unknown): number => {
  if (page === undefined || typeof params !== 'object' || params === null) return 0
  const { limit } = params as { readonly limit?: unknown }
  // Parameters may not be parsed yet, so this can be anything.
  if (typeof limit !== 'number' && typeof limit !== 'string') return 0
  const rows = Math.min(Number(limit), page.max)
  if (!(rows > 0)) return 0
  return page.rows === 'traces' ? rows * OF_TRACE : rows
}

/** Units that the rows of a call cost. */
const unitsOfRows = (def: MethodDef, params: unknown): number => Math.floor(rowsAsked(def, params) / ROWS_OF_UNIT)

/** Units that `more` characters cost after `before` characters of the same request. */
const unitsOfText = (before: number, more: number): number => Math.floor((before + more) / TEXT_OF_UNIT) - Math.floor(before / TEXT_OF_UNIT)

/** Whether a call to the index may have so large an answer that only a few are made at a time. */
export const isLargePage = (def: MethodDef, params: unknown): boolean => def.needs === 'index' && rowsAsked(def, params) > LARGE

const REFUSED: Outcome = { ok: false, error: LIMITED }

/** Units that an unknown method name costs. If it were free, it could be used to flood the service. */
const UNKNOWN_WEIGHT = 1

/** The same text; `count` is called with the length of each piece. */
const counted = (text: TextSource, count: (length: number) => void): TextSource => ({
  ...text,
  async next() {
    const step = await text.next()
    if (step.done !== true) count(step.value.length)
    return step
  },
})

/** Answers of fewer characters cost nothing beyond their calls. */
const LEAST = 4 << 10

/**
 * The same dispatch, but each call first takes its weight from its caller's limit. The length of its answer is charged afterwards: that refuses
 * nothing, but leaves less room for the next calls. Calls without a caller are not charged.
 */
export const createCharged = (
  dispatch: Dispatch,
  methods: Readonly<Record<string, MethodDef>>,
  refused: (why: Refusal) => void,
): Dispatch => {
  const known = entriesByName(methods)
  /** Units that a call costs: for its method, and for the rows that it asks for. */
  const weightOf = (name: string, raw: unknown): number => {
    const def = known.get(name)?.def
    return def === undefined ? UNKNOWN_WEIGHT : def.weight + unitsOfRows(def, raw)
  }
  /** Characters answered per request; a batch is one request. */
  const lengths = new WeakMap<Call, number>()
  const count = (more: number, call: Call): void => {
    const before = lengths.get(call) ?? 0
    lengths.set(call, before + more)
    const units = unitsOfText(before, more)
    if (units > 0) call.caller?.charge(units)
  }
  const weigh = (outcome: Outcome, call: Call): Outcome => {
    if (!outcome.ok || outcome.json.length < LEAST) return outcome
    count(outcome.json.length, call)
    return outcome.rest === undefined ? outcome : { ...outcome, rest: counted(outcome.rest, (length) => count(length, call)) }
  }
  const run: Dispatch = (name, raw, call, source) => {
    const outcome = dispatch(name, raw, call, source)
    return outcome instanceof Promise ? outcome.then((answered) => weigh(answered, call)) : weigh(outcome, call)
  }
  const refuse = ({ keyId }: Caller): Outcome => {
    refused(keyId === undefined ? 'anonymous' : 'key')
    return REFUSED
  }
  const failed = (error: unknown, name: string, call: Call): Outcome => ({ ok: false, error: toTonError(error, call, name) })

  /** Takes units that another process counts, then runs the call. */
  const later = async (taken: Promise<boolean>, ...[name, raw, call, source]: Parameters<Dispatch>): Promise<Outcome> => {
    try {
      if (!(await taken)) return refuse(call.caller!)
    } catch (error) {
      return failed(error, name, call)
    }
    return run(name, raw, call, source)
  }

  return (name, raw, call, source) => {
    const { caller } = call
    if (caller === undefined) return dispatch(name, raw, call, source)
    let taken: boolean | Promise<boolean>
    try {
      taken = caller.take(weightOf(name, raw))
    } catch (error) {
      return failed(error, name, call)
    }
    if (taken === true) return run(name, raw, call, source)
    return taken === false ? refuse(caller) : later(taken, name, raw, call, source)
  }
}
