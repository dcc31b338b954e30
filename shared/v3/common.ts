import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { utime, v3Int, v3Lt, v3Shard } from '../fields/v3/numbers.ts'
import { ordered, sorted, walked } from '../fields/v3/page.ts'
import { fewRows, proofs } from '../fields/v3/proofs.ts'
import { overrides } from '../fields/v3/request-settings.ts'

export const reads = <H extends string>(heading: H) =>
  ({ heading, api: 'v3', effect: 'read', needs: 'index', rest: 'GET', weight: 1, cache: 'index' }) as const

/** A time range, both ends included. */
export const times = {
  start_utime: utime('Only what happened at this time or later.').optional(),
  end_utime: utime('Only what happened at this time or before.').optional(),
}

/** A range of time and of logical time, both ends included. */
export const window = {
  ...times,
  start_lt: v3Lt('Only what has this logical time or a later one.').optional(),
  end_lt: v3Lt('Only what has this logical time or an earlier one.').optional(),
}

/** A range for the end of traces, both ends included. */
export const traceWindow = {
  start_utime: utime('Only traces whose last transaction was made at this time or later.').optional(),
  end_utime: utime('Only traces whose last transaction was made at this time or before.').optional(),
  start_lt: v3Lt('Only traces whose last transaction has this logical time or a later one.').optional(),
  end_lt: v3Lt('Only traces whose last transaction has this logical time or an earlier one.').optional(),
}

export const inBlock = {
  workchain: v3Int('Only blocks of this workchain: -1 is the masterchain, 0 the basechain.').optional(),
  shard: v3Shard('Only blocks of this shard.').optional(),
  seqno: v3Int('Only the blocks of this number in their shards.').optional(),
}
export const committed = v3Int('Only blocks that the masterchain block of this number commits.').optional()
export const masterchainSeqno = v3Int('The number of the masterchain block.')

/* The page of a list, and settings of its answer. */
export const sortedPage = { ...sorted(), ...overrides }
export const orderedPage = { ...ordered(), ...overrides }
export const walkedPage = { ...walked(), ...overrides }

/** A test of parsed parameters that have the members `P`, and the error if it fails. */
type Rule<P> = readonly [(params: P) => boolean, ReturnType<typeof rule>]

/** `cursor` and `offset` both define the start of a page, so they exclude each other. */
const oneStart: Rule<{ readonly cursor?: string | undefined; readonly offset: number }> = [
  (p) => p.cursor === undefined || p.offset === 0,
  rule('cursor cannot be used with offset', ['cursor']),
]

/** Members that the rules of all lists test. */
type Paged = Pick<ReturnType<typeof walked>, 'cursor' | 'offset' | 'limit'>

const withRules = <P extends z.ZodObject>(params: P, rules: readonly Rule<z.output<P>>[]): P =>
  rules.reduce((checked, [test, error]) => checked.refine(test, error), params)

const withListRules = <P extends z.ZodObject<Paged>>(params: P, rules: readonly Rule<z.output<P>>[]): P =>
  withRules(params, [...rules, oneStart])

/** Parameters of a list with `cursor` and `offset`. The error is that of the first rule that is violated. */
export const listParams = <S extends z.ZodRawShape & Paged>(shape: S, ...rules: readonly Rule<z.output<z.ZodObject<S>>>[]) =>
  withListRules(z.object(shape), rules)

const withProofRules = <P extends z.ZodObject<Paged & typeof proofs>>(params: P, rules: readonly Rule<z.output<P>>[]): P =>
  withRules(params, [...rules, oneStart, fewRows])

/** Parameters of a list whose rows can have proofs. */
export const provenListParams = <S extends z.ZodRawShape & Paged>(
  shape: S,
  ...rules: readonly Rule<z.output<z.ZodObject<S & typeof proofs>>>[]
) => withProofRules(z.object({ ...shape, ...proofs }), rules)
