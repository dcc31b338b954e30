import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { until } from '../../kit/wait.ts'
import { meaning } from '../kit.ts'
import { BREACHES, LIES, openLiar, SILENCES } from './byzantine.ts'
import { createTestPool, serve } from './kit.ts'

/* Behaviours of lite-servers x kinds of reads x sizes of pools, one server of which is honest: never a wrong answer, always the right one while it lives. */

const { signal } = new AbortController()
const noTvm = {
  runGetMethod: () => Promise.reject(new Error('no get-method is run here')),
  runTransaction: () => Promise.reject(new Error('no transaction is run here')),
}

type Read = (chain: Chain) => Promise<unknown>

export interface Grid {
  readonly kinds: readonly (readonly [string, Read])[]
  /** What went wrong, a line each: `behaviour, kind, servers: what`. */
  run(behaviour: string, servers: number, kinds?: number): Promise<readonly string[]>
}

export const BEHAVIOURS: readonly string[] = [...Object.keys(LIES), ...Object.keys(BREACHES)]
export const SILENT: readonly string[] = Object.keys(SILENCES)

/** The reads: of an account with a history, and of the blocks that it is in. */
const kindsOf = async (local: LocalChain): Promise<readonly (readonly [string, Read])[]> => {
  const { address } = local.control.wallets()[0]!
  const direct = createChain({ source: local, tvm: noTvm })
  const { transactions } = await direct.transactions(address, { from: undefined, limit: 1, toLt: 0n }, signal)
  const { block } = transactions[0]!
  const head = direct.head().id
  const page = { count: 20, after: undefined }
  const query = { from: undefined, limit: 3, toLt: 0n }
  return [
    ['an account', (chain) => chain.account(address, undefined, signal)],
    // Without the block ids beside them, which are the server's word.
    ['transactions', async (chain) => (await chain.transactions(address, query, signal)).transactions.map(({ hash }) => hash)],
    ['transactions of a block', (chain) => chain.blockTransactionIds(block, page, signal)],
    ['a header', (chain) => chain.blockHeader(block, signal)],
    ['a lookup', (chain) => chain.lookupBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 3 }, { seqno: true }, signal)],
    ['shards', (chain) => chain.shards(head, signal)],
    ['a parameter', (chain) => chain.config(undefined, signal)],
    ['whole transactions of a block', (chain) => chain.blockTransactions(block, page, signal)],
    ['signatures', (chain) => chain.signatures(head.seqno, signal)],
  ]
}

/** A grid over an embedded chain that makes no blocks by itself. */
export const createGrid = async (local: LocalChain): Promise<Grid> => {
  const kinds = await kindsOf(local)
  const direct = createChain({ source: local, tvm: noTvm })
  const truths = await Promise.all(kinds.map(async ([, read]) => meaning(await read(direct))))
  const older = (
    await local.query('lookupBlock', { id: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 2 }, by: { seqno: true } }, signal)
  ).id

  const run = async (behaviour: string, servers: number, count: number): Promise<readonly string[]> => {
    const silent = Object.hasOwn(SILENCES, behaviour)
    const lie = LIES[behaviour]
    const breach = BREACHES[behaviour] ?? SILENCES[behaviour]
    const liars = await Promise.all(
      Array.from({ length: servers === 1 ? 1 : servers - 1 }, () =>
        openLiar(local, older, { ...(lie && { lie }), ...(breach && { breach }) }),
      ),
    )
    const honest = servers === 1 ? undefined : await serve(local as LiteServer)
    // The time for which a server is set aside passes at once: each read meets all of them again.
    let leap = 0
    const clock = { now: () => Math.floor(Date.now() / 1000), ticks: () => performance.now() + leap }
    const endpoints = honest ? [...liars, honest] : liars
    const times = { packetMs: silent ? 1_000 : 10_000 }
    const pool = await createTestPool(local, endpoints, { attemptMs: silent ? 2_000 : 30_000, patienceMs: 300, times }, clock)
    const wrong: string[] = []
    try {
      await pool.ready(60_000)
      const chain = createChain({ source: pool, tvm: noTvm })
      for (const liar of liars) liar.begin()
      for (const [i, [kind, read]] of kinds.slice(0, count).entries()) {
        leap += 600_000
        const usable = () => pool.status().servers.every(({ trouble, seqno }) => trouble === null && seqno !== null)
        await until(usable)
        const told = await within(
          silent && servers === 1 ? 600 : 30_000,
          read(chain).then(meaning, (error: unknown) => error),
        )
        const say = (what: string): number => wrong.push(`${behaviour}, ${kind}, ${servers} servers: ${what}`)
        if (typeof told === 'string' && told !== truths[i]) say('a wrong answer')
        if (typeof told !== 'string' && honest) say(`no answer: ${told instanceof Error ? told.message : 'in time'}`)
      }
    } finally {
      pool.close()
      await honest?.close()
      for (const liar of liars) liar.close()
    }
    return wrong
  }
  return { kinds, run: (behaviour, servers, count = kinds.length) => run(behaviour, servers, count) }
}

const within = async <T>(ms: number, work: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
