import { Cell as CoreCell, Dictionary, loadShardAccount, loadTransaction } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/base/clock.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import { createChain } from '../../server/chain/chain.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import { createAnswers } from '../../server/chain/local/answers/answers.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData } from '../kit/data.ts'
import { createReplayStore, type IndexRow, type ReplayStore } from '../kit/index/replay-store.ts'
import { sleep } from '../kit/wait.ts'

const { signal } = new AbortController()
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const core = (cell: Parameters<typeof serializeBoc>[0]): CoreCell => CoreCell.fromBoc(Buffer.from(serializeBoc(cell)))[0]!
const account = (workchain: number, id: string): AccountId => ({ workchain, hash: Uint8Array.from(Buffer.from(id, 'hex')) })
const ELECTOR = account(MASTERCHAIN, '3'.repeat(64))
const CONFIG = account(MASTERCHAIN, '5'.repeat(64))
const NOBODY = account(0, '12'.repeat(32))

describe(`every read of the chain on mainnet's first 199 masterchain blocks`, () => {
  let store: ReplayStore
  let chain: Chain
  let tvm: Tvm
  beforeAll(async () => {
    store = createReplayStore()
    tvm = createTestTvm({ workers: 1 })
    const { query } = createAnswers({ store, tvm, sendMessage: () => Promise.reject(new Error('read only')), clock: systemClock })
    chain = createChain({ source: { query, heads: store.heads, head: store.head }, tvm })
  })
  afterAll(async () => {
    await tvm.close()
  })

  const rowsOf = (workchain: number): readonly IndexRow[] => store.index.filter((row) => row.workchain === workchain)
  const masterRow = (seqno: number): IndexRow => rowsOf(-1).find((row) => row.seqno === seqno)!
  const masterId = (seqno: number): BlockId => store.idOf(masterRow(seqno))

  it('the chain of mainnet’s first blocks knows head, zerostate and state hash', async () => {
    const info = await chain.masterchainInfo(signal)
    expect(info.last).toEqual(masterId(199))
    expect(hex(info.stateRootHash)).toBe(masterRow(199).state_update.new_hash)
    expect(hex(info.init.rootHash)).toBe('17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569')
    expect(hex(info.init.fileHash)).toBe('5e994fcf4d425c0a6ce6a792594b7173205f740a39cd56f537defd28b48a0f6e')
    expect(chain.head()).toEqual({ id: masterId(199), utime: masterRow(199).gen_utime, epoch: 0 })
  })

  it('every block is found by its seqno, in its shard', async () => {
    for (const row of store.index) {
      const short = { workchain: row.workchain, shard: BigInt(`0x${row.shard}`), seqno: row.seqno }
      expect(await chain.lookupBlock(short, { seqno: true }, signal)).toEqual(store.idOf(row))
    }
  })

  it('blocks are found by lt and by time as a search through the whole index finds them', async () => {
    for (let i = 1; i <= 40; i += 1) {
      const lt = BigInt(i) * 4_999_999n
      const by = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }
      const firstByLt = rowsOf(-1).find((row) => BigInt(row.end_lt) >= lt)!
      expect(await chain.lookupBlock(by, { lt }, signal)).toEqual(store.idOf(firstByLt))
      const utime = 1573822385 + i * 13
      const firstByTime = rowsOf(-1).find((row) => row.gen_utime >= utime)!
      expect(await chain.lookupBlock(by, { utime }, signal)).toEqual(store.idOf(firstByTime))
    }
    // A prefix in a shard that was split twice: the block of whichever shard held it then.
    const prefix = 0xe8n << 56n
    for (const lt of [3_000_000n, 60_000_000n, 150_000_000n]) {
      const holder = rowsOf(0).find((row) => BigInt(row.end_lt) >= lt && holds(BigInt(`0x${row.shard}`), prefix))!
      expect(await chain.lookupBlock({ workchain: 0, shard: prefix, seqno: 0 }, { lt }, signal)).toEqual(store.idOf(holder))
    }
  })

  it('missing blocks and accounts are reported with the text of a lite-server', async () => {
    await expect(chain.pin(200, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message:
        'LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=200: seqno not in db (last known masterchain block: 199)',
    })
    const unknown = { ...masterId(7), rootHash: new Uint8Array(32) }
    await expect(chain.blockHeader(unknown, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'LITE_SERVER_NOTREADY: block (-1,8000000000000000,7) is not in db',
    })
    await expect(chain.lookupBlock({ workchain: 3, shard: WHOLE_SHARD, seqno: 1 }, { seqno: true }, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
    })
  })

  it('headers are read with their previous blocks, over splits', async () => {
    for (const row of store.index.filter(({ seqno, after_split }) => seqno % 17 === 0 || after_split)) {
      const { info, globalId, prevBlocks } = await chain.blockHeader(store.idOf(row), signal)
      expect([info.seqno, info.genUtime, info.startLt, info.endLt, info.keyBlock, info.afterSplit, globalId]).toEqual([
        row.seqno,
        row.gen_utime,
        BigInt(row.start_lt),
        BigInt(row.end_lt),
        row.key_block,
        row.after_split,
        -239,
      ])
      expect(prevBlocks.map(({ seqno, rootHash, fileHash }) => ({ seqno, root_hash: hex(rootHash), file_hash: hex(fileHash) }))).toEqual(
        row.prev.map(({ seqno, root_hash, file_hash }) => ({ seqno, root_hash, file_hash })),
      )
      const parent = store.index.find(({ root_hash }) => root_hash === row.prev[0]!.root_hash)
      if (parent !== undefined) expect(prevBlocks[0]!.shard).toBe(BigInt(`0x${parent.shard}`))
    }
  })

  it('the shards of every masterchain block are listed', async () => {
    for (const row of rowsOf(-1)) {
      const shards = await chain.shards(store.idOf(row), signal)
      expect(shards.map(({ id }) => id)).toEqual(row.shards!.map((shard) => store.idOf(shard as unknown as IndexRow)))
    }
  })

  it('the transactions of every block are listed, as many as the index counts and as @ton/core reads them', async () => {
    let total = 0
    for (const row of rowsOf(-1)) {
      const id = store.idOf(row)
      const { ids, incomplete } = await chain.blockTransactionIds(id, { count: 1000, after: undefined }, signal)
      expect([ids.length, incomplete]).toEqual([row.transactions, false])
      const { transactions } = await chain.blockTransactions(id, { count: 1000, after: undefined }, signal)
      transactions.forEach(({ transaction, hash, workchain, block }, i) => {
        const parsed = loadTransaction(core(transaction.root).beginParse())
        expect([hex(hash), transaction.lt, hex(transaction.account), transaction.now]).toEqual([
          core(transaction.root).hash().toString('hex'),
          parsed.lt,
          parsed.address.toString(16).padStart(64, '0'),
          parsed.now,
        ])
        expect([ids[i]!.lt, hex(ids[i]!.hash), hex(ids[i]!.account)]).toEqual([transaction.lt, hex(hash), hex(transaction.account)])
        expect([workchain, block]).toEqual([-1, id])
      })
      total += ids.length
    }
    expect(total).toBe(2187)
  })

  it('pages through a block have no gaps, and the last one is marked', async () => {
    const id = masterId(1)
    const all = (await chain.blockTransactionIds(id, { count: 100, after: undefined }, signal)).ids
    expect(all.length).toBe(9)
    for (const count of [1, 2, 4, 9]) {
      const paged: unknown[] = []
      let after: { account: Uint8Array; lt: bigint } | undefined
      for (let more = true; more; ) {
        const page = await chain.blockTransactionIds(id, { count, after }, signal)
        paged.push(...page.ids)
        after = page.ids.at(-1)
        more = page.incomplete
      }
      expect(paged).toEqual(all)
    }
    expect((await chain.blockTransactions(id, { count: 9, after: undefined }, signal)).incomplete).toBe(false)
    expect((await chain.blockTransactions(id, { count: 8, after: undefined }, signal)).incomplete).toBe(true)
  })

  it('every account of the last state is read as @ton/core reads it', async () => {
    const accounts = [...lastAccounts()]
    expect(accounts.length).toBe(7)
    for (const [key, shardAccount] of accounts) {
      const state = await chain.account(account(-1, key.toString(16).padStart(64, '0')), undefined, signal)
      const expected = shardAccount.account!
      expect(state.balance.grams).toBe(expected.storage.balance.coins)
      expect([state.lastTransLt, state.lastTransHash]).toEqual([
        shardAccount.lastTransactionLt,
        Uint8Array.from(Buffer.from(shardAccount.lastTransactionHash.toString(16).padStart(64, '0'), 'hex')),
      ])
      expect(state.account!.storageStat.lastPaid).toBe(expected.storageStats.lastPaid)
      const { state: init } = expected.storage
      const code = init.type === 'active' ? init.state.code?.hash().toString('hex') : undefined
      const own = state.account!.state
      expect(own.type === 'active' ? own.init.code?.hashHex() : undefined).toBe(code)
      expect(state.status).toBe(code === undefined ? 'uninitialized' : 'active')
      expect([state.block, state.shardBlock, state.genUtime]).toEqual([masterId(199), masterId(199), masterRow(199).gen_utime])
    }
  })

  it('missing accounts are read as such, and accounts of an unknown workchain are refused', async () => {
    const nobody = await chain.account(NOBODY, undefined, signal)
    const shard = masterRow(199).shards!.find(({ shard: prefix }) => prefix === '2000000000000000')!
    expect(nobody.shardBlock).toEqual(store.idOf(shard as unknown as IndexRow))
    expect([nobody.account, nobody.balance.grams, nobody.lastTransLt, nobody.status]).toEqual([undefined, 0n, 0n, 'uninitialized'])
    expect(nobody.genUtime).toBe(store.index.find(({ root_hash }) => root_hash === shard.root_hash)!.gen_utime)
    await expect(chain.account({ ...NOBODY, workchain: 7 }, undefined, signal)).rejects.toThrow('the chain has no workchain 7')
  })

  it('an account is read at every masterchain block, and its last transaction is the one in the blocks', async () => {
    const lasts = new Map<number, bigint>()
    let last = 0n
    for (const row of rowsOf(-1)) {
      const { ids } = await chain.blockTransactionIds(store.idOf(row), { count: 1000, after: undefined }, signal)
      for (const { account: id, lt } of ids) if (hex(id) === hex(ELECTOR.hash)) last = lt
      lasts.set(row.seqno, last)
    }
    for (const [seqno, lt] of lasts) expect((await chain.account(ELECTOR, seqno, signal)).lastTransLt).toBe(lt)
  })

  it('the histories of all accounts together are the transactions of all blocks', async () => {
    const seen = new Set<string>()
    for (const [key] of lastAccounts()) {
      const id = account(-1, key.toString(16).padStart(64, '0'))
      const { transactions, next } = await chain.transactions(id, { from: undefined, limit: 10_000, toLt: 0n }, signal)
      expect(next).toEqual({ lt: 0n, hash: new Uint8Array(32) })
      transactions.forEach(({ transaction, hash, block }, i) => {
        seen.add(hex(hash))
        const row = masterRow(block.seqno)
        expect(transaction.lt > BigInt(row.start_lt) && transaction.lt < BigInt(row.end_lt)).toBe(true)
        const older = transactions[i + 1]
        if (older) expect([transaction.prevTransLt, hex(transaction.prevTransHash)]).toEqual([older.transaction.lt, hex(older.hash)])
      })
    }
    // All but those of ffff..ff, which the fee messages of each block touch and which never comes to exist.
    expect(seen.size).toBe(2187 - 397)
  })

  it('a walk through transactions stops before to_lt and goes on from a cursor', async () => {
    const all = await chain.transactions(ELECTOR, { from: undefined, limit: 60, toLt: 0n }, signal)
    const place = all.transactions[20]!
    const from = { lt: place.transaction.lt, hash: place.hash }
    const later = await chain.transactions(ELECTOR, { from, limit: 7, toLt: 0n }, signal)
    expect(later.transactions.map(({ hash }) => hex(hash))).toEqual(all.transactions.slice(20, 27).map(({ hash }) => hex(hash)))
    expect(later.next.lt).toBe(all.transactions[27]!.transaction.lt)
    const { lt } = all.transactions[30]!.transaction
    const cut = await chain.transactions(ELECTOR, { from: undefined, limit: 60, toLt: lt }, signal)
    expect(cut.transactions.length).toBe(30)
    expect((await chain.transactions(NOBODY, { from: undefined, limit: 5, toLt: 0n }, signal)).transactions).toEqual([])
    const wrong = { lt: from.lt, hash: new Uint8Array(32) }
    await expect(chain.transactions(ELECTOR, { from: wrong, limit: 5, toLt: 0n }, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'LITE_SERVER_UNKNOWN: transaction hash mismatch',
    })
    const between = { lt: from.lt + 1n, hash: from.hash }
    await expect(chain.transactions(ELECTOR, { from: between, limit: 5, toLt: 0n }, signal)).rejects.toMatchObject({
      message: 'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
    })
  })

  it('the configuration equals what @ton/core finds in the state', async () => {
    // ShardStateUnsplit's last ref is McStateExtra: after its tag and the shard hashes come the address and the root of the configuration.
    const s = lastState().refs.at(-1)!.beginParse()
    s.skip(16)
    if (s.loadBit()) s.loadRef()
    s.skip(256)
    const root = s.loadRef()
    expect((await chain.config(undefined, signal)).root.hashHex()).toBe(root.hash().toString('hex'))
    for (const [param, cell] of Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), root)) {
      expect((await chain.config(undefined, signal)).param(param)?.hashHex()).toBe(cell.hash().toString('hex'))
    }
    expect((await chain.config(undefined, signal)).param(77)).toBeUndefined()
    expect((await chain.config(3, signal)).root.hashHex()).toBe((await chain.config(masterId(3), signal)).root.hashHex())
  })

  it('signatures of masterchain blocks are proven from the zerostate on', async () => {
    for (const seqno of [1, 2, 77, 199]) {
      const { id, signatures } = await chain.signatures(seqno, signal)
      expect(id).toEqual(masterId(seqno))
      expect(signatures.signatures.length).toBeGreaterThan(2)
    }
  })

  it('shard blocks are proven from a trusted masterchain block', async () => {
    for (const row of rowsOf(0).filter(({ seqno }) => seqno % 29 === 0)) {
      const proof = await chain.shardBlockProof(store.idOf(row), undefined, signal)
      expect(proof.from).toEqual(masterId(199))
      expect(proof.links.at(-1)!.id).toEqual(store.idOf(row))
      expect(proof.mcProof.at(-1)?.to ?? proof.from).toEqual(proof.mcId)
    }
    const master = await chain.shardBlockProof(masterId(99), masterId(199), signal)
    expect([master.mcId, master.links.length, master.mcProof.length]).toEqual([masterId(99), 0, 1])
  })

  it('get-methods of the real elector run on its real state', async () => {
    const answer = await chain.runGetMethod(ELECTOR, methodId('active_election_id'), [], undefined, signal)
    expect([answer.exitCode, answer.stack]).toEqual([0, [{ type: 'int', value: 0n }]])
    expect(answer.gasUsed).toBeGreaterThan(0n)
    // The elector of 2019 has no selector that would throw 11.
    const missing = await chain.runGetMethod(ELECTOR, methodId('no_such_method'), [], 50, signal)
    expect([missing.exitCode, missing.state.block]).toEqual([2, masterId(50)])
    const nobody = await chain.runGetMethod(NOBODY, 1, [{ type: 'int', value: 5n }], undefined, signal)
    expect([nobody.exitCode, nobody.gasUsed]).toEqual([-13, 0n])
    expect(nobody.stack).toEqual([
      { type: 'int', value: 5n },
      { type: 'int', value: 1n },
    ])
  })

  it('mainnet’s first blocks have no public libraries', async () => {
    expect(await chain.libraries([new Uint8Array(32).fill(5)], signal)).toEqual([])
    const many = Array.from({ length: 17 }, (_, i) => new Uint8Array(32).fill(i))
    await expect(chain.libraries(many, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/too many libraries requested, 16 maximum/),
    })
  })

  it('reverted blocks are never served', async () => {
    const at = async (): Promise<unknown> => {
      const { last } = await chain.masterchainInfo(signal)
      return [last.seqno, (await chain.account(ELECTOR, undefined, signal)).block.seqno, chain.head().epoch]
    }
    expect(await at()).toEqual([199, 199, 0])
    store.setHead(120)
    expect(await at()).toEqual([120, 120, 1])
    await expect(chain.pin(150, signal)).rejects.toMatchObject({ kind: 'CHAIN' })
    store.setHead(199)
    expect(await at()).toEqual([199, 199, 1])
    expect(await chain.pin(150, signal)).toEqual(masterId(150))
  })

  it('a call ends when its signal is aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('the client hung up'))
    await expect(chain.account(CONFIG, 44, stop.signal)).rejects.toThrow('the client hung up')
    const late = AbortSignal.timeout(0)
    await sleep(5)
    await expect(chain.account(CONFIG, 45, late)).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT', message: 'LITE_SERVER_NETWORK timeout' })
  })
})

/** The state after masterchain block 199, as computed by other software. */
function lastState(): CoreCell {
  return CoreCell.fromBoc(readData('chain/mainnet-state-mc-199.boc'))[0]!
}

/** Its accounts; DepthBalanceInfo stands before each. */
function lastAccounts() {
  return Dictionary.load(
    Dictionary.Keys.BigUint(256),
    {
      serialize: () => undefined,
      parse: (s) => {
        s.skip(5)
        s.loadCoins()
        s.loadMaybeRef()
        return loadShardAccount(s)
      },
    },
    lastState().refs[1]!,
  )
}

/** crc16-xmodem of the name with bit 16 set: the number of a get-method. */
function methodId(name: string): number {
  let crc = 0
  for (const byte of Buffer.from(name)) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc | 0x10000
}

function holds(shard: bigint, prefix: bigint): boolean {
  const mask = ~(((shard & -shard) << 1n) - 1n)
  return (shard & mask) === (prefix & mask)
}
