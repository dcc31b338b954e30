import { TOPICS } from '../../../server/index/topics/registry.ts'
import { CHAIN_TABLES } from '../../../server/store/schema/tables.ts'
import { type Dump, differences, dump, indexUpTo } from '../../index/kit.ts'
import { type Stumble, stumblingConnect } from '../../index/stumble.ts'
import { createTally, makeTallyTables } from '../../index/tally.ts'
import { createReplaySource, stepwise } from '../../kit/chain/replay-source.ts'
import { startTestServer } from '../../kit/index/database.ts'
import type { Line, Scene } from '../line.ts'

/* Recorded blocks of mainnet are indexed, and one SQL statement fails. Afterwards all tables equal those of an undisturbed run. */

const BLOCKS = 52
/** SQL statements of such a run, over all connections. */
const STATEMENTS = 337
const WAYS = ['before', 'after', 'cut', 'drop'] as const satisfies readonly Stumble[]

const open = async (): Promise<Scene> => {
  const topics = [...TOPICS, createTally()]
  const server = await startTestServer()
  const database = await server.database()
  await makeTallyTables(server, database)
  const source = stepwise(createReplaySource(BLOCKS), BLOCKS)
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
  // test/index/faults.slow.test.ts does the same with fewer blocks.
  quick: 0,
  total: STATEMENTS * WAYS.length,
  open,
}
