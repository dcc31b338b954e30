import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { systemClock } from '../../../server/base/clock.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Endpoint } from '../../../server/chain/endpoint/server.ts'
import type { LitePool } from '../../../server/chain/lite/pool.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createV2Handlers } from '../../../server/v2/index.ts'
import { createReplayStore } from '../../kit/index/replay-store.ts'
import { meaning } from '../kit.ts'
import { createTestPool, serve } from './kit.ts'

/* The first two hundred masterchain blocks of mainnet, served over ADNL and followed from the zerostate by their validators' signatures. */

const { signal } = new AbortController()
const noTvm = {
  runGetMethod: () => Promise.reject(new Error('no get-method is run here')),
  runTransaction: () => Promise.reject(new Error('no transaction is run here')),
}

describe(`mainnet's first blocks over ADNL`, () => {
  let source: LiteServer
  let endpoint: Endpoint
  let pool: LitePool
  let keyBlock = 0
  beforeAll(async () => {
    const store = createReplayStore()
    keyBlock = Math.max(0, ...store.index.filter((row) => row.workchain === MASTERCHAIN && row.key_block).map(({ seqno }) => seqno))
    const answers = createAnswers({ store, tvm: noTvm, sendMessage: () => Promise.resolve(), clock: systemClock })
    source = { query: answers.query, heads: store.heads, head: store.head }
    endpoint = await serve(source)
    pool = await createTestPool(source, [endpoint], { init: { ...store.zeroState, shard: WHOLE_SHARD, seqno: 0 }, attemptMs: 10_000 })
  })
  afterAll(async () => {
    pool?.close()
    await endpoint?.close()
  })

  it('the head of mainnet’s first blocks is proven from the zerostate', async () => {
    await pool.ready(60_000)
    const status = pool.status()
    expect(status.servers[0]).toMatchObject({ faults: 0, seqno: source.head!().id.seqno })
    // There is no key block among the first ones: every signature is checked against the zerostate's validators.
    expect(status.key_block).toBe(keyBlock)
  })

  it('answers over ADNL equal those of the files, shards and their blocks included', async () => {
    const [remote, direct] = [createChain({ source: pool, tvm: noTvm }), createChain({ source, tvm: noTvm })]
    const head = direct.head().id
    const elector = { workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0x33) }
    for (const read of [
      (chain: typeof direct) => chain.masterchainInfo(signal),
      (chain: typeof direct) => chain.account(elector, undefined, signal),
      (chain: typeof direct) => chain.account(elector, 100, signal),
      async (chain: typeof direct) => (await chain.config(undefined, signal)).root,
      (chain: typeof direct) => chain.signatures(150, signal),
      async (chain: typeof direct) => {
        const shards = await chain.shards(head, signal)
        const blocks = shards.map(({ id }) => chain.blockTransactions(id, { count: 100, after: undefined }, signal))
        return [shards, await Promise.all(blocks)]
      },
    ])
      expect(meaning(await read(remote))).toBe(meaning(await read(direct)))
  })

  it('v2 answers the same from the servers as from the files', async () => {
    const chains = [source, pool].map((each) => createChain({ source: each, tvm: noTvm }))
    const [direct, remote] = chains.map((chain) => createV2Handlers({ chain, tvm: noTvm as unknown as Tvm })) as [Handlers, Handlers]
    const call = { network: 'copy', signal, requestId: 'test', localAllowed: false, log: silentLog }
    const shards = await chains[0]!.shards(chains[0]!.head().id, signal)
    const shard = shards[0]!.id
    const elector = { workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0x33) }
    const { lastTransLt } = await chains[0]!.account(elector, undefined, signal)
    expect(lastTransLt).toBeGreaterThan(0n)
    const calls: readonly [keyof Handlers, object][] = [
      ['getMasterchainInfo', {}],
      ['getAddressInformation', { address: elector }],
      ['getExtendedAddressInformation', { address: elector }],
      ['getWalletInformation', { address: elector }],
      ['getAddressBalance', { address: elector }],
      ['getAddressState', { address: { workchain: 0, hash: new Uint8Array(32).fill(0x11) } }],
      ['getShardAccountCell', { address: elector }],
      ['getTransactions', { address: elector, limit: 20, to_lt: 0n }],
      ['getTransactionsStd', { address: elector, limit: 20, to_lt: 0n }],
      ['getBlockHeader', { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 150 }],
      ['getBlockHeader', { workchain: 0, shard: shard.shard, seqno: shard.seqno }],
      ['getBlockTransactions', { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 3, count: 40 }],
      ['getBlockTransactionsExt', { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 3, count: 40 }],
      ['lookupBlock', { workchain: MASTERCHAIN, shard: WHOLE_SHARD, unixtime: 1_573_822_600 }],
      ['getShards', { seqno: 160 }],
      ['getMasterchainBlockSignatures', { seqno: 100 }],
      ['getShardBlockProof', { workchain: 0, shard: shard.shard, seqno: shard.seqno }],
      ['getConfigParam', { param: 34 }],
      ['getConfigAll', {}],
      ['getLibraries', { libraries: [new Uint8Array(32)] }],
    ]
    for (const [name, params] of calls) {
      const ask = (handlers: Handlers): Promise<unknown> =>
        (handlers[name] as (params: never, call: Call) => Promise<unknown>)(params as never, call)
      const [ours, theirs] = await Promise.all([ask(remote), ask(direct)])
      expect(theirs).toBeDefined()
      expect([name, JSON.stringify(ours)]).toEqual([name, JSON.stringify(theirs)])
    }
  })
})

type Handlers = ReturnType<typeof createV2Handlers>
