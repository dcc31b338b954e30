import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../../../server/base/answer.ts'
import { systemClock } from '../../../server/base/clock.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { Endpoint } from '../../../server/chain/endpoint/server.ts'
import { globalConfig } from '../../../server/chain/endpoint/write-global-config.ts'
import { createCache } from '../../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../../server/dispatch/pipeline.ts'
import type { Dispatch, Outcome } from '../../../server/dispatch/types.ts'
import { createReader, type Reader } from '../../../server/store/postgres/reader.ts'
import { createV2Handlers } from '../../../server/v2/index.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { type Result, registry } from '../../../shared/registry.ts'
import { type Dump, differences, dump, indexUpTo } from '../../index/kit.ts'
import { createReplaySource } from '../../kit/chain/replay-source.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { checkLinks, checkProof, idOf } from '../../kit/check-proof.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { post, type RpcReply, rpcRequest } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'
import { until } from '../../kit/wait.ts'
import { serve } from './kit.ts'

/*
 * The first two hundred masterchain blocks of mainnet, from files behind an ADNL endpoint: a service that knows the network by a global config
 * alone follows them from the zerostate, every head by its validators' signatures, and answers as one that reads the files itself.
 */

const LAST = 199
const signal = AbortSignal.timeout(240_000)

