import type { ClientConfig } from 'pg'
import { createIndexThread } from '../../../server/index/thread/thread.ts'
import { backfillUpTo, indexUpTo } from '../../index/kit.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { startTestServer } from '../../kit/index/database.ts'
import type { Bench } from '../bench.ts'
import { serverTime } from './processor-time.ts'

/* `tonway backfill`: processor time of two that derive ranges, against one process that indexes block after block. */

const ACCOUNTS = 400
const TRANSFERS = 6_000
/** Transfers of a masterchain block. */
const AT_ONCE = 20
const ROUNDS = 5
const { signal } = new AbortController()

/** Processor time of a transaction, ours and PostgreSQL's. The chain answers in this process, so its work is counted on both sides. */
const twoAgainstOne: NonNullable<Bench['measure']> = async () => {
  const server = await startTestServer()
  const tvm = createTestTvm({ workers: 1 })
  const chain = await createTestChain(tvm)
  const threads = [createIndexThread(), createIndexThread()]
  try {
    const account = (i: number) => ({ workchain: 0, hash: Buffer.alloc(32, `account ${i % ACCOUNTS} `) })
    for (let i = 0; i < TRANSFERS; i += AT_ONCE) {
      const sent = Array.from({ length: AT_ONCE }, (_, k) => chain.control.fund(account((i + k) * 7), 100_000_000n, signal))
      await Promise.all(sent)
    }
    await chain.control.settled(signal)
    const to = chain.head!().id.seqno
    const spent = async (work: (database: ClientConfig) => Promise<unknown>): Promise<number> => {
      const database = await server.database()
      const [used, before] = [process.cpuUsage(), serverTime(server.pid)]
      await work(database)
      const { user, system } = process.cpuUsage(used)
      const [row] = await server.run<{ count: string }>(database, 'select count(*) from transactions')
      return (user + system + (serverTime(server.pid) - before) * 1000) / Number(row!.count)
    }
    const one = (database: ClientConfig) => indexUpTo(chain, database, to, { tvm, thread: threads[0]! })
    const size = Math.ceil(to / 4)
    const two = (database: ClientConfig) =>
      Promise.all(threads.map((thread) => backfillUpTo(chain, database, to, { size, tvm, thread, signal })))
    const costs: (readonly [number, number])[] = []
    for (let round = 0; round < ROUNDS + 2; round++) costs.push([await spent(two), await spent(one)])
    // The first rounds warm up.
    const [ours, yardstick] = costs.slice(2).reduce(([a, b], [c, d]) => [a + c / ROUNDS, b + d / ROUNDS], [0, 0])
    return { ours, yardstick, ratio: ours / yardstick, unit: 'us cpu' }
  } finally {
    for (const thread of threads) await thread.close()
    await chain.close()
    await tvm.close()
    await server.close()
  }
}

export const benches: readonly Bench[] = [
  {
    name: 'backfill: processor time of a transaction, two that derive ranges against one that indexes block after block',
    target: { atMost: 1.15 },
    measure: twoAgainstOne,
  },
]
