import type { Indexer } from '../../../server/index/service/indexer.ts'
import { startIndexer } from '../../index/kit.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import type { Bench } from '../bench.ts'
import { startPair } from './pair.ts'

/* The index on a Citus cluster and on plain PostgreSQL. */

const { signal } = new AbortController()
const ACCOUNTS = 400
/** Transfers of a block. */
const AT_ONCE = 40
/** Blocks that are followed on each side, and those of them that are not counted. */
const FOLLOWED = 60
const FIRST = 10
/** Masterchain blocks of the history that is indexed at once. */
const HISTORY = 400
const PAIRS = 5

const account = (i: number) => ({ workchain: 0, hash: Buffer.alloc(32, `account ${i % ACCOUNTS} `) })

/** A chain whose blocks have 40 transfers each. */
const startChain = async () => {
  const tvm = createTestTvm({ workers: 1 })
  const chain = await createTestChain(tvm)
  let sent = 0
  return {
    chain,
    tvm,
    /** Makes a block of 40 transfers; returns its seqno. */
    async next(): Promise<number> {
      const made = await Promise.all(Array.from({ length: AT_ONCE }, () => chain.control.fund(account(sent++ * 7), 100_000_000n, signal)))
      return Math.max(...made.map(({ seqno }) => seqno))
    },
    async close() {
      await chain.close()
      await tvm.close()
    },
  }
}

const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** From the head of a block of 40 transactions to its rows, visible. */
const followed = async (url: string) => {
  const pair = await startPair(url)
  const made = await startChain()
  const [citus, plain] = [await pair.citus(), await pair.plain()]
  const taken = { citus: [] as number[], plain: [] as number[] }
  try {
    for (const [side, database] of [
      ['citus', citus],
      ['plain', plain],
    ] as const) {
      const indexer = startIndexer(made.chain, database, { tvm: made.tvm })
      try {
        await indexer.reached(made.chain.head!().id.seqno, AbortSignal.timeout(60_000))
        for (let i = 0; i < FOLLOWED; i++) {
          const seqno = await made.next()
          const start = performance.now()
          await indexer.reached(seqno, AbortSignal.timeout(60_000))
          if (i >= FIRST) taken[side].push(performance.now() - start)
        }
      } finally {
        await indexer.close()
      }
    }
  } finally {
    await made.close()
    await pair.close()
  }
  const [ours, yardstick] = [p50(taken.citus), p50(taken.plain)]
  return { ours, yardstick, ratio: ours, unit: 'ms' }
}

/**
 * A history of blocks of 40 transactions, indexed at once. A backfill goes on for hours, so the first quarter is not timed: there connections are opened, and each node
 * reads its catalogs.
 */
const backfilled: (url: string) => NonNullable<Bench['setup']> = (url) => async () => {
  const pair = await startPair(url)
  const { chain, tvm, next, close } = await startChain()
  for (let i = 0; i < HISTORY; i++) await next()
  const last = chain.head!().id.seqno
  let indexer: Indexer | undefined
  const finish = async (): Promise<void> => {
    try {
      await indexer!.reached(last, AbortSignal.timeout(110_000))
    } finally {
      await indexer!.close()
    }
  }
  return {
    async ready(side) {
      const database = await (side === 'ours' ? pair.citus() : pair.plain())
      indexer = startIndexer(chain, database, { tvm })
      await indexer.reached(Math.ceil(last / 4), AbortSignal.timeout(110_000))
    },
    ours: finish,
    yardstick: finish,
    async close() {
      await close()
      await pair.close()
    },
  }
}

export const writeBenches = (url: string): readonly Bench[] => [
  {
    name: 'index: following blocks of 40 transactions on a Citus cluster, beside plain PostgreSQL, p50',
    target: { atMost: 200, unit: 'ms' },
    measure: () => followed(url),
  },
  {
    name: `index: the last three quarters of ${HISTORY} blocks of 40 transactions at once on a Citus cluster, against plain PostgreSQL`,
    target: { atLeast: 0.6 },
    basis: 'wall',
    pairs: PAIRS,
    setup: backfilled(url),
  },
]
