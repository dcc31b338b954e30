import { asksForProofs, MAX_PROVEN_ROWS } from '../../shared/fields/v3/proofs.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Call, Caller } from '../base/call.ts'
import type { TextSource } from '../base/pieces.ts'
import type { Refusal } from '../metrics/meter.ts'
import { LIMITED } from './failure.ts'
import type { Outcome } from './types.ts'

/* What a call costs: the weight of its method and the rows that it asks for, before it runs; its text, once that is made. */

/** Characters of an answer's JSON that cost one unit. */
const TEXT_OF_UNIT = 256 << 10
/** Answers of fewer characters cost nothing beyond their calls. */
const LEAST_TEXT = 4 << 10
/** Units that an unknown method name costs. If it were free, it could be used to flood the service. */
const UNKNOWN_WEIGHT = 1

/** Rows that cost one unit, in addition to the weight of the method. */
const ROWS_OF_UNIT = 100
/** A page of more rows is a large one. */
const LARGE = 100
/** Rows that one trace counts as, because it is a tree of transactions. */
const OF_TRACE = 10

/** Rows that a call requests by `limit`, parsed or not; 0 if it has no limit or its method has no pages. */
const requestedRows = ({ page }: MethodDef, params: unknown): number => {
  if (page === undefined || typeof params !== 'object' || params === null) return 0
  const { limit } = params as { readonly limit?: unknown }
  // Parameters may not be parsed yet, so this can be anything.
  if (typeof limit !== 'number' && typeof limit !== 'string') return 0
  const rows = Math.min(Number(limit), page.max)
  if (!(rows > 0)) return 0
  return page.rows === 'traces' ? rows * OF_TRACE : rows
}

/** Units that the rows of a call cost. */
const unitsOfRows = (def: MethodDef, params: unknown): number => Math.floor(requestedRows(def, params) / ROWS_OF_UNIT)

/** Whether a call to the index may have so large an answer that only a few are made at a time. */
export const isLargePage = (def: MethodDef, params: unknown): boolean => def.needs === 'index' && requestedRows(def, params) > LARGE

/** Rows of a page whose limit the caller leaves open. */
const USUAL_ROWS = 10

/** Units that the proofs of a call cost: each is a few queries. Lists without pages have as many rows as addresses. */
const unitsOfProofs = (def: MethodDef, params: unknown): number => {
  if (def.weightOfProof === undefined || !asksForProofs(params)) return 0
  const { address } = params as { readonly address?: unknown }
  const rows = def.page ? requestedRows(def, params) || USUAL_ROWS : address === undefined ? USUAL_ROWS : String(address).split(',').length
  return Math.min(rows, MAX_PROVEN_ROWS) * def.weightOfProof
}

/** Takes the units of a call from its caller's limit. Throws RATE_LIMITED if they do not fit. `def`: undefined for an unknown method. */
export const charge = async (
  caller: Caller,
  def: MethodDef | undefined,
  raw: unknown,
  refused: (why: Refusal) => void = () => {},
): Promise<void> => {
  if (await caller.take(def === undefined ? UNKNOWN_WEIGHT : def.weight + unitsOfRows(def, raw) + unitsOfProofs(def, raw))) return
  refused(caller.keyId === undefined ? 'anonymous' : 'key')
  throw LIMITED
}

/** Characters answered per request; a batch is one request. */
const lengths = new WeakMap<Call, number>()

const countText = (more: number, call: Call): void => {
  const before = lengths.get(call) ?? 0
  lengths.set(call, before + more)
  const units = Math.floor((before + more) / TEXT_OF_UNIT) - Math.floor(before / TEXT_OF_UNIT)
  if (units > 0) call.caller?.charge(units)
}

/** The same text; each piece is counted. */
const counted = (text: TextSource, call: Call): TextSource => ({
  ...text,
  async next() {
    const step = await text.next()
    if (step.done !== true) countText(step.value.length, call)
    return step
  },
})

/** Charges the text of an answer. That refuses nothing, but leaves less room for the next calls. */
export const chargeText = (outcome: Outcome, call: Call): Outcome => {
  if (!outcome.ok || outcome.json.length < LEAST_TEXT) return outcome
  countText(outcome.json.length, call)
  return outcome.rest === undefined ? outcome : { ...outcome, rest: counted(outcome.rest, call) }
}
