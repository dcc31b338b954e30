import { asksForProofs, MAX_PROVEN_ROWS } from '../../shared/fields/v3/proofs.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Call } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import { LIMITED } from './failure.ts'
import type { Outcome } from './types.ts'

/* Cost of a call in units. The weight of the method and the requested rows are charged before the call runs, the length of the answer afterwards. */

/** Characters of an answer per unit. */
const TEXT_OF_UNIT = 256 << 10
/** Answers with fewer characters cost nothing beyond their calls. */
const LEAST_TEXT = 4 << 10
/** Units for an unknown method name. If it were free, it could be used to flood the service. */
const UNKNOWN_WEIGHT = 1

/** Rows per unit, in addition to the weight of the method. */
const ROWS_OF_UNIT = 100
const LARGE = 100
/** Number of rows that one trace counts as, because a trace is a tree of transactions. */
const OF_TRACE = 10

/** Rows that a call requests by `limit`; 0 without a limit, and for a method without pages. */
const requestedRows = ({ page }: MethodDef, params: unknown): number => {
  if (page === undefined || typeof params !== 'object' || params === null) return 0
  const { limit } = params as { readonly limit?: unknown }
  // Parameters may not be parsed yet, so `limit` can have any type.
  if (typeof limit !== 'number' && typeof limit !== 'string') return 0
  const rows = Math.min(Number(limit), page.max)
  if (!(rows > 0)) return 0
  return page.rows === 'traces' ? rows * OF_TRACE : rows
}

const unitsOfRows = (def: MethodDef, params: unknown): number => Math.floor(requestedRows(def, params) / ROWS_OF_UNIT)

/** Returns whether a call requests so many rows of the index that its answer is produced under the limits for large pages. */
export const isLargePage = (def: MethodDef, params: unknown): boolean => def.needs === 'index' && requestedRows(def, params) > LARGE

const USUAL_ROWS = 10

/** Units for the proofs of a call, each of which needs a few queries. A method without pages has one row for each address. */
const unitsOfProofs = (def: MethodDef, params: unknown): number => {
  if (def.weightOfProof === undefined || !asksForProofs(params)) return 0
  const { address } = params as { readonly address?: unknown }
  const rows = def.page
    ? requestedRows(def, params) || USUAL_ROWS
    : address === undefined
      ? USUAL_ROWS
      : String(address).split(',', MAX_PROVEN_ROWS).length
  return Math.min(rows, MAX_PROVEN_ROWS) * def.weightOfProof
}

type Charged = Pick<Call, 'caller'>

/** Calls whose first unit was taken before they were read. */
const prepaid = new WeakSet<Charged>()

/** Takes units of a call from its caller's rate limit. A prepaid unit counts. Returns false if they exceed the limit. */
const takeUnits = (call: Charged, units: number): boolean | Promise<boolean> =>
  call.caller === undefined || call.caller.take(units, prepaid.delete(call) ? 1 : 0)

/**
 * Charges one call for a request that does not reach dispatch, such as a malformed request or a document. Rejects with RATE_LIMITED if the caller's limit is
 * used up.
 */
export const chargeUndispatched = async (call: Charged): Promise<void> => {
  if (!(await takeUnits(call, 1))) throw LIMITED
}

/** Takes the first unit of a call before it is read. Rejects with RATE_LIMITED if the caller's limit is used up. */
export const prepay = async (call: Charged): Promise<void> => {
  await chargeUndispatched(call)
  prepaid.add(call)
}

/**
 * Takes the units of a call from its caller's rate limit. Throws or rejects with RATE_LIMITED if they exceed it. Returns a promise if another process counts.
 * `def`: undefined for an unknown method.
 */
export const charge = (call: Charged, def: MethodDef | undefined, raw: unknown): void | Promise<void> => {
  const check = (isTaken: boolean): void => {
    if (!isTaken) throw LIMITED
  }
  const taken = takeUnits(call, def === undefined ? UNKNOWN_WEIGHT : def.weight + unitsOfRows(def, raw) + unitsOfProofs(def, raw))
  return taken instanceof Promise ? taken.then(check) : check(taken)
}

/** Characters of the answers to each request. A batch counts as one request. */
const lengths = new WeakMap<Call, number>()

const countText = (more: number, call: Call): void => {
  const before = lengths.get(call) ?? 0
  lengths.set(call, before + more)
  const units = Math.floor((before + more) / TEXT_OF_UNIT) - Math.floor(before / TEXT_OF_UNIT)
  if (units > 0) call.caller?.charge(units)
}

const counted = (text: TextSource, call: Call): TextSource => ({
  ...text,
  async next() {
    const step = await text.next()
    if (step.done !== true) countText(step.value.length, call)
    return step
  },
})

/** Charges for the length of an answer. It never refuses, but reduces the units that are left for the next calls. */
export const chargeText = (outcome: Outcome, call: Call): Outcome => {
  if (!outcome.ok || outcome.json.length < LEAST_TEXT) return outcome
  countText(outcome.json.length, call)
  for (const { length } of outcome.more ?? []) countText(length, call)
  return outcome.rest === undefined ? outcome : { ...outcome, rest: counted(outcome.rest, call) }
}
