/** Limits of an owner's keys on a network. */
export interface Plan {
  readonly name: string
  /** `*`: every network that has no plan of this name itself. */
  readonly network: string
  /** Units per second for all keys of an owner on a network. */
  readonly rps: number
  /** Group of lite-servers that its calls try first; undefined: the common one. */
  readonly servers: string | undefined
}

export const ANY_NETWORK = '*'

/** TON Center's plans (v2.md 1.7), which a new database starts with. */
export const FIRST_PLANS: readonly Plan[] = [
  { name: 'free', network: ANY_NETWORK, rps: 10, servers: 'private' },
  { name: 'plus', network: ANY_NETWORK, rps: 25, servers: 'private' },
  { name: 'advanced', network: ANY_NETWORK, rps: 100, servers: 'private' },
]

export const MOST_RPS = 1_000_000

/** Pattern of the name of a plan, a network or a group of servers. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
