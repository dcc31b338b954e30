import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import type { IndexStatus, PoolFigures, ReplicaFigures } from '../../metrics/figures.ts'
import { createPresentHead } from '../../store/head/head-in-memory.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { createSlowQueries } from '../../store/postgres/slow-statements.ts'
import { type ChainPosition, createFloor, type ReadableDatabase } from '../../store/replicas/floor.ts'
import { openReplicas } from '../../store/replicas/replicas.ts'
import { createLateReader, indexUnavailable } from './late-reader.ts'

export interface IndexReaderOptions {
  /** The database that the index is written to; undefined while it is not open. */
  readonly primary: () => { readonly connection: ClientConfig; readonly reader: Pick<Reader, 'rows' | 'snapshot' | 'load'> } | undefined
  /** Status of the index. `seqno` is negative while the primary has nothing to read. */
  readonly status: () => Pick<IndexStatus, 'seqno' | 'error' | 'cause'>
  /** URLs of the replicas. The network's database has the suffix `suffix` on them, as on the primary. */
  readonly replicaUrls: readonly string[]
  readonly suffix: string | undefined
  readonly connections: number
  /** Milliseconds from which a statement is logged; 0: never. */
  readonly slowQuery: number
  readonly log: Log
}

const sumOf = (pools: readonly (PoolFigures | undefined)[]): PoolFigures | undefined =>
  pools.reduce(
    (sum, each) =>
      sum && each ? { used: sum.used + each.used, idle: sum.idle + each.idle, waiting: sum.waiting + each.waiting } : (sum ?? each),
    undefined,
  )

export const createIndexReader = ({ primary, status, replicaUrls, suffix, connections, slowQuery, log }: IndexReaderOptions) => {
  const floor = createFloor()
  const slow = createSlowQueries(slowQuery, log)
  const replicas = openReplicas({ urls: replicaUrls, suffix, floor, connections, slow, log, primary })
  const readablePrimary = (): ReturnType<typeof primary> => (status().seqno >= 0 ? primary() : undefined)
  /**
   * The published head of the primary. Not used with replicas: they publish heads of their own, and the primary's head does not show which blocks they
   * have.
   */
  const head = replicas ? undefined : createPresentHead({ connection: () => primary()?.connection, floor })
  const present = (): Pick<Reader, 'rows' | 'snapshot'> => {
    if (replicas?.isReadable()) return replicas
    const found = readablePrimary()
    if (found === undefined) throw indexUnavailable(status())
    return found.reader
  }
  return {
    /** Reads the index. Throws UNAVAILABLE while no database can be read. */
    reader: createLateReader(present, floor, head),
    readable(): ReadableDatabase | undefined {
      const connection = replicas?.pick() ?? readablePrimary()?.connection
      return connection && { connection, floor }
    },
    /** Subscribes to changes of the head that readers see: of the replicas' heads, or without replicas of the database's head. */
    onHead: (notice: () => void) => (replicas ?? head!).onHead(notice),
    /** Records that this process has published or reverted to block `seqno`. Called before other processes are notified. */
    published: (seqno: number): void => head?.published(seqno),
    /** Newest head of the replicas; undefined without replicas. */
    head: (): ChainPosition | undefined => replicas?.head(),
    replicas: (): readonly ReplicaFigures[] | undefined => replicas?.figures(),
    pool: (): PoolFigures | undefined => sumOf([primary()?.reader.load?.(), ...(replicas?.loads() ?? [])]),
    async close(): Promise<void> {
      await Promise.all([replicas?.close(), head?.close()])
    },
  }
}