describe('mainnet from files, followed over a socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  const tvm = createTestTvm({ workers: 1 })
  let source: ReturnType<typeof createReplaySource>
  let endpoint: Endpoint
  let follower: Tonway
  let database: TestServer
  let files: ClientConfig
  let reader: Reader
  let chain: Chain
  let dispatch: Dispatch

  beforeAll(async () => {
    source = createReplaySource(LAST)
    // The follower meets the chain on its way.
    source.store.setHead(90)
    endpoint = await serve(source)
    const config = JSON.parse(await globalConfig(source, endpoint, signal)) as {
      validator: Record<string, unknown>
    }
    const fromZero = { ...config, validator: { ...config.validator, init_block: config.validator['zero_state'] } }
    const file = join(folder, 'global.config.json')
    writeFileSync(file, JSON.stringify(fromZero))
    database = await startTestServer()
    const url = (await database.database()).connectionString
    follower = await startTonway({ network: ['files'], globalConfig: file, index: true, ...(url !== undefined && { databaseUrl: url }) })

    files = await database.database()
    source.store.setHead(LAST)
    await indexUpTo(source, files, LAST, { tvm })
    chain = createChain({ source, tvm })
    reader = createReader(files, { connections: 4, statementTimeout: 30_000 })
    const v2 = createV2Handlers({ chain, tvm, now: systemClock.now })
    const cache = { entries: 1_000, bytes: 1 << 24 }
    dispatch = createDispatch({
      methods: registry,
      handlers: { ...answering(v2), ...createV3Handlers({ reader, v2 }) },
      head: () => chain.head(),
      headCache: createCache<Outcome>(cache),
      finalCache: createCache<Outcome>(cache),
    })
    await follower.app.network.index!.reached(LAST, signal)
    await until(() => follower.app.network.chain.head().id.seqno === LAST)
  }, 240_000)
  afterAll(async () => {
    await follower?.close()
    await endpoint?.close()
    await reader?.close()
    await database?.close()
    await tvm.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const ours = async (method: string, params: object): Promise<unknown> => {
    const { result, error } = (await post<RpcReply>(`${follower.url}/jsonRPC`, rpcRequest(method, params))).body
    return error ? { error: error.message } : result
  }
  const fromFiles = async (method: string, params: object): Promise<unknown> => {
    const call = { network: 'files', signal, requestId: '1', log: silentLog, localAllowed: false }
    const outcome = await dispatch(method, params, call)
    return outcome.ok ? JSON.parse(outcome.json) : { error: outcome.error.message }
  }

  it('every head is proven from the zerostate, and no server was caught lying', async () => {
    const { servers, key_block } = follower.app.network.pool!.status()
    expect(servers).toMatchObject([{ state: 'ready', faults: 0, seqno: LAST }])
    // There is no key block among these: the signatures are those of the zerostate's validators.
    expect(key_block).toBe(0)
    // Its last block is there before it says that it has no more to catch up with.
    await expect.poll(() => follower.app.network.index!.status()).toMatchObject({ phase: 'following', seqno: LAST, error: '' })
  })

  it('every row of the index over ADNL equals that of the files', async () => {
    const { index_checkpoint: _, ...followed } = await dump(follower.app.network.index!.connection()!)
    const { index_checkpoint: __, ...read } = await dump(files)
    expect(differences(followed as Dump, read as Dump)).toEqual([])
    expect(followed.transactions.length).toBe(2187)
  })

  const elector = `-1:${'3'.repeat(64)}`
  const master = { workchain: -1, shard: '-9223372036854775808' }

  it.each([
    ['getMasterchainInfo', {}],
    ['getAddressInformation', { address: elector }],
    ['getExtendedAddressInformation', { address: elector }],
    ['getAddressInformation', { address: elector, seqno: 120 }],
    ['getAddressBalance', { address: `-1:${'5'.repeat(64)}` }],
    ['getTransactions', { address: elector, limit: 20 }],
    ['getConfigParam', { config_id: 34 }],
    ['getConfigAll', {}],
    ['shards', { seqno: 150 }],
    ['lookupBlock', { ...master, seqno: 77 }],
    ['lookupBlock', { ...master, seqno: 999 }],
    ['getBlockHeader', { ...master, seqno: 150 }],
    ['getBlockTransactions', { ...master, seqno: 150 }],
    ['getBlockTransactionsExt', { ...master, seqno: 150 }],
    ['getMasterchainBlockSignatures', { seqno: 150 }],
    ['runGetMethod', { address: elector, method: 'active_election_id', stack: [] }],
    ['runGetMethod', { address: elector, method: 'participant_list', stack: [] }],
  ])('v2 over ADNL answers as the files do: %s %o', async (method, params) => {
    const expected = await fromFiles(method, params)
    expect(expected).toBeDefined()
    expect(await ours(method, params)).toEqual(expected)
  })

  it.each([
    ['v3.masterchainInfo', {}],
    ['v3.blocks', { limit: 100, sort: 'asc' }],
    ['v3.masterchainBlockShardState', { seqno: 120 }],
    ['v3.masterchainBlockShards', { seqno: 120 }],
    ['v3.transactions', { limit: 200 }],
    ['v3.transactions', { account: [elector], limit: 50 }],
    ['v3.transactionsByMasterchainBlock', { seqno: 120 }],
    ['v3.messages', { limit: 200 }],
    ['v3.accountStates', { address: [elector] }],
    ['v3.topAccountsByBalance', { limit: 100 }],
    ['v3.traces', { limit: 50 }],
    ['v3.addressInformation', { address: elector }],
    ['v3.runGetMethod', { address: elector, method: 'active_election_id', stack: [] }],
  ])('v3 over ADNL answers as the files do: %s %o', async (method, params) => {
    const expected = await fromFiles(method, params)
    expect(expected).not.toHaveProperty('error')
    expect(await ours(method, params)).toEqual(expected)
  })

  it('lists with proofs of mainnet are proven from the zerostate on, by its own validators', async () => {
    const id = async (seqno: number) => {
      const { rootHash, fileHash } = seqno > 0 ? await chain.pin(seqno, signal) : (await chain.masterchainInfo(signal)).init
      return { seqno, root_hash: Buffer.from(rootHash).toString('base64'), file_hash: Buffer.from(fileHash).toString('base64') }
    }
    const head = (await ours('v3.blockProof', await id(0))) as Result<'v3.blockProof'>
    expect(head).toMatchObject({ complete: true, to: await id(LAST) })
    checkLinks(head.steps, idOf(head.from), idOf(head.to), false)
    const pages = [
      ['from_newest', { account: [elector], limit: 50 }],
      ['none', { limit: 60 }],
      ['block', { workchain: -1, shard: '8000000000000000', seqno: 150, limit: 100 }],
    ] as const
    for (const [complete, params] of pages) {
      const { proof, transactions } = (await ours('v3.transactions', { ...params, proofs: true })) as Result<'v3.transactions'>
      const shown = checkProof(proof!, idOf(head.to))
      expect([proof!.complete, transactions.length > 0]).toEqual([complete, true])
      expect(transactions.map(({ hash }) => hash)).toEqual(shown.transactions.map(({ cell }) => cell.hash().toString('base64')))
    }
  })
})
