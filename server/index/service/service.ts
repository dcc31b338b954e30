import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { LiteServer } from '../../chain/liteserver.ts'
import type { IndexStatus } from '../../metrics/figures.ts'
import type { Database } from '../../store/postgres/database-server.ts'
import { databaseFault } from '../../store/postgres/faults.ts'
import { createSlowQueries } from '../../store/postgres/slow-statements.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { Tvm } from '../../tvm/tvm.ts'
import { type Pulse, startPulse } from './database-pulse.ts'
import { createIndexer, type Indexer } from './indexer.ts'
import type { IndexPart } from './options.ts'
import { createIndexReader, type IndexReader } from './replica-or-primary.ts'
import { STARTING } from './status.ts'

export interface IndexServiceOptions {
  readonly source: LiteServer
  readonly network: string
  readonly reverts: boolean
  /** True if the chain ends with its process. The next chain with the same network name may then discard this index. */
  readonly isTransient: boolean
  readonly database: Database
  readonly suffix: string | undefined
  readonly connections: number
  readonly replicaUrls?: readonly string[]
  readonly part?: IndexPart
  readonly slowQuery?: number | undefined
  readonly tvm: Pick<Tvm, 'runGetMethod'>
  readonly log: Log
}

export interface IndexService extends Pick<IndexReader, 'reader' | 'readable' | 'onHead' | 'replicas' | 'pool'> {
  /** For /status. `phase` is `starting` until the database answers. */
  status(): IndexStatus & { readonly database: string }
  /** Settings for connections to the current database, which is writable unless it is a standby; undefined if there is no database. */
  connection(): ClientConfig | undefined
  reached(seqno: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

const WELL = { error: '', cause: '' } as const

const FIRST_PAUSE = 1_000
const MAX_PAUSE = 30_000

export const createIndexService = ({
  source,
  network,
  reverts,
  isTransient,
  database,
  suffix,
  connections,
  replicaUrls = [],
  part,
  slowQuery = 0,
  tvm,
  log,
}: IndexServiceOptions): IndexService => {
  let store: Store | undefined
  let indexer: Indexer | undefined
  let pulse: Pulse | undefined
  let failure: Pick<IndexStatus, 'error' | 'cause'> = WELL
  const index = createIndexReader({
    replicaUrls,
    suffix,
    connections,
    slowQuery,
    log,
    primary: () => store && { connection: store.connection, reader: store },
    status: () => status(),
  })
  const stopping = new AbortController()
  const stopped = (): boolean => stopping.signal.aborted
  const ended = new Promise<undefined>((resolve) => stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }))

  /** Opens the database again after it is lost or fails to open. The pause doubles after each failed attempt. */
  const run = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE; !stopped(); pause = Math.min(pause * 2, MAX_PAUSE)) {
      let opened: Store | undefined
      try {
        opened = await openStore({ on: { database, suffix }, signal: stopping.signal, slow: createSlowQueries(slowQuery, log) })
        if (stopped()) return
        failure = WELL
        store = opened
        indexer = createIndexer({
          source,
          connection: opened.connection,
          network,
          tvm,
          log,
          ...part,
          reverts,
          isTransient,
          onPublished: index.published,
        })
        log.info('index.started', { database: opened.what })
        pulse = startPulse(opened)
        const lost = await Promise.race([opened.lost, ended])
        if (stopped()) return
        failure = { error: lost ?? '', cause: lost === undefined ? '' : 'the database has ended, and is started again' }
        log.error('index.database_lost', { text: lost })
        pause = FIRST_PAUSE
      } catch (error) {
        if (stopped()) return
        const text = error instanceof Error ? error.message : String(error)
        if (text !== failure.error) log.error('index.unavailable', { text })
        log.debug('index.unavailable', { err: error, seconds: pause / 1000 })
        failure = { error: text, cause: databaseFault(error) ?? '' }
      } finally {
        pulse?.stop()
        pulse = undefined
        await indexer?.close()
        indexer = undefined
        store = undefined
        await opened?.close().catch((err: unknown) => log.warn('index.close_failed', { err }))
      }
      if (stopped()) return
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  const status = (): IndexStatus => {
    const own = indexer?.status()
    if (own === undefined) {
      const seqno = index.head()?.seqno ?? STARTING.seqno
      return failure.error === '' ? { ...STARTING, seqno } : { ...STARTING, seqno, ...failure, phase: 'failing' }
    }
    const silence = pulse?.silence()
    return silence === undefined || own.error !== '' ? own : { ...own, error: silence, cause: silence }
  }

  return {
    reader: index.reader,
    readable: index.readable,
    onHead: index.onHead,
    replicas: index.replicas,
    pool: index.pool,
    status: () => ({ ...status(), database: store?.what ?? '' }),
    connection: () => store?.connection,
    async reached(seqno, signal) {
      for (;;) {
        signal.throwIfAborted()
        try {
          if (indexer !== undefined) return await indexer.reached(seqno, signal)
        } catch (error) {
          // A lost database closes its indexer. Then wait for the indexer of the next database.
          if (signal.aborted || stopped()) throw error
        }
        await sleep(10)
      }
    },
    async close() {
      stopping.abort()
      await running
      await index.close()
    },
  }
}
