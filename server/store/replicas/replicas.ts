import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import type { PoolFigures, ReplicaFigures } from '../../metrics/figures.ts'
import { fromUrl, withDatabase } from '../postgres/database-server.ts'
import { errorCode } from '../postgres/faults.ts'
import type { Reader } from '../postgres/reader.ts'
import { BehindError, type ChainPosition, comparePositions } from './floor.ts'
import { isLost, openStandby, type Standby, type StandbyOptions, type Work } from './standby.ts'
import { watchPrimary } from './watch-primary.ts'

/* Sends reads to the replicas of a primary. The primary is read only if no replica can be read. All statements of one answer go to one server. */

export interface ReplicasOptions extends Pick<StandbyOptions, 'connections' | 'slow' | 'floor' | 'log' | 'maxLag'> {
  readonly urls: readonly string[]
  /** Suffix of the network's database, as on the primary. */
  readonly suffix: string | undefined
  /** Connection settings and reader of the primary; undefined while the primary is not open. */
  readonly primary: () => { readonly connection: ClientConfig; readonly reader: Pick<Reader, 'rows' | 'snapshot'> } | undefined
}

export interface Replicas extends Pick<Reader, 'rows' | 'snapshot' | 'close'> {
  /** Returns whether a replica is in use. If so, a read waits for a replica that has reached the head of earlier answers, or uses the primary. */
  isReadable(): boolean
  head(): ChainPosition | undefined
  /** Calls `notice` when the head or the state of any replica changes. Returns a function that unsubscribes `notice`. */
  onHead(notice: () => void): () => void
  pick(): ClientConfig | undefined
  figures(): readonly ReplicaFigures[]
  loads(): readonly (PoolFigures | undefined)[]
}

/** Maximum number of replicas that may be lost during a read before the caller gets the error. */
const TRIES = 3
/** Milliseconds that a read waits for a server which has reached the head of earlier answers. */
const PATIENCE = 2_000
const BETWEEN = 10

const NOT_THERE = new Set(['42P01', '42703', '42883'])

/** Returns whether a server lacks a table, a column or a function. A replica may not have replayed a migration of its primary yet. */
const lacksTable = (error: unknown): boolean => NOT_THERE.has(errorCode(error))

const NOT_MIGRATED = 'no replica of the database has replayed the migration of its primary yet'

/** Settings and name of a replica. Throws an Error whose message is for the operator. */
const addressOf = (url: string, suffix: string | undefined): Pick<StandbyOptions, 'name' | 'config'> => {
  const { connection, what: name } = fromUrl(url)
  // The driver chooses the database if the URL names none.
  const config = suffix === undefined ? connection : withDatabase(connection, `${new Client(connection).database}_${suffix}`)
  return { name, config }
}

/** Opens the replicas. Throws an Error whose message is for the operator. Undefined if there are none. */
export const openReplicas = ({ urls, suffix, primary, ...options }: ReplicasOptions): Replicas | undefined => {
  if (urls.length === 0) return undefined
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const primaryWatch = watchPrimary({
    config: () => primary()?.connection,
    changed() {
      for (const { review } of standbys) review()
    },
  })
  const standbys = urls.map((url) => openStandby({ ...options, ...addressOf(url, suffix), primary: primaryWatch, changed }))
  let turn = 0
  /** The usable replica with the fewest running reads, except those in `but`. Among equals the choice rotates. */
  const least = (but: ReadonlySet<Standby> = new Set()): Standby | undefined => {
    const usable = standbys.filter((standby) => standby.isUsable() && !but.has(standby))
    turn++
    return usable.reduce<Standby | undefined>((best, _, i) => {
      const standby = usable[(turn + i) % usable.length]!
      return best && best.running() <= standby.running() ? best : standby
    }, undefined)
  }

  const read = async <T>(work: Work<T>, signal: AbortSignal): Promise<T> => {
    const until = performance.now() + PATIENCE
    let failure: unknown
    /** Replicas that have not replayed what this read needs: a migration, or the head of an answer that was given meanwhile. */
    const older = new Set<Standby>()
    for (let lost = 0; lost < TRIES; ) {
      signal.throwIfAborted()
      const standby = least(older)
      const other = standby === undefined ? primary()?.reader : undefined
      if (standby === undefined && other === undefined) {
        if (performance.now() > until || older.size === standbys.length) break
        await sleep(BETWEEN, undefined, { signal }).catch(() => signal.throwIfAborted())
        continue
      }
      try {
        return await (standby ? standby.read(work, signal) : work(other!, signal))
      } catch (error) {
        failure = error
        if (signal.aborted || standby === undefined) throw error
        if (isLost(error)) lost++
        else if (lacksTable(error) || error instanceof BehindError) older.add(standby)
        else throw error
      }
    }
    if (lacksTable(failure)) throw new TonError('UNAVAILABLE', NOT_MIGRATED, { retryAfter: 1, cause: failure })
    throw failure ?? new TonError('UNAVAILABLE', 'no replica of the database can be read', { retryAfter: 1 })
  }

  return {
    rows: (query, signal, ...how) => read((reader, stop) => reader.rows(query, stop, ...how), signal),
    snapshot: (run, signal, ...how) => read((reader, stop) => reader.snapshot(run, stop, ...how), signal),
    isReadable: () => standbys.some(({ head }) => head() !== undefined),
    head: () =>
      standbys.map(({ head }) => head()).reduce((a, b) => (a === undefined || (b !== undefined && comparePositions(b, a) > 0) ? b : a)),
    onHead(notice) {
      listeners.add(notice)
      return () => listeners.delete(notice)
    },
    pick: () => least()?.config,
    figures: () => standbys.map(({ figures }) => figures()),
    loads: () => standbys.map(({ load }) => load()),
    async close() {
      await Promise.all([primaryWatch.close(), ...standbys.map(({ close }) => close())])
    },
  }
}
