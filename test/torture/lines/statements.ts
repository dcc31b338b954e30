import { once } from 'node:events'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import { CHAIN_TABLES } from '../../../server/store/schema/tables.ts'
import { type Dump, differences, dump, indexUpTo } from '../../index/kit.ts'
import { type Stumble, stumblingConnect } from '../../index/stumble.ts'
import { createTally, makeTallyTables } from '../../index/tally.ts'
import { createReplaySource } from '../../kit/chain/replay-source.ts'
import { startTestServer } from '../../kit/index/database.ts'
import type { Line, Scene } from '../line.ts'

/* Recorded blocks of mainnet are indexed, and one SQL statement fails. Afterwards all tables equal those of an undisturbed run. */

const BLOCKS = 52
/** SQL statements of such a run, over all connections. */
const STATEMENTS = 234
const WAYS = ['before', 'after', 'cut', 'drop'] as const satisfies readonly Stumble[]

/** The recorded chain, each head only after the one before it has been indexed. */
const openSource = (): LiteServer => {
  const { query, store } = createReplaySource(BLOCKS)
  const heads = store.index.filter(({ workchain }) => workchain === -1).sort((a, b) => a.seqno - b.seqno)
  return {
    query,
    async *heads(signal) {
      for (const row of heads) yield { id: store.idOf(row), utime: row.gen_utime, epoch: 0 }
      if (!signal.aborted) await once(signal, 'abort')
    },
  }
}

const open = async (): Promise<Scene> => {
  const topics = [...TOPICS, createTally()]
  const server = await startTestServer()
  const database = await server.database()
  await makeTallyTables(server, database)
  const source = openSource()
  const tables = [...CHAIN_TABLES, ...topics.flatMap((each) => each.tables)].map(({ name }) => name).join(', ')
  const run = async (way: Stumble, at: number): Promise<{ readonly rows: Dump; readonly statements: number }> => {
    await server.run(database, `truncate ${tables}, index_checkpoint, published_head`)
    const stumbling = stumblingConnect(way, at)
    await indexUpTo(source, database, BLOCKS, { open: stumbling.open, patience: 1, topics })
    return { rows: await dump(database, topics), statements: stumbling.count() }
  }
  try {
    const undisturbed = await run('before', -1)
    if (undisturbed.statements !== STATEMENTS)
      throw new Error(`the run has ${undisturbed.statements} statements, not ${STATEMENTS}: the line has to be renewed`)
    return {
      async round(number) {
        const way = WAYS[number % WAYS.length]!
        const at = Math.floor(number / WAYS.length) + 1
        const found = differences((await run(way, at)).rows, undisturbed.rows)
        if (found.length > 0) throw new Error(`statement ${at} failed (${way}): ${found.join('; ')}`)
      },
      finish: () => Promise.resolve(),
      close: () => server.close(),
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

export const STATEMENTS_LINE: Line = {
  what: `each SQL statement of ${BLOCKS} blocks fails: before the server takes it, after, by a cut connection, by a lost answer`,
  perScene: 100,
  quick: 1,
  total: STATEMENTS * WAYS.length,
  open,
}
