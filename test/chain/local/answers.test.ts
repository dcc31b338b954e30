import { Cell as CoreCell, Dictionary, loadAccount as loadCoreAccount, loadTransaction } from '@ton/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { parseBoc, parseBocRoot } from '../../../server/cell/boc.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import { type LiteArgs, type LiteFunction, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import { checkHeader } from '../../../server/chain/proofs/header.ts'
import { checkLookup } from '../../../server/chain/proofs/lookup.ts'
import { checkShardInfo } from '../../../server/chain/proofs/shards.ts'
import {
  checkBlockTransactions,
  checkBlockTransactionsExt,
  checkOneTransaction,
  checkTransactionChain,
} from '../../../server/chain/proofs/transactions.ts'
import { loadShardDescr } from '../../../server/tlb/block/shard-descr.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { readData } from '../../kit/data.ts'
import { createReplayStore, type ReplayStore } from '../../kit/index/replay-store.ts'

const { signal } = new AbortController()
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const account = (workchain: number, digit: string): AccountId => ({
  workchain,
  hash: Uint8Array.from(Buffer.from(digit.repeat(64), 'hex')),
})
const ELECTOR = account(MASTERCHAIN, '3')
const NOBODY = account(0, '1')

describe(`answers in the forms of ton's lite-server, from mainnet's first blocks`, () => {
  let store: ReplayStore
  let query: LiteServer['query']
  let masterId: (seqno: number) => BlockId
  const sent: Uint8Array[] = []
  beforeAll(() => {
    store = createReplayStore()
    query = createAnswers({
      store,
      tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
      sendMessage: async (boc) => {
        if (boc.length === 0) throw new Error('External message was not accepted')
        if (boc.length === 1) throw new LiteServerError(0, 'too early')
        sent.push(boc)
      },
      clock: { now: () => 1_573_823_000 },
    }).query
    masterId = (seqno) => store.idOf(store.index.find((row) => row.workchain === -1 && row.seqno === seqno)!)
  })
  const shardId = (): BlockId => store.idOf(store.index.find((row) => row.workchain === 0 && row.seqno === 100)!)
  const refused = <F extends LiteFunction>(fn: F, args: LiteArgs<F>, code: number, message: RegExp | string) =>
    expect(query(fn, args, signal)).rejects.toMatchObject({ name: 'LiteServerError', code, message })

  it('the embedded lite-server tells time, version and head', async () => {
    expect(await query('getTime', {}, signal)).toEqual({ now: 1_573_823_000 })
    expect(await query('getVersion', {}, signal)).toEqual({ mode: 0, version: 0x101, capabilities: 15n, now: 1_573_823_000 })
    const info = await query('getMasterchainInfoExt', { mode: 0 }, signal)
    expect([info.last, info.lastUtime, hex(info.stateRootHash)]).toEqual([
      masterId(199),
      1573822979,
      'b8269bc77db46976c8c6e7364e8e92ca5ca64d632466c7dea6836f27fab77f7f',
    ])
    await refused('getMasterchainInfoExt', { mode: 2 }, -400, 'unsupported getMasterchainInfo mode')
  })

  it('blocks and states are sent as they are, zerostates from their files', async () => {
    const block = await query('getBlock', { id: masterId(5) }, signal)
    expect(CoreCell.fromBoc(Buffer.from(block.data))[0]!.hash().toString('hex')).toBe(hex(masterId(5).rootHash))
    const state = await query('getState', { id: masterId(199) }, signal)
    expect(hex(state.rootHash)).toBe('b8269bc77db46976c8c6e7364e8e92ca5ca64d632466c7dea6836f27fab77f7f')
    expect(CoreCell.fromBoc(Buffer.from(state.data))[0]!.hash().toString('hex')).toBe(hex(state.rootHash))
    for (const zero of store.zeroIds) {
      const answer = await query('getState', { id: zero }, signal)
      expect([hex(answer.rootHash), hex(answer.fileHash)]).toEqual([hex(zero.rootHash), hex(zero.fileHash)])
      expect(parseBocRoot(answer.data).hashHex()).toBe(hex(zero.rootHash))
    }
    await refused('getState', { id: { ...masterId(5), seqno: 1001 } }, -400, /possibly too large/)
    await refused('getBlock', { id: store.zeroIds[0] }, 651, 'block (-1,8000000000000000,0) is not in db')
    await refused('getBlock', { id: { ...masterId(5), shard: 1n } }, -400, 'invalid BlockIdExt')
    await refused(
      'getBlock',
      { id: { ...masterId(5), seqno: 500 } },
      651,
      /\(-1,8000000000000000,500\) is not in db \(last known masterchain block: 199\)/,
    )
  })

  it('blocks are found by seqno, lt and time, and missing ones are refused', async () => {
    const lookups = [
      { id: { workchain: 0, shard: 0xb000000000000000n, seqno: 120 }, by: { seqno: true as const } },
      { id: { workchain: 0, shard: WHOLE_SHARD, seqno: 0 }, by: { lt: 90_000_000n } },
      { id: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }, by: { utime: 1573822600 } },
      { id: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }, by: { lt: 0n } },
    ]
    for (const args of lookups) {
      const answer = await query('lookupBlock', args, signal)
      expect(() => checkLookup(checkHeader(answer.headerProof, answer.id), args.id, args.by)).not.toThrow()
    }
    expect((await query('lookupBlock', lookups[3]!, signal)).id).toEqual(masterId(1))
    const late = { id: lookups[1]!.id, by: { lt: 10n ** 15n } }
    await refused('lookupBlock', late, 651, 'cannot find block (0,8000000000000000) lt=1000000000000000: lt not in db')
    await refused('lookupBlock', { id: lookups[2]!.id, by: { utime: 2_000_000_000 } }, 651, /utime=2000000000: utime not in db/)
    const older = { ...lookups[0]!, mcBlockId: masterId(20) }
    await refused('lookupBlockWithProof', older, -400, "specified mc block is older than block's masterchain ref")
    // A zerostate has no header, so nothing proves that block 1 is the first that reaches what was asked for.
    const noHeader = /^block \(-1,8000000000000000,0\) is not in db/
    for (const by of [{ lt: 0n }, { lt: 1n }, { utime: 1 }])
      await refused('lookupBlockWithProof', { id: lookups[3]!.id, by, mcBlockId: masterId(20) }, 651, noHeader)
    const second = await query('lookupBlockWithProof', { id: lookups[3]!.id, by: { lt: 1_500_000n }, mcBlockId: masterId(20) }, signal)
    expect([second.id, second.prevHeader.length > 0]).toEqual([masterId(2), true])
    await refused('lookupBlockWithProof', { ...older, mcBlockId: shardId() }, -400, 'masterchain block id must be specified')
  })

  it('accounts are proven by a masterchain block, by a shard block, and by "the latest"', async () => {
    const latest = await query('getAccountState', { id: { ...masterId(199), seqno: -1 }, account: ELECTOR }, signal)
    expect(latest.id).toEqual(masterId(199))
    const inShard = await query('getAccountState', { id: shardId(), account: NOBODY }, signal)
    expect([inShard.shardBlock, inShard.shardProof.length, inShard.state.length]).toEqual([shardId(), 0, 0])
    const elsewhere = account(0, 'f')
    await refused('getAccountState', { id: shardId(), account: elsewhere }, -400, /not contained in the shard/)
    await refused('getAccountState', { id: shardId(), account: ELECTOR }, -400, /must belong to the masterchain/)
    const pruned = await query('getAccountStatePrunned', { id: masterId(199), account: ELECTOR }, signal)
    const whole = await query('getAccountState', { id: masterId(199), account: ELECTOR }, signal)
    expect(pruned.state.length).toBeLessThan(whole.state.length / 4)
    expect(hex(openProof(parseBocRoot(pruned.state)).hash(0))).toBe(parseBocRoot(whole.state).hashHex())
    const parsed = loadCoreAccount(CoreCell.fromBoc(Buffer.from(whole.state))[0]!.beginParse().skip(1))
    expect(parsed.storage.balance.coins).toBe(547_500_000_000n)
  })

  it('single shards are proven, exactly or by the shard that contains them', async () => {
    const ask = (shard: bigint, exact: boolean) => query('getShardInfo', { id: masterId(199), workchain: 0, shard, exact }, signal)
    for (const [shard, exact, found] of [
      [0x2000000000000000n, true, 0x2000000000000000n],
      [0x2100000000000000n, false, 0x2000000000000000n],
      [0x2100000000000000n, true, undefined],
      [0x4000000000000000n, true, undefined],
    ] as const) {
      const answer = await ask(shard, exact)
      const { shard: proven } = checkShardInfo(answer.shardProof, masterId(199), 0, shard, exact)
      expect(proven?.id.shard).toBe(found)
      expect(answer.shardDescr.length > 0).toBe(found !== undefined)
      if (proven === undefined) continue
      expect(answer.shardBlock).toEqual(proven.id)
      // A leaf of the tree: bt_leaf$0, then the description.
      const leaf = parseBocRoot(answer.shardDescr).slice()
      expect([leaf.loadBit(), loadShardDescr(leaf).seqno]).toEqual([false, proven.id.seqno])
    }
    await refused(
      'getShardInfo',
      { id: masterId(199), workchain: MASTERCHAIN, shard: WHOLE_SHARD, exact: true },
      -400,
      'requested shard is invalid',
    )
    await refused('getShardInfo', { id: shardId(), workchain: 0, shard: WHOLE_SHARD, exact: true }, -400, /must belong to the masterchain/)
  })

  it('transactions are listed forwards and backwards, from a place or from the end, with proofs of the page only', async () => {
    const id = masterId(1)
    const all = await query('listBlockTransactions', { id, count: 300, wantProof: true }, signal)
    expect([all.ids.length, all.incomplete, all.reqCount]).toEqual([9, false, 300])
    const key = ({ account: of, lt }: { account: Uint8Array; lt: bigint }) => `${hex(of)}:${lt}`
    const backwards = await query('listBlockTransactions', { id, count: 300, reverse: true }, signal)
    expect(backwards.ids.map(key)).toEqual(all.ids.map(key).reverse())
    for (const reverse of [false, true]) {
      const order = reverse ? [...all.ids].reverse() : all.ids
      for (let from = 0; from < order.length; from += 1) {
        const args = { id, count: 3, reverse, wantProof: true, ...(from === 0 ? {} : { after: order[from - 1]! }) }
        const page = await query('listBlockTransactions', args, signal)
        expect(checkBlockTransactions(page, args).map(key)).toEqual(order.slice(from, from + 3).map(key))
        expect(page.proof.length).toBeLessThan(all.proof.length)
        const whole = await query('listBlockTransactionsExt', args, signal)
        expect(endSteps(checkBlockTransactionsExt(whole, args)).length).toBe(page.ids.length)
      }
    }
    // A full page counts as incomplete even when nothing follows: ton's lite-server stops at the number, before it could know.
    expect((await query('listBlockTransactions', { id, count: 9 }, signal)).incomplete).toBe(true)
    const after = { account: new Uint8Array(32).fill(0xff), lt: 2n ** 64n - 1n }
    const none = await query('listBlockTransactionsExt', { id, count: 5, after, wantProof: true }, signal)
    expect([none.transactions.length, none.incomplete]).toEqual([0, false])
    expect(endSteps(checkBlockTransactionsExt(none, { id, count: 5, after, wantProof: true }))).toEqual([])
    expect((await query('listBlockTransactions', { id, count: 0 }, signal)).incomplete).toBe(true)
  })

  it('one transaction is proven, or its absence', async () => {
    const id = masterId(1)
    const [first] = (await query('listBlockTransactions', { id, count: 1 }, signal)).ids
    const args = { id, account: { workchain: MASTERCHAIN, hash: first!.account }, lt: first!.lt }
    const answer = await query('getOneTransaction', args, signal)
    expect(endSteps(checkOneTransaction(answer, args))?.hashHex()).toBe(hex(first!.hash))
    expect(loadTransaction(CoreCell.fromBoc(Buffer.from(answer.transaction))[0]!.beginParse()).lt).toBe(first!.lt)
    for (const lt of [first!.lt + 1n, 5n, 10n ** 12n]) {
      const absent = await query('getOneTransaction', { ...args, lt }, signal)
      expect([absent.transaction.length, endSteps(checkOneTransaction(absent, { ...args, lt }))]).toEqual([0, undefined])
    }
    await refused('getOneTransaction', { ...args, account: { ...args.account, workchain: 0 } }, -400, /not contained in the shard/)
  })

  it('a walk back gives at most 16 transactions at once, over blocks, and says why it cannot begin', async () => {
    const last = (await query('listBlockTransactions', { id: masterId(199), count: 40 }, signal)).ids.filter(
      ({ account: of }) => hex(of) === hex(ELECTOR.hash),
    )
    const { lt, hash } = last.at(-1)!
    const args = { account: ELECTOR, lt, hash, count: 100 }
    const answer = await query('getTransactions', args, signal)
    expect([answer.ids.length, parseBoc(answer.transactions).length]).toEqual([16, 16])
    expect(endSteps(checkTransactionChain(answer, args)).map(({ block }) => block.seqno)).toEqual(answer.ids.map(({ seqno }) => seqno))
    expect(new Set(answer.ids.map(({ seqno }) => seqno)).size).toBeGreaterThan(4)
    await refused('getTransactions', { ...args, hash: new Uint8Array(32) }, -400, 'transaction hash mismatch')
    await refused('getTransactions', { ...args, lt: lt + 1n }, -400, 'cannot locate transaction in block with specified logical time')
    await refused(
      'getTransactions',
      { ...args, lt: 10n ** 15n },
      -400,
      /^cannot compute block with specified transaction: cannot find block .* lt not in db/,
    )
    expect(await query('getTransactions', { ...args, lt: 0n }, signal)).toEqual({ ids: [], transactions: new Uint8Array(0) })
  })

  it('requests for the wrong kind of block are refused', async () => {
    await refused('getConfigAll', { mode: 0, id: shardId() }, -400, /with respect to a masterchain block only/)
    await refused(
      'getConfigParams',
      { mode: 0, id: masterId(1), params: Array.from({ length: 257 }, (_, i) => i) },
      -400,
      'too long param list',
    )
    // Mainnet had no key block yet: the previous one is the zerostate, which is no block.
    await refused('getConfigAll', { mode: 0x8000, id: masterId(9) }, 651, /\(-1,8000000000000000,0\) is not in db/)
    await refused('getAllShardsInfo', { id: shardId() }, -400, /must belong to the masterchain/)
    await refused('getBlockProof', { from: shardId() }, -400, /is not a valid masterchain block id/)
    await refused('getBlockProof', { from: masterId(1), target: { ...masterId(1), seqno: 300 } }, -400, /newer than the reference/)
    await refused('getBlockOutMsgQueueSize', { id: masterId(1) }, -400, 'no out_msg_queue_size in shard state')
    await refused('getShardBlockProof', { id: { ...shardId(), seqno: 3000 } }, 651, /is not in db/)
    await expect(query('toString' as LiteFunction, {} as never, signal)).rejects.toMatchObject({ code: 621, message: 'unknown query' })
    await expect(query('getTime', {}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('messages in queues are counted in states that do not have their number', async () => {
    const queue = CoreCell.fromBoc(readData('chain/mainnet-state-mc-199.boc'))[0]!.refs[0]!
    const entry = { serialize: () => undefined, parse: (s: { loadUint(bits: number): number }) => s.loadUint(32) }
    const inMaster = Dictionary.load(Dictionary.Keys.BigUint(352), entry, queue).size
    expect(inMaster).toBe(2)
    const { shards, extMsgQueueSizeLimit } = await query('getOutMsgQueueSizes', {}, signal)
    expect([shards.map(({ id, size }) => [id.workchain, size]), extMsgQueueSizeLimit]).toEqual([
      [
        [-1, inMaster],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      8000,
    ])
    const some = await query('getOutMsgQueueSizes', { shard: { workchain: 0, shard: 0x4000000000000000n } }, signal)
    expect(some.shards.map(({ id }) => id.shard)).toEqual([0x2000000000000000n, 0x6000000000000000n])
  })

  it('messages are passed on, and refused with the text of the node', async () => {
    expect(await query('sendMessage', { body: new Uint8Array(5) }, signal)).toEqual({ status: 1 })
    expect(sent.length).toBe(1)
    await refused(
      'sendMessage',
      { body: new Uint8Array(0) },
      0,
      'cannot apply external message to current state : External message was not accepted',
    )
    await refused('sendMessage', { body: new Uint8Array(1) }, 0, 'too early')
  })
})
