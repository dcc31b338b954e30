import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import { joinAbort } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import type { PoolFigures, ReplicaFigures } from '../../metrics/figures.ts'
import { errorCode, isConnectionLoss } from '../postgres/faults.ts'
import { createReader, type Reader, type ReaderOptions } from '../postgres/reader.ts'
import { BehindError, type ChainPosition, comparePositions, type Floor } from './floor.ts'
import { replicaAddress } from './replica-address.ts'
import { type Standby, type StandbyAddress, watchStandbys } from './standbys.ts'

/* Sends reads to the replicas of a primary. The primary is read only if no replica can be read. All statements of one answer go to one server. */

export interface ReplicasOptions extends Pick<ReaderOptions, 'connections' | 'slow'> {
  readonly addresses: readonly StandbyAddress[]
  /** Connection settings and reader of the primary; undefined while the primary is not open. */
  readonly primary: () => { readonly connection: ClientConfig; readonly reader: Pick<Reader, 'rows' | 'snapshot'> } | undefined
  readonly floor: Floor
  readonly log: Log
  readonly maxLag?: number | undefined
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

const isLost = (error: unknown): boolean => error instanceof TonError && error.kind === 'UNAVAILABLE' && isConnectionLoss(error.cause)

const NOT_THERE = new Set(['42P01', '42703', '42883'])

/** Returns whether a server lacks a table, a column or a function. A replica may not have replayed a migration of its primary yet. */
const lacksTable = (error: unknown): boolean => NOT_THERE.has(errorCode(error))

const NOT_MIGRATED = 'no replica of the database has replayed the migration of its primary yet'

interface Member {
  readonly standby: Standby
  /** `at`: the reader's connection settings as JSON. If the settings change, a new reader is created. */
  reader: { readonly at: string; readonly reader: Reader } | undefined
  readonly running: Set<ReturnType<typeof joinAbort>>
}

/** Aborts the reads on a replica that does not answer. Another replica runs them again. */
const GONE = new TonError('UNAVAILABLE', 'the connection to the database was lost', {
  cause: new Error('Connection terminated'),
  retryAfter: 1,
})

const newest = (members: readonly Member[]): ChainPosition | undefined =>
  members
    .filter(({ standby }) => standby.state() === 'in use')
    .map(({ standby }) => standby.head())
    .reduce((a, b) => (a === undefined || (b !== undefined && comparePositions(b, a) > 0) ? b : a), undefined)

const NONE: ReadonlySet<Member> = new Set()

type Work<T> = (reader: Pick<Reader, 'rows' | 'snapshot'>, signal: AbortSignal) => Promise<T>

const createReplicas = ({ addresses, primary, floor, connections, slow, log, maxLag }: ReplicasOptions): Replicas => {
  const standbys = watchStandbys({ addresses, primary: () => primary()?.connection, log, maxLag })
  const members = standbys.all.map((standby): Member => ({ standby, reader: undefined, running: new Set() }))
  standbys.onChange(() => {
    for (const { standby, running } of members) if (standby.state() === 'away') for (const each of running) each.abort(GONE)
  })
  const closing: Promise<void>[] = []

  const readerOf = (member: Member): Reader => {
    const config = member.standby.config()!
    const at = JSON.stringify(config)
    if (member.reader?.at !== at) {
      if (member.reader) closing.push(member.reader.reader.close().catch(() => {}))
      member.reader = { at, reader: createReader(config, { connections, slow }) }
    }
    return member.reader.reader
  }

  const isAsFar = ({ standby }: Member): boolean => {
    const [head, least] = [standby.head(), floor.at()]
    return head !== undefined && (least === undefined || comparePositions(head, least) >= 0)
  }
  const usable = (): Member[] => members.filter((member) => member.standby.state() === 'in use' && isAsFar(member))
  let turn = 0
  /** The usable replica with the fewest running reads, except those in `but`. Among equals the choice rotates. */
  const least = (but: ReadonlySet<Member> = NONE): Member | undefined => {
    const all = usable().filter((member) => !but.has(member))
    turn++
    return all.reduce<Member | undefined>((best, _, i) => {
      const member = all[(turn + i) % all.length]!
      return best && best.running.size <= member.running.size ? best : member
    }, undefined)
  }

  const onMember = async <T>(member: Member, work: Work<T>, signal: AbortSignal): Promise<T> => {
    const leaving = joinAbort(signal)
    member.running.add(leaving)
    try {
      const answer = await work(readerOf(member), leaving.signal)
      const head = floor.at()
      if (head !== undefined) member.standby.reached(head)
      return answer
    } catch (error) {
      if (error instanceof BehindError) member.standby.suspect()
      else if (isLost(error)) member.standby.fail((error as TonError).cause)
      throw error
    } finally {
      leaving.release()
      member.running.delete(leaving)
    }
  }

  const read = async <T>(work: Work<T>, signal: AbortSignal): Promise<T> => {
    const until = performance.now() + PATIENCE
    let failure: unknown
    /** Replicas that have not replayed a migration yet. */
    const older = new Set<Member>()
    for (let lost = 0; lost < TRIES; ) {
      signal.throwIfAborted()
      const member = least(older)
      const other = member === undefined ? primary()?.reader : undefined
      if (member === undefined && other === undefined) {
        if (performance.now() > until || older.size === members.length) break
        await sleep(BETWEEN, undefined, { signal }).catch(() => signal.throwIfAborted())
        continue
      }
      try {
        return await (member ? onMember(member, work, signal) : work(other!, signal))
      } catch (error) {
        failure = error
        if (signal.aborted || member === undefined) throw error
        if (isLost(error)) lost++
        else if (lacksTable(error)) older.add(member)
        else throw error
      }
    }
    if (older.size > 0) throw new TonError('UNAVAILABLE', NOT_MIGRATED, { retryAfter: 1, cause: failure })
    throw failure ?? new TonError('UNAVAILABLE', 'no replica of the database can be read', { retryAfter: 1 })
  }

  return {
    rows: (query, signal) => read((reader, stop) => reader.rows(query, stop), signal),
    snapshot: (run, signal, isShort) => read((reader, stop) => reader.snapshot(run, stop, isShort), signal),
    isReadable: () => members.some(({ standby }) => standby.state() === 'in use'),
    head: () => newest(members),
    onHead: standbys.onChange,
    pick: () => least()?.standby.config(),
    figures: () => standbys.all.map((standby) => standby.figures()),
    loads: () => members.map(({ reader }) => reader?.reader.load?.()),
    async close() {
      await standbys.close()
      await Promise.all([...closing, ...members.map(({ reader }) => reader?.reader.close())])
    },
  }
}

export const openReplicas = ({
  urls,
  suffix,
  ...options
}: Omit<ReplicasOptions, 'addresses'> & { readonly urls: readonly string[]; readonly suffix: string | undefined }): Replicas | undefined =>
  urls.length === 0 ? undefined : createReplicas({ ...options, addresses: urls.map((url) => replicaAddress(url, suffix)) })
