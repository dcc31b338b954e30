import { entriesByName } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import { unitsOfRows, unitsOfText } from '../dispatch/answer-cost.ts'
import { LIMITED, toTonError } from '../dispatch/failure.ts'
import type { Dispatch, Outcome } from '../dispatch/types.ts'
import type { Refusal } from '../metrics/meter.ts'

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
