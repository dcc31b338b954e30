import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { IndexStatus } from '../../metrics/figures.ts'
import type { Database } from '../../store/postgres/database-server.ts'
import { databaseFault } from '../../store/postgres/faults.ts'
import { createSlowQueries } from '../../store/postgres/slow-statements.ts'
import { openStore, type Store } from '../../store/store.ts'
import { type Pulse, startPulse } from './database-pulse.ts'
import { createIndexer, type Indexer, type IndexerDeps, type IndexPart } from './indexer.ts'
import { createIndexReader } from './replica-or-primary.ts'
import { createStatusBoard, STARTING } from './status.ts'

export interface IndexServiceOptions
  extends Pick<IndexerDeps, 'source' | 'network' | 'log'>,
    Required<Pick<IndexerDeps, 'reverts' | 'isTransient' | 'tvm'>> {
  readonly database: Database
  readonly suffix: string | undefined
  readonly connections: number
  readonly replicaUrls?: readonly string[]
  readonly part?: IndexPart
  readonly slowQuery?: number | undefined
}

const FIRST_PAUSE = 1_000
const MAX_PAUSE = 30_000

export const createIndexService = ({
  database,
  suffix,
  connections,
  replicaUrls = [],
  part,
  slowQuery = 0,
  ...indexing
}: IndexServiceOptions) => {
  const { log } = indexing
  let store: Store | undefined
  let pulse: Pulse | undefined
  const { published, head, close, ...index } = createIndexReader({
    replicaUrls,
    suffix,
    connections,
    slowQuery,
    log,
    primary: () => store && { connection: store.connection, reader: store },
    status: () => status(),
  })
  const stopping = new AbortController()
  const board = createStatusBoard(stopping.signal, published)
  const stopped = (): boolean => stopping.signal.aborted
  const ended = new Promise<undefined>((resolve) => stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }))

  /** Opens the database again after it is lost or fails to open. The pause doubles after each failed attempt. */
  const run = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE; !stopped(); pause = Math.min(pause * 2, MAX_PAUSE)) {
      let opened: Store | undefined
      let indexer: Indexer | undefined
      let failure: Partial<IndexStatus> = {}
      try {
        opened = await openStore({ database, suffix, connections, signal: stopping.signal, slow: createSlowQueries(slowQuery, log) })
        if (stopped()) return
        board.update(STARTING)
        store = opened
        indexer = createIndexer({ ...indexing, ...part, connection: opened.connection, board })
        log.info('index.started', { database: opened.what })
        pulse = startPulse(opened)
        const lost = await Promise.race([opened.lost, ended])
        if (stopped()) return
        if (lost !== undefined) failure = { phase: 'failing', error: lost, cause: 'the database has ended, and is started again' }
        log.error('index.database_lost', { text: lost })
        pause = FIRST_PAUSE
      } catch (error) {
        if (stopped()) return
        const text = error instanceof Error ? error.message : String(error)
        const cause = databaseFault(error) ?? ''
        if (text !== board.status().error) log.error('index.unavailable', { text, ...(cause !== '' && { cause }) })
        log.debug('index.unavailable', { err: error, seconds: pause / 1000 })
        failure = { phase: 'failing', error: text, cause }
      } finally {
        pulse?.stop()
        pulse = undefined
        await indexer?.close()
        store = undefined
        await opened?.close().catch((err: unknown) => log.warn('index.close_failed', { err }))
      }
      if (stopped()) return
      board.update({ ...STARTING, ...failure })
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  const status = (): IndexStatus => {
    const own = board.status()
    if (store === undefined) return { ...own, seqno: head()?.seqno ?? own.seqno }
    const silence = pulse?.silence()
    return silence === undefined || own.error !== '' ? own : { ...own, error: silence, cause: silence }
  }

  return {
    ...index,
    /** For /status. `phase` is `starting` until the database answers. */
    status: (): IndexStatus & { readonly database: string } => ({ ...status(), database: store?.what ?? '' }),
    /** Settings for connections to the current database, which is writable unless it is a standby; undefined if there is no database. */
    connection: (): ClientConfig | undefined => store?.connection,
    reached: board.reached,
    async close(): Promise<void> {
      stopping.abort(new Error('the index is stopped'))
      await running
      await close()
    },
  }
}
