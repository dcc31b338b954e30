import { TOPICS } from '../../server/index/topics/registry.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer } from '../kit/index/database.ts'
import { createRecordedSource } from '../kit/index/recorded-source.ts'
import { serverTime } from './backfill/processor-time.ts'
import type { Bench } from './bench.ts'
import { openRecorded } from './recorded-session.ts'

/* What one machine carries: figures of server/README.md, Sizes and rates. */

const WARM_UPS = 20
const ROUNDS = 20
/** Processor time of a transaction: of our process with its threads, and of PostgreSQL. Blocks are derived with actions and written to an index of their own. */
const transactionCost: NonNullable<Bench['measure']> = async () => {
  const server = await startTestServer()
  const tvm = createTestTvm({ workers: 1 })
  const recorded = await createRecordedSource(new AbortController().signal)
  let [ours, theirs, count] = [0, 0, 0]
  try {
    for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
      const database = await server.database()
      const session = await openRecorded(recorded, database, TOPICS, tvm)
      const [used, before] = [process.cpuUsage(), serverTime(server.pid)]
      await session.run()
      const { user, system } = process.cpuUsage(used)
      const after = serverTime(server.pid)
      await session.close()
      if (round < WARM_UPS) continue
      const [row] = await server.run<{ count: string }>(database, 'select count(*) from transactions')
      ours += user + system
      theirs += (after - before) * 1000
      count += Number(row!.count)
    }
  } finally {
    await tvm.close()
    await server.close()
  }
  console.log(`of a transaction: ${(ours / count).toFixed(0)} us in this process, ${(theirs / count).toFixed(0)} us in PostgreSQL`)
  return { ours: (ours + theirs) / count, yardstick: theirs / count, ratio: (ours + theirs) / count, unit: 'us cpu' }
}

export const benches: readonly Bench[] = [
  {
    name: 'index: processor time of a transaction of mainnet with all that follows from it, ours and of that PostgreSQL',
    target: { atMost: 3_000, unit: 'us cpu' },
    measure: transactionCost,
  },
]
