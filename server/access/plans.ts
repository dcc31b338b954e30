import { CALLER_LIMITS, type CallerLimits } from '../base/limits/caller-limits.ts'

export interface Plan {
  readonly name: string
  /** `*`: every network that does not have its own plan of this name. */
  readonly network: string
  /** Units per second, for all keys of an owner on a network. */
  readonly rps: number
  /** Group of lite-servers for the plan's calls, in addition to those without a group. undefined: only those without a group. */
  readonly servers: string | undefined
  /** Limits of the plan besides `rps`. An absent limit has its default. */
  readonly limits: Partial<CallerLimits>
}

/** Limits besides `rps`. They are columns of the plans table and flags of `tonway plans set`. */
export const LIMIT_NAMES = Object.keys(CALLER_LIMITS) as (keyof CallerLimits)[]

/** Limits besides `rps` in a row of the plans table. NULL means the default, and is omitted. */
export const callerLimitsOf = (row: Readonly<Record<string, unknown>>): Partial<CallerLimits> =>
  Object.fromEntries(LIMIT_NAMES.flatMap((name) => (typeof row[name] === 'number' ? [[name, row[name]]] : [])))

export const ANY_NETWORK = '*'

/** TON Center's plans, which a new database contains. The lite-servers of the group `private` are reserved for paid plans. */
export const FIRST_PLANS: readonly Plan[] = [
  { name: 'free', network: ANY_NETWORK, rps: 10, servers: undefined, limits: {} },
  { name: 'plus', network: ANY_NETWORK, rps: 25, servers: 'private', limits: {} },
  { name: 'advanced', network: ANY_NETWORK, rps: 100, servers: 'private', limits: {} },
]

export const MAX_RPS = 1_000_000
export const MAX_LIMIT = 1_000_000

/** For plans, networks and groups of lite-servers. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
