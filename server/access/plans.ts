import { CALLER_LIMITS, type CallerLimits } from '../base/limits/caller-limits.ts'

/** Limits of an owner's keys on a network. */
export interface Plan {
  readonly name: string
  /** `*`: every network that has no plan of this name itself. */
  readonly network: string
  /** Units per second for all keys of an owner on a network. */
  readonly rps: number
  /** Group of lite-servers that its calls have besides the servers without a group; undefined: only those without a group. */
  readonly servers: string | undefined
  /** The plan's other limits. For the rest the common limits apply. */
  readonly limits: Partial<CallerLimits>
}

/** Names of the other limits, which are columns of the plans and flags of `tonway plans set`. */
export const LIMIT_NAMES = Object.keys(CALLER_LIMITS) as (keyof CallerLimits)[]

/** The other limits in a row of plans; a limit that is null is left out. */
export const callerLimitsOf = (row: Readonly<Record<string, unknown>>): Partial<CallerLimits> =>
  Object.fromEntries(LIMIT_NAMES.flatMap((name) => (typeof row[name] === 'number' ? [[name, row[name]]] : [])))

export const ANY_NETWORK = '*'

/** TON Center's plans, which a new database starts with. Lite-servers of the group `private` are for those who pay. */
export const FIRST_PLANS: readonly Plan[] = [
  { name: 'free', network: ANY_NETWORK, rps: 10, servers: undefined, limits: {} },
  { name: 'plus', network: ANY_NETWORK, rps: 25, servers: 'private', limits: {} },
  { name: 'advanced', network: ANY_NETWORK, rps: 100, servers: 'private', limits: {} },
]

export const MAX_RPS = 1_000_000
/** Largest value of the other limits. */
export const MAX_LIMIT = 1_000_000

/** Pattern of the name of a plan, a network or a group of servers. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
