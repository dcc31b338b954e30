import { EVENT_LIMITS, type EventLimits } from '../base/outlet/event-limits.ts'

/** Limits of an owner's keys on a network. */
export interface Plan {
  readonly name: string
  /** `*`: every network that has no plan of this name itself. */
  readonly network: string
  /** Units per second for all keys of an owner on a network. */
  readonly rps: number
  /** Group of lite-servers that its calls try first; undefined: the common one. */
  readonly servers: string | undefined
  /** The plan's limits on events. The common limits hold for the rest. */
  readonly events: Partial<EventLimits>
}

/** Names of the limits on events, which are columns of the plans and flags of `tonway plans set`. */
export const EVENT_LIMIT_NAMES = Object.keys(EVENT_LIMITS) as (keyof EventLimits)[]

/** The limits on events in a row of plans; a limit that is null is left out. */
export const eventLimitsOf = (row: Readonly<Record<string, unknown>>): Partial<EventLimits> =>
  Object.fromEntries(EVENT_LIMIT_NAMES.flatMap((name) => (typeof row[name] === 'number' ? [[name, row[name]]] : [])))

export const ANY_NETWORK = '*'

/** TON Center's plans (v2.md 1.7), which a new database starts with. */
export const FIRST_PLANS: readonly Plan[] = [
  { name: 'free', network: ANY_NETWORK, rps: 10, servers: 'private', events: {} },
  { name: 'plus', network: ANY_NETWORK, rps: 25, servers: 'private', events: {} },
  { name: 'advanced', network: ANY_NETWORK, rps: 100, servers: 'private', events: {} },
]

export const MOST_RPS = 1_000_000
/** Largest limit on events that a plan can have. */
export const MOST_OF_EVENTS = 1_000_000

/** Pattern of the name of a plan, a network or a group of servers. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
