import { type CompiledQuery, isCompilable, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { TonError } from '../../../shared/errors.ts'
import {
  type Ask,
  type AskShards,
  type Compilable,
  createBuilder,
  createReader,
  type Reader,
  type ReaderOptions,
  type Spread,
} from '../postgres/pool.ts'
import { createNodeStatements, type NodeStatements } from './node-statements.ts'
import { type Node, type Place, SHARD_MAP, type ShardMap, shardMapOf } from './shard-map.ts'

/*
 * Reads of a Citus cluster that ask its nodes themselves. By the coordinator a statement is planned there, sent to each shard as text, and parsed and planned there again: with
 * eight shards that takes five milliseconds of processor time. A node that is asked for all of its shards in one prepared statement takes a tenth of it.
 */

/** Nodes whose shards are known. */
interface Known {
  readonly version: string
  readonly readers: readonly Reader[]
  readonly statementsAt: NodeStatements['at']
  /** Where rows of a statement with some values of the distribution column can be; undefined: all values. */
  placesOf(text: string, values: readonly Uint8Array[] | undefined): readonly Place[]
}

interface Nodes {
  /** What can be read now; undefined before the nodes are known, or while one of them cannot be reached. */
  now(): Known | undefined
  /** The nodes are not read before it is known anew where shards are. */
  doubt(of: Known): void
  close(): Promise<void>
}

/** A read asks every node, so of a large cluster the coordinator is asked. */
const MOST_NODES = 8
/** Milliseconds between two looks at a cluster that cannot be used. */
const AGAIN_MS = 10_000

/** Settings of the same database at a node; undefined if the coordinator's do not tell. */
const configOf = (config: ClientConfig, { host, port }: Node): ClientConfig | undefined => {
  if (config.connectionString === undefined) return { ...config, host, port }
  if (!URL.canParse(config.connectionString)) return undefined
  const url = new URL(config.connectionString)
  url.hostname = host
  url.port = String(port)
  return { ...config, connectionString: url.href }
}

/** A node with its connections. */
interface Open {
  readonly node: Node
  readonly reader: Reader
}

const ALIVE = sql`select 1`.compile(createBuilder())

/** `coordinator` reads what the coordinator knows of its nodes. */
const createNodes = (config: ClientConfig, options: ReaderOptions, coordinator: Pick<Reader, 'rows'>): Nodes => {
  const ending = new AbortController()
  const { signal } = ending
  let present: Known | undefined
  let open: readonly Open[] = []
  let looking: Promise<void> | undefined
  /** When it was looked last (performance.now()). */
  let looked = Number.NEGATIVE_INFINITY

  const closeAll = async (some: readonly Open[]): Promise<void> => {
    await Promise.all(some.map(({ reader }) => reader.close()))
  }

  const connect = (map: ShardMap): readonly Open[] | undefined => {
    const configs = map.nodes.map((node) => configOf(config, node))
    if (map.nodes.length > MOST_NODES || configs.some((each) => each === undefined)) return undefined
    return map.nodes.map((node, i) => ({ node, reader: createReader(configs[i]!, { ...options, isNode: true }) }))
  }

  /** What can be read of nodes. The texts of their statements are made once. */
  const known = (map: ShardMap, readers: readonly Open[]): Known => {
    const statements = createNodeStatements(map.nodes)
    const all = readers.map((_, node) => ({ node }))
    return {
      version: map.version,
      readers: readers.map(({ reader }) => reader),
      statementsAt: statements.at,
      placesOf(text, values) {
        const table = statements.tableOf(text)
        return values === undefined || table === undefined ? all : map.placesOf(table, values)
      },
    }
  }

  const look = async (): Promise<void> => {
    const map = shardMapOf(await coordinator.rows(SHARD_MAP, signal))
    const next = map && connect(map)
    if (next === undefined) return
    try {
      // A node that cannot be reached from here is found now, and no read waits for it.
      await Promise.all(next.map(({ reader }) => reader.rows(ALIVE, signal)))
    } catch (error) {
      await closeAll(next)
      throw error
    }
    const before = open
    open = next
    present = known(map!, next)
    await closeAll(before)
  }

  return {
    now() {
      if (present === undefined && looking === undefined && performance.now() - looked > AGAIN_MS) {
        looked = performance.now()
        looking = look()
          .catch(() => {})
          .finally(() => {
            looking = undefined
          })
      }
      return present
    },
    doubt(of) {
      if (present === of) present = undefined
    },
    async close() {
      ending.abort()
      await looking
      await closeAll(open)
    },
  }
}

/** Holds one connection of each node that is asked, from its first statement until `end`. Statements that are not awaited in between go together. */
const session = (known: Known, signal: AbortSignal) => {
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const holdAt = (i: number): Promise<Ask> =>
    new Promise((resolve, reject) => {
      const hold = async (rows: Ask): Promise<void> => {
        resolve(rows)
        await ended
      }
      known.readers[i]!.snapshot(hold, signal, 'checks').catch(reject)
    })
  const held: (Promise<Ask> | undefined)[] = []
  const rows = async <R>(
    query: Compilable<R> | CompiledQuery<R>,
    planned?: 'once' | 'each',
    values?: readonly Uint8Array[],
  ): Promise<R[]> => {
    const compiled = isCompilable(query) ? query.compile() : query
    const statements = known.statementsAt(known.placesOf(compiled.sql, values), compiled, values)
    const all = await Promise.all(
      statements.map(async (statement) => {
        held[statement.node] ??= holdAt(statement.node)
        const ask = await held[statement.node]!
        return await ask<R>(statement.query, planned)
      }),
    )
    return all.length === 1 ? all[0]! : all.flat()
  }
  return { rows, end }
}

/** A reader. Of a Citus cluster it also asks the nodes themselves, for reads that find out by themselves whether something was written meanwhile. */
export const createSpreadReader = (config: ClientConfig, options: ReaderOptions): Reader => {
  const reader = createReader(config, options)
  const nodes = createNodes(config, options, reader)
  const spreadOf = (known: Known, signal: AbortSignal): Spread & { end(): void } => {
    const { rows, end } = session(known, signal)
    const doubt = (): void => nodes.doubt(known)
    let isOver = false
    const ask: AskShards = async (query, planned, values) => {
      if (isOver) throw new Error('the read has ended')
      try {
        return await rows(query, planned, values)
      } catch (error) {
        const isOwn = error instanceof TonError && error.kind === 'SOURCE_TIMEOUT'
        // A read that is torn ends while its statements run: they tell nothing of the nodes.
        if (!isOver && !signal.aborted && !isOwn) doubt()
        throw error
      }
    }
    return {
      version: known.version,
      rows: ask,
      doubt,
      end() {
        isOver = true
        end()
      },
    }
  }
  return {
    ...reader,
    snapshot: (run, signal, by) =>
      reader.snapshot(
        async (rows, seen, loose) => {
          const known = loose && nodes.now()
          if (known === undefined) return await run(rows, seen, loose)
          const spread = spreadOf(known, signal)
          try {
            return await run(rows, seen, { spread })
          } finally {
            spread.end()
          }
        },
        signal,
        by,
      ),
    async close() {
      await nodes.close()
      await reader.close()
    },
  }
}
