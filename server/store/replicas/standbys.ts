import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { ReplicaFigures } from '../../metrics/figures.ts'
import { databaseFault } from '../postgres/faults.ts'
import { comparePlaces, type HeadPlace } from './floor.ts'
import { watchPrimary } from './primary.ts'
import { type Sight, startWatch } from './watch.ts'

/* The replicas of a primary: which of them can be read, and how far each has got. */

/**
 * `starting`: it or its primary was not asked yet; `in use`; `behind`: its lag is over the limit; `away`: it does not answer; `not a replica`: of another
 * database, or promoted; `empty`: without an index.
 */
export type ReplicaState = 'starting' | 'in use' | 'behind' | 'away' | 'not a replica' | 'empty'

/** A server that a replica can be read at. */
export interface StandbyAddress {
  /** For people: host and port. */
  readonly name: string
  /** How to connect; rejects while that cannot be found out. */
  readonly config: () => Promise<ClientConfig>
}

export interface Standby {
  readonly name: string
  /** Connection settings; undefined until it has answered once. */
  config(): ClientConfig | undefined
  state(): ReplicaState
  head(): HeadPlace | undefined
  /** Says that it does not answer. It is not read until it answers the next check. */
  fail(error: unknown): void
  /** Says that its head is lower than the last check found. */
  doubt(): void
}

export interface StandbysOptions {
  readonly addresses: readonly StandbyAddress[]
  /** The primary; undefined while it is not known. */
  readonly primary: () => ClientConfig | undefined
  /** Whether the database has an index. */
  readonly heads: boolean
  readonly log: Log
  /** Milliseconds that a replica may be behind. */
  readonly mostLag?: number | undefined
  /** Milliseconds between two checks of a replica. */
  readonly every?: number | undefined
}

export interface Standbys {
  readonly all: readonly Standby[]
  /** Calls `listener` after each check that found a change. Returns a function that stops this. */
  onChange(listener: () => void): () => void
  /** Checks all replicas at once, and then as often as possible for a moment. */
  hurry(): void
  figures(): readonly ReplicaFigures[]
  close(): Promise<void>
}

/** Milliseconds that a replica may be behind before it is left out. While the primary answers, a revoked key is refused after this time and a second. */
const MOST_LAG = 5_000
/** Milliseconds between checks of a replica. A standby cannot notify when its head changes. */
const EVERY = 50

interface Seen {
  config: ClientConfig | undefined
  sight: Sight | undefined
  /** Why it cannot be read: it does not answer. */
  error: unknown
  told: ReplicaState
}

const behindText = (lag: number): string =>
  Number.isFinite(lag)
    ? `it is ${Math.round(lag / 1000)} s behind its primary`
    : 'it lacks what its primary had written before this service saw it first'

const differs = (a: HeadPlace | undefined, b: HeadPlace | undefined): boolean =>
  a === undefined || b === undefined ? a !== b : comparePlaces(a, b) !== 0

export const watchStandbys = ({ addresses, primary, heads, log, mostLag = MOST_LAG, every = EVERY }: StandbysOptions): Standbys => {
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const lagOf = ({ sight }: Seen): number | undefined => sight && master.lagOf(sight)

  const stateOf = (seen: Seen): ReplicaState => {
    const { sight, error } = seen
    if (error !== undefined) return 'away'
    if (sight === undefined || !master.isTried()) return 'starting'
    const primarySight = master.sight()
    if (primarySight !== undefined && primarySight.identity !== sight.identity) return 'not a replica'
    // The primary itself may be in the list. Any other server that is no standby is a database of its own.
    if (!sight.isStandby && primarySight !== undefined && primarySight.started !== sight.started) return 'not a replica'
    if (heads && sight.head === undefined) return 'empty'
    return (lagOf(seen) ?? 0) > mostLag ? 'behind' : 'in use'
  }
  const troubleOf = (seen: Seen): string | null => {
    const state = stateOf(seen)
    if (state === 'in use') return null
    if (state === 'starting') return seen.sight === undefined ? 'it has not answered yet' : 'its primary has not answered yet'
    if (state === 'away') return databaseFault(seen.error) ?? 'it does not answer'
    if (state === 'empty') return 'it has no index yet'
    if (state === 'behind') return behindText(lagOf(seen) ?? 0)
    return master.sight()?.identity === seen.sight?.identity
      ? 'it is no standby any more'
      : 'it is not a replica of the database of DATABASE_URL'
  }

  const tell = (name: string, seen: Seen): void => {
    const state = stateOf(seen)
    const before = seen.told
    if (state === before) return
    seen.told = state
    if (state === 'in use') log.info('replica.used', { replica: name })
    else if (before === 'in use' || before === 'starting') log.warn('replica.left_out', { replica: name, reason: troubleOf(seen) })
  }

  const open = ({ name, config }: StandbyAddress) => {
    const seen: Seen = { config: undefined, sight: undefined, error: undefined, told: 'starting' }
    const note = (change: Partial<Seen>): void => {
      const before = [seen.told, seen.sight?.head] as const
      Object.assign(seen, change)
      tell(name, seen)
      if (before[0] !== seen.told || differs(before[1], seen.sight?.head)) changed()
    }
    const watch = startWatch({
      config: async () => {
        seen.config = await config()
        return seen.config
      },
      every,
      heads,
      saw: (sight) => note({ sight, error: undefined }),
      lost: (error) => note({ error }),
    })
    const standby: Standby = {
      name,
      config: () => seen.config,
      state: () => stateOf(seen),
      head: () => seen.sight?.head,
      fail: (error) => note({ error }),
      doubt() {
        if (seen.sight) seen.sight = { ...seen.sight, head: undefined }
      },
    }
    const figures = (): ReplicaFigures => {
      const lag = lagOf(seen)
      return {
        server: name,
        state: stateOf(seen),
        seqno: seen.sight?.head?.seqno ?? null,
        lag_ms: lag === undefined || !Number.isFinite(lag) ? null : Math.round(lag),
        trouble: troubleOf(seen),
      }
    }
    return { standby, watch, figures, check: () => note({}) }
  }
  const opened = addresses.map(open)

  const hurry = (): void => {
    for (const { watch } of opened) watch.hurry()
  }
  const master = watchPrimary({
    config: primary,
    heads,
    tried() {
      for (const { check } of opened) check()
    },
    noticed: hurry,
  })

  return {
    all: opened.map(({ standby }) => standby),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hurry,
    figures: () => opened.map(({ figures }) => figures()),
    async close() {
      await Promise.all([master.close(), ...opened.map(({ watch }) => watch.close())])
    },
  }
}
