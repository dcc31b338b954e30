import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { ReplicaFigures } from '../../metrics/figures.ts'
import { databaseFault } from '../postgres/faults.ts'
import { checkServer, type Sight } from './check.ts'
import { type ChainPosition, comparePositions } from './floor.ts'
import { type Primary, watchPrimary } from './watch-primary.ts'

/**
 * `starting`: the replica or its primary was not checked yet. `in use`: the replica can be read. `behind`: its lag is over the limit. `away`: it does not
 * answer. `not a replica`: it is another database, or was promoted. `empty`: it has no index.
 */
export type ReplicaState = 'starting' | 'in use' | 'behind' | 'away' | 'not a replica' | 'empty'

export interface StandbyAddress {
  /** Host and port, for logs and the status page. */
  readonly name: string
  readonly config: () => Promise<ClientConfig>
}

export interface Standby {
  config(): ClientConfig | undefined
  state(): ReplicaState
  head(): ChainPosition | undefined
  /** Marks the replica as away. It is not read until a check succeeds. */
  fail(error: unknown): void
  /** Records that an answer of the replica used this head, which may be newer than the head at the last check. */
  reached(head: ChainPosition): void
  /** Records that the replica's head is lower than at the last check. Until the next check the head is unknown. */
  suspect(): void
  figures(): ReplicaFigures
}

export interface StandbysOptions {
  readonly addresses: readonly StandbyAddress[]
  readonly primary: () => ClientConfig | undefined
  readonly log: Log
  /** Maximum lag of a replica in milliseconds, MAX_LAG by default. */
  readonly maxLag?: number | undefined
}

export interface Standbys {
  readonly all: readonly Standby[]
  /** Calls `listener` when the state or the head of any replica changes. Returns a function that unsubscribes `listener`. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

const MAX_LAG = 5_000
/** Milliseconds between two checks of a replica. The checks are frequent, because a standby cannot notify changes of its head. */
const EVERY = 50

const behindText = (lag: number): string =>
  Number.isFinite(lag)
    ? `it is ${Math.round(lag / 1000)} s behind its primary`
    : 'it lacks what its primary had published before this service saw it first'

const differs = (a: ChainPosition | undefined, b: ChainPosition | undefined): boolean =>
  a === undefined || b === undefined ? a !== b : comparePositions(a, b) !== 0

interface StandbyDeps {
  readonly address: StandbyAddress
  readonly primary: () => Primary
  readonly log: Log
  readonly maxLag: number
  readonly changed: () => void
}

const openStandby = ({ address: { name, config: find }, primary, log, maxLag, changed }: StandbyDeps) => {
  let config: ClientConfig | undefined
  let sight: Sight | undefined
  let failure: unknown
  let logged: ReplicaState = 'starting'
  const lag = (): number | undefined => sight?.head && primary().lagOf(sight.head)

  /** The state, and why the replica is not in use. */
  const judge = (): readonly [state: ReplicaState, trouble: string | null] => {
    if (failure !== undefined) return ['away', databaseFault(failure) ?? 'it does not answer']
    if (sight === undefined) return ['starting', 'it has not answered yet']
    if (!primary().isTried()) return ['starting', 'its primary has not answered yet']
    const of = primary().sight()
    if (of !== undefined && of.identity !== sight.identity) return ['not a replica', 'it is not a replica of the database of DATABASE_URL']
    // The primary itself may be in the list. Any other server that is not a standby has a database of its own.
    if (!sight.isStandby && of !== undefined && of.started !== sight.started) return ['not a replica', 'it is no standby any more']
    if (sight.head === undefined) return ['empty', 'it has no index yet']
    const behind = lag() ?? 0
    return behind > maxLag ? ['behind', behindText(behind)] : ['in use', null]
  }

  /** Logs a change of the state, and notifies listeners of a changed state or head. */
  const review = (isNews = false): void => {
    const [now, trouble] = judge()
    const before = logged
    logged = now
    if (now !== before) {
      if (now === 'in use') log.info('replica.used', { replica: name })
      else if (before === 'in use' || before === 'starting') log.warn('replica.left_out', { replica: name, reason: trouble })
    }
    if (isNews || now !== before) changed()
  }
  const fail = (error: unknown): void => {
    failure = error
    review()
  }
  const close = checkServer({
    config: async () => {
      config = await find()
      return config
    },
    every: EVERY,
    saw(seen) {
      const isNews = differs(sight?.head, seen.head)
      sight = seen
      failure = undefined
      review(isNews)
    },
    lost: fail,
  })
  const standby: Standby = {
    config: () => config,
    state: () => judge()[0],
    head: () => sight?.head,
    fail,
    reached(head) {
      if (sight?.head && comparePositions(head, sight.head) > 0) sight = { ...sight, head }
    },
    suspect() {
      if (sight) sight = { ...sight, head: undefined }
    },
    figures() {
      const behind = lag()
      const [state, trouble] = judge()
      return {
        server: name,
        state,
        seqno: sight?.head?.seqno ?? null,
        lag_ms: behind === undefined || !Number.isFinite(behind) ? null : Math.round(behind),
        trouble,
      }
    },
  }
  return { standby, review, close }
}

export const watchStandbys = ({ addresses, primary: config, log, maxLag = MAX_LAG }: StandbysOptions): Standbys => {
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const opened = addresses.map((address) => openStandby({ address, primary: () => primary, log, maxLag, changed }))
  const primary = watchPrimary({
    config,
    changed() {
      for (const { review } of opened) review()
    },
  })
  return {
    all: opened.map(({ standby }) => standby),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await Promise.all([primary.close(), ...opened.map(({ close }) => close())])
    },
  }
}
