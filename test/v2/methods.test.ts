import { Address, beginCell, Cell, Dictionary, external, internal, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MethodName, type ParamsIn, type Result, registry } from '../../shared/registry.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { answering } from './answering-contract.ts'
import { b64, sha256Key } from './cells.ts'
import { itemData, jettonMinterCode, minterData, nftItemCode } from './clients/tonweb-codes.ts'
import { openapiChecker } from './openapi.ts'

/*
 * Every v2 method on the embedded chain by HTTP: the result held against the registry and against TON Center's own document, and against what was
 * done on the chain.
 */

const SHARD = '-9223372036854775808'
const ZERO_HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='
const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`
const account = (byte: number, workchain = 0): Address => new Address(workchain, Buffer.alloc(32, byte))

/** Where an answer is not what TON Center's document says, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  getBlockTransactionsExt:
    'its TransactionExt joins two closed objects with different @type by allOf, which nothing satisfies (v2.md 3.16)',
  unpackAddress: 'the running service answers a text, the document an object (v2.md 8.5)',
}

let service: Service
let check: ReturnType<typeof openapiChecker> | undefined
let wallet: WalletContractV4
let secretKey: Buffer
/** Masterchain seqno before anything was done. */
let before: number
const friend = account(0x61)
const token = account(0x62)
const domain = account(0x63)
const collection = account(0x64)
const resolver = account(0x65)

/** Calls by GET (where there is one), POST and the dialect; all must agree. */
const call = async <M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> => {
  const result = await service.call(method, params)
  const response = await service.raw(`/api/v2/${method}`, params)
  const body = response.body as { result: unknown }
  expect([response.status, method === 'getConsensusBlock' ? undefined : body.result]).toEqual([
    200,
    method === 'getConsensusBlock' ? undefined : result,
  ])
  const problems = check?.(method, body)
  if (method in EXCEPTIONS) expect(problems).not.toEqual([])
  else expect(problems ?? [], method).toEqual([])
  if (registry[method].rest === 'GET, POST') {
    const query = Object.fromEntries(
      Object.entries(params as Record<string, unknown>)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    )
    const got = await service.get(method, query)
    if (method !== 'getConsensusBlock') expect(got).toEqual(result)
  }
  return result
}
const mine = (count = 1) => service.call('local.mine', { count })
const head = async (): Promise<number> => (await service.call('getMasterchainInfo', {})).last.seqno
const message = (seqno: number, to: Address, value: string, comment: string): string => {
  const body = wallet.createTransfer({
    seqno,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to, value, bounce: false, body: comment })],
  })
  return beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
    .toBoc()
    .toString('base64')
}

beforeAll(async () => {
  check = openapiChecker()
  service = await startService()
  const { wallets } = await service.call('local.wallets', {})
  const keys = await mnemonicToPrivateKey([...wallets.find(({ version }) => version === 'v4R2')!.mnemonic])
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  secretKey = keys.secretKey
  // A lookup by time that finds block 1 is refused, so the blocks that the tests look up are of a later second on any machine.
  await service.call('local.increaseTime', { seconds: 1 })
  await mine(2)
  before = await head()
  for (const [i, text] of ['first', 'second', 'third'].entries()) {
    await service.call('sendBoc', { boc: message(i, friend, '1', text) })
    await mine(2)
  }
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
  dict.set(sha256Key('wallet'), beginCell().storeUint(0x9fd3, 16).storeAddress(friend).storeUint(0, 8).endCell())
  const records = beginCell().storeDictDirect(dict).endCell()
  const put = (address: Address, code: Cell, data: Cell) =>
    service.call('local.setAccount', { address: raw(address), balance: '1000000000', code: b64(code), data: b64(data) })
  await put(token, jettonMinterCode, minterData(wallet.address, 'https://example.org/t.json', 77n))
  const name = { slice: beginCell().storeStringTail('alice').endCell() }
  await put(
    domain,
    answering({
      get_nft_data: [
        -1n,
        5n,
        { slice: beginCell().storeAddress(collection).endCell() },
        { slice: beginCell().storeAddress(friend).endCell() },
        { cell: Cell.EMPTY },
      ],
      dnsresolve: [8n, { cell: records }],
      get_domain: [name],
    }),
    Cell.EMPTY,
  )
  await put(
    collection,
    answering({
      get_nft_address_by_index: [{ slice: beginCell().storeAddress(domain).endCell() }],
      get_nft_content: [{ cell: beginCell().storeUint(1, 8).storeStringTail('alice.json').endCell() }],
      get_collection_data: [
        3n,
        { cell: beginCell().storeUint(1, 8).storeStringTail('c.json').endCell() },
        { slice: beginCell().storeAddress(null).endCell() },
      ],
    }),
    Cell.EMPTY,
  )
  await put(resolver, answering({ dnsresolve: [72n, { cell: records }] }), Cell.EMPTY)
})
afterAll(() => service?.close())

describe('every v2 method on the embedded chain', () => {
  it('getAddressInformation answers for now and for an old block', async () => {
    const address = raw(friend)
    const now = await call('getAddressInformation', { address })
    // A nanogram of rent may be gone: the chain's seconds are real ones here.
    expect(now).toMatchObject({
      balance: expect.stringMatching(/^(3000000000|29999999\d\d)$/),
      state: 'uninitialized',
      code: '',
      data: '',
      frozen_hash: '',
      extra_currencies: [],
      suspended: false,
    })
    const then = await call('getAddressInformation', { address, seqno: before })
    expect(then).toMatchObject({
      balance: '0',
      last_transaction_id: { lt: '0', hash: ZERO_HASH },
      block_id: { workchain: -1, shard: SHARD, seqno: before },
    })
    expect(await call('getAddressInformation', { address: wallet.address.toString() })).toMatchObject({ state: 'active' })
    expect(await call('getAddressInformation', { address: raw(account(0, -1)) })).toMatchObject({ block_id: { workchain: -1 } })
  })

  it('getExtendedAddressInformation answers for every kind of account', async () => {
    const kindOf = async (address: string, seqno?: number) => {
      const found = await call('getExtendedAddressInformation', seqno === undefined ? { address } : { address, seqno })
      return [found.account_state['@type'], found.revision, found.address.account_address]
    }
    expect(await kindOf(wallet.address.toString({ bounceable: false }))).toEqual([
      'wallet.v4.accountState',
      2,
      wallet.address.toString({ bounceable: false }),
    ])
    expect(await kindOf(raw(token))).toEqual(['raw.accountState', 0, token.toString()])
    expect(await kindOf(raw(friend))).toEqual(['uninited.accountState', 0, friend.toString()])
    expect(await kindOf(raw(token), before)).toEqual(['uninited.accountState', 0, token.toString()])
  })

  it('getWalletInformation, getAddressBalance and getAddressState tell the same account', async () => {
    const address = wallet.address.toString()
    expect(await call('getWalletInformation', { address })).toMatchObject({
      wallet: true,
      wallet_type: 'wallet v4 r2',
      seqno: 3,
      wallet_id: 698983191,
    })
    expect(await call('getWalletInformation', { address, seqno: before })).toMatchObject({ wallet: true, seqno: 0 })
    expect(await call('getWalletInformation', { address: raw(token) })).not.toHaveProperty('wallet_type')
    expect(await call('getAddressBalance', { address: raw(friend) })).toMatch(/^(3000000000|29999999\d\d)$/)
    expect(await call('getAddressBalance', { address: raw(friend), seqno: before })).toBe('0')
    expect(await call('getAddressState', { address })).toBe('active')
    expect(await call('getAddressState', { address: raw(token), seqno: before })).toBe('uninitialized')
  })

  it('getTokenData describes a jetton, a collection and a domain, and an old block without them', async () => {
    expect(await call('getTokenData', { address: raw(token) })).toMatchObject({ contract_type: 'jetton_master', total_supply: '77' })
    expect(await call('getTokenData', { address: raw(collection) })).toMatchObject({
      contract_type: 'nft_collection',
      next_item_index: '3',
    })
    expect(await call('getTokenData', { address: raw(domain) })).toMatchObject({
      contract_type: 'nft_item',
      content: { domain: 'alice.ton', data: { wallet: { '@type': 'dns_smc_address' } } },
    })
    await expect(service.call('getTokenData', { address: raw(token), seqno: before })).rejects.toMatchObject({ status: 409 })
    const item = { code: b64(nftItemCode), data: b64(itemData(1, collection)) }
    await service.call('local.setAccount', { address: raw(account(0x66)), balance: '1', ...item })
    await expect(service.call('getTokenData', { address: raw(account(0x66)) })).rejects.toMatchObject({ status: 409 })
  })

  it('getShardAccountCell and dnsResolve answer for an account', async () => {
    const { bytes } = await call('getShardAccountCell', { address: wallet.address.toString() })
    const s = Cell.fromBase64(bytes).beginParse()
    expect(s.loadRef().beginParse().loadBit()).toBe(true)
    const { last_transaction_id } = await service.call('getAddressInformation', { address: wallet.address.toString() })
    expect([s.loadBuffer(32).toString('base64'), s.loadUintBig(64).toString()]).toEqual([last_transaction_id.hash, last_transaction_id.lt])
    const { entries } = await call('dnsResolve', { address: raw(resolver), name: 'abc.ton', ttl: 3 })
    expect(entries).toMatchObject([
      { name: 'abc.ton.', entry: { '@type': 'dns.entryDataSmcAddress', smc_address: { account_address: friend.toString() } } },
    ])
  })

  it('getMasterchainInfo, getConsensusBlock, getShards and its alias answer', async () => {
    const { last, init } = await call('getMasterchainInfo', {})
    expect(init).toMatchObject({ workchain: -1, shard: '0', seqno: 0 })
    expect(await call('getConsensusBlock', {})).toMatchObject({ consensus_block: last.seqno })
    const { shards } = await call('getShards', { seqno: last.seqno })
    expect(shards).toMatchObject([{ workchain: 0, shard: SHARD }])
    expect(await service.get('shards', { seqno: String(last.seqno) })).toEqual({ '@type': 'blocks.shards', shards })
  })

  it('lookupBlock by seqno, lt and time leads to the same block', async () => {
    for (const workchain of [0, -1]) {
      const place = { workchain, shard: SHARD }
      const block = await call('lookupBlock', { ...place, seqno: 3 })
      const { start_lt, end_lt, gen_utime } = await call('getBlockHeader', { ...place, seqno: 3 })
      expect(await call('lookupBlock', { ...place, lt: start_lt })).toEqual(block)
      expect(await call('lookupBlock', { ...place, lt: end_lt })).toEqual(block)
      const byTime = await call('lookupBlock', { ...place, unixtime: gen_utime })
      expect(byTime.seqno).toBeLessThanOrEqual(3)
      expect((await call('getBlockHeader', { ...place, seqno: byTime.seqno })).gen_utime).toBe(gen_utime)
    }
  })

  it('lookupBlock by the time and the lt of the genesis leads to block 1, of which no header before it tells', async () => {
    for (const workchain of [0, -1]) {
      const place = { workchain, shard: SHARD }
      const first = await call('lookupBlock', { ...place, seqno: 1 })
      const { gen_utime, end_lt } = await call('getBlockHeader', { ...place, seqno: 1 })
      for (const at of [{ unixtime: gen_utime }, { unixtime: 1 }, { lt: end_lt }, { lt: '0' }])
        expect([at, await call('lookupBlock', { ...place, ...at })]).toEqual([at, first])
      await expect(call('lookupBlock', { ...place, unixtime: 2_147_483_647 })).rejects.toThrow('utime not in db')
    }
  })

  it('getBlockHeader answers with its hashes and checks them', async () => {
    const place = { workchain: -1, shard: SHARD, seqno: 1 }
    const header = await call('getBlockHeader', place)
    expect(header).toMatchObject({ is_key_block: true, prev_key_block_seqno: 0, prev_blocks: [{ workchain: -1, seqno: 0 }] })
    const { root_hash, file_hash } = header.id
    expect(await call('getBlockHeader', { ...place, root_hash, file_hash: Buffer.from(file_hash, 'base64').toString('hex') })).toEqual(
      header,
    )
    await expect(service.call('getBlockHeader', { ...place, root_hash, file_hash: root_hash })).rejects.toMatchObject({ status: 500 })
    const shard = await call('getBlockHeader', { ...place, workchain: 0, seqno: 4 })
    expect(shard).toMatchObject({ is_key_block: false, prev_key_block_seqno: 0, prev_blocks: [{ workchain: 0, seqno: 3 }] })
  })

  it('getMasterchainBlockSignatures, getShardBlockProof and getOutMsgQueueSize answer for a block', async () => {
    const { signatures, id } = await call('getMasterchainBlockSignatures', { seqno: 2 })
    expect([id.seqno, signatures.length, Buffer.from(signatures[0]!.signature, 'base64').length]).toEqual([2, 1, 64])
    const last = await head()
    const proof = await call('getShardBlockProof', { workchain: 0, shard: SHARD, seqno: 2, from_seqno: last })
    expect(proof).toMatchObject({ from: { seqno: last }, mc_id: { workchain: -1 } })
    expect(proof.links.length).toBeGreaterThan(0)
    expect(proof.mc_proof.length).toBeGreaterThan(0)
    const own = await call('getShardBlockProof', { workchain: -1, shard: SHARD, seqno: last - 1, from_seqno: last })
    expect(own).toMatchObject({ links: [], mc_id: { seqno: last - 1 } })
    expect(own.mc_proof).toMatchObject([{ from: { seqno: last }, to: { seqno: last - 1 } }])
    expect(await call('getShardBlockProof', { workchain: 0, shard: SHARD, seqno: 1 })).toMatchObject({ mc_id: { seqno: 1 } })
    await expect(service.call('getShardBlockProof', { workchain: 0, shard: SHARD, seqno: 5, from_seqno: 2 })).rejects.toMatchObject({
      status: 500,
      message: 'from mc block is too old',
    })
    expect(await call('getOutMsgQueueSize', {})).toMatchObject({ shards: [{ id: { workchain: -1 } }, { id: { workchain: 0 } }] })
  })

  it('getTransactions goes from newest to oldest, in pages, between two places', async () => {
    const address = wallet.address.toString()
    const all = await call('getTransactions', { address })
    expect(all.map(({ out_msgs }) => out_msgs[0]?.message)).toEqual(['third', 'second', 'first'])
    expect(all[0]!.in_msg).toMatchObject({ source: '', destination: address, value: '0', created_lt: '0', fwd_fee: '0' })
    const { lt, hash } = all[1]!.transaction_id
    const hex = Buffer.from(hash, 'base64').toString('hex')
    expect(await call('getTransactions', { address, lt, hash: hex, limit: 1 })).toEqual([all[1]])
    expect(await call('getTransactions', { address, lt, hash, archival: true })).toEqual(all.slice(1))
    expect(await call('getTransactions', { address, to_lt: lt })).toEqual(all.slice(0, 1))
    expect(await call('getTransactions', { address, lt: 0, limit: 2 })).toEqual(all.slice(0, 2))
    // Below zero there is nothing more.
    expect(await call('getTransactions', { address, to_lt: -1 })).toEqual(all)
    expect(await call('getTransactions', { address: raw(account(0x99)), to_lt: '-9223372036854775808' })).toEqual([])
    expect(await call('getTransactions', { address: raw(account(0x99)) })).toEqual([])
    await expect(service.call('getTransactions', { address, lt, hash: ZERO_HASH })).rejects.toMatchObject({ status: 500 })
    const received = await call('getTransactions', { address: raw(friend), limit: 1 })
    expect(received).toMatchObject([
      {
        in_msg: {
          source: address,
          destination: friend.toString(),
          value: '1000000000',
          message: 'third',
          msg_data: { '@type': 'msg.dataText' },
        },
        out_msgs: [],
      },
    ])
  })

  it('getTransactionsStd follows its cursor to the end', async () => {
    const address = wallet.address.toString()
    const whole = await call('getTransactionsStd', { address })
    const seen: unknown[] = []
    let cursor: { lt?: string; hash?: string } = {}
    for (let pages = 0; cursor.lt !== '0' && pages < 10; pages++) {
      const page = await call('getTransactionsStd', { address, limit: 1, ...cursor })
      seen.push(...page.transactions)
      const { lt, hash } = page.previous_transaction_id
      cursor = { lt, hash }
    }
    expect(seen).toEqual(whole.transactions)
    expect(whole.previous_transaction_id).toMatchObject({ lt: '0', hash: ZERO_HASH })
    expect((await call('getTransactionsStd', { address, lt: 0, hash: ZERO_HASH })).transactions).toEqual([])
  })

  it('getBlockTransactions and getBlockTransactionsExt page by account', async () => {
    const [sent] = await service.call('getTransactions', { address: wallet.address.toString(), limit: 1 })
    const { lt } = sent!.transaction_id
    const { seqno } = await service.call('lookupBlock', { workchain: 0, shard: SHARD, lt })
    const place = { workchain: 0, shard: SHARD, seqno }
    const short = await call('getBlockTransactions', place)
    const long = await call('getBlockTransactionsExt', place)
    expect([short.req_count, short.incomplete, long.incomplete]).toEqual([40, false, false])
    expect(short.transactions.map(({ hash }) => hash)).toEqual(long.transactions.map(({ transaction_id }) => transaction_id.hash))
    expect(short.transactions.map((item) => item.account)).toContain(raw(wallet.address))
    expect(long.transactions.find((item) => item.transaction_id.lt === lt)?.data).toBe(sent!.data)
    const first = await call('getBlockTransactions', { ...place, count: 1 })
    expect([first.transactions.length, first.incomplete]).toEqual([1, short.transactions.length > 1])
    const cursor = first.transactions[0]!
    const rest = await call('getBlockTransactions', { ...place, after_lt: cursor.lt, after_hash: cursor.account })
    expect([...first.transactions, ...rest.transactions]).toEqual(short.transactions)
  })

  it('tryLocateTx, tryLocateResultTx and tryLocateSourceTx find both sides of a message', async () => {
    const [received] = await service.call('getTransactions', { address: raw(friend), limit: 1 })
    const [sent] = await service.call('getTransactions', { address: wallet.address.toString(), limit: 1 })
    const params = { source: wallet.address.toString(), destination: raw(friend), created_lt: received!.in_msg!.created_lt }
    expect(await call('tryLocateTx', params)).toEqual(received)
    expect(await call('tryLocateResultTx', params)).toEqual(received)
    expect(await call('tryLocateSourceTx', params)).toEqual(sent)
    for (const method of ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'] as const) {
      await expect(service.call(method, { ...params, destination: raw(token) })).rejects.toMatchObject({
        status: 404,
        message: 'transaction was not found',
      })
      await expect(service.call(method, { ...params, created_lt: '9000000000000000000' })).rejects.toMatchObject({
        status: 500,
        message: expect.stringMatching(/^failed to lookup block by given lt: /),
      })
    }
  })

  it('runGetMethod and runGetMethodStd answer for now and for an old block', async () => {
    const address = wallet.address.toString()
    const run = await call('runGetMethod', { address, method: 'seqno', stack: [] })
    expect(run).toMatchObject({ exit_code: 0, stack: [['num', '0x3']], block_id: { workchain: -1 } })
    expect(await call('runGetMethod', { address, method: 85143, stack: [] })).toEqual(run)
    expect(await call('runGetMethod', { address, method: '0x14c97', stack: [], seqno: before })).toMatchObject({
      stack: [['num', '0x0']],
      block_id: { seqno: before },
    })
    expect(await call('runGetMethodStd', { address, method: 'seqno', stack: [] })).toMatchObject({
      stack: [{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '3' } }],
      exit_code: 0,
    })
    const owner = b64(beginCell().storeAddress(friend).endCell())
    const std = await call('runGetMethodStd', {
      address: raw(token),
      method: 'get_wallet_address',
      stack: [{ '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: owner } }],
    })
    const legacy = await call('runGetMethod', { address: raw(token), method: 'get_wallet_address', stack: [['tvm.Slice', owner]] })
    expect(legacy.stack[0]![0]).toBe('cell')
    expect((legacy.stack[0] as ['cell', { bytes: string }])[1].bytes).toBe((std.stack[0] as { slice: { bytes: string } }).slice.bytes)
    expect(await call('runGetMethod', { address: raw(friend), method: 'seqno', stack: [] })).toMatchObject({ exit_code: -13, gas_used: 0 })
    // As tonlib's TVM leaves it: the arguments, and the method id on top.
    expect(await call('runGetMethod', { address: raw(friend), method: 'seqno', stack: [['num', '0x5']] })).toMatchObject({
      exit_code: -13,
      stack: [
        ['num', '0x5'],
        ['num', '0x14c97'],
      ],
    })
    expect(await call('runGetMethod', { address: raw(token), method: 'seqno', stack: [] })).toMatchObject({ exit_code: 11 })
    expect(await call('runGetMethod', { address: raw(token), method: 'get_jetton_data', stack: [], seqno: before })).toMatchObject({
      exit_code: -13,
    })
  })

  it('sendBoc, its relatives and estimateFee answer', async () => {
    const send = async (method: 'sendBoc' | 'sendBocReturnHash' | 'sendBocReturnHashNoError', seqno: number) => {
      const boc = message(seqno, account(0x90 + seqno), '0.1', method)
      const response = await service.raw(`/api/v2/${method}`, { boc })
      const body = response.body as { result: unknown }
      expect(check?.(method, body) ?? []).toEqual([])
      await mine()
      return [body.result, Cell.fromBase64(boc).hash().toString('base64')]
    }
    expect((await send('sendBoc', 3))[0]).toEqual({ '@type': 'ok' })
    for (const [i, method] of (['sendBocReturnHash', 'sendBocReturnHashNoError'] as const).entries()) {
      const [result, hash] = await send(method, 4 + i)
      expect(result).toEqual({ '@type': 'raw.extMessageInfo', hash, hash_norm: expect.stringMatching(/^.{43}=$/) })
    }
    const stale = message(3, friend, '0.1', 'stale')
    await expect(service.call('sendBoc', { boc: stale })).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/exitcode=33/),
    })
    await expect(service.call('sendBocReturnHash', { boc: stale })).rejects.toMatchObject({ status: 500 })
    await expect(service.call('sendBocReturnHashNoError', { boc: stale })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^LITE_SERVER_UNKNOWN/),
    })
    const body = Cell.fromBase64(message(6, friend, '0.1', 'next'))
      .beginParse()
      .skip(2 + 2 + 267 + 4 + 2)
    const fees = await call('estimateFee', {
      address: wallet.address.toString(),
      body: b64(body.asCell()),
      init_code: '',
      init_data: '',
      ignore_chksig: true,
    })
    expect(fees.source_fees.in_fwd_fee).toBeGreaterThan(0)
  })

  it('getConfigParam, getConfigAll and getLibraries read the configuration and libraries', async () => {
    const param = await call('getConfigParam', { config_id: 34 })
    expect(await call('getConfigParam', { param: 34 })).toEqual(param)
    expect(await call('getConfigParam', { config_id: 34, seqno: 1 })).toEqual(param)
    expect((await call('getConfigParam', { config_id: 123456 })).config.bytes).toBe('')
    const all = Dictionary.loadDirect(
      Dictionary.Keys.Int(32),
      Dictionary.Values.Cell(),
      Cell.fromBase64((await call('getConfigAll', {})).config.bytes),
    )
    expect(all.get(34)!.equals(Cell.fromBase64(param.config.bytes))).toBe(true)
    expect((await call('getConfigAll', { seqno: 1 })).config.bytes).toMatch(/^te6cck/)
    const library = beginCell().storeUint(0xfeed, 16).endCell()
    expect(await call('getLibraries', { libraries: [library.hash().toString('hex')] })).toEqual({
      '@type': 'smc.libraryResult',
      result: [],
    })
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (cell: Cell, b) => b.storeBit(1).storeRef(cell),
      parse: () => Cell.EMPTY,
    })
    libraries.set(BigInt(`0x${library.hash().toString('hex')}`), library)
    await service.call('local.setAccount', {
      address: raw(account(0x70, -1)),
      balance: '1000000000000',
      code: b64(answering({})),
      data: b64(Cell.EMPTY),
      library: b64(beginCell().storeDictDirect(libraries).endCell()),
    })
    await mine()
    const hash = library.hash().toString('base64')
    expect(await call('getLibraries', { libraries: [hash] })).toEqual({
      '@type': 'smc.libraryResult',
      result: [{ '@type': 'smc.libraryEntry', hash, data: b64(library) }],
    })
  })

  it('detectAddress, detectHash, packAddress and unpackAddress answer', async () => {
    const address = raw(friend)
    expect(await call('detectAddress', { address })).toMatchObject({ given_type: 'raw_form', raw_form: address })
    expect(await call('detectHash', { hash: ZERO_HASH })).toMatchObject({ b64url: 'A'.repeat(43) })
    expect(await call('packAddress', { address })).toBe(friend.toString())
    expect(await call('unpackAddress', { address: friend.toString({ bounceable: false }) })).toBe(
      `0:${friend.hash.toString('hex').toUpperCase()}`,
    )
  })

  it('a block that does not exist yet is the chain’s own error', async () => {
    const seqno = (await head()) + 10_000
    const address = wallet.address.toString()
    for (const [method, params] of [
      ['getAddressInformation', { address }],
      ['getExtendedAddressInformation', { address }],
      ['getWalletInformation', { address }],
      ['getAddressBalance', { address }],
      ['getAddressState', { address }],
      ['getTokenData', { address }],
      ['getShardAccountCell', { address }],
      ['dnsResolve', { address }],
      ['runGetMethod', { address, method: 'seqno', stack: [] }],
      ['runGetMethodStd', { address, method: 'seqno', stack: [] }],
      ['getConfigParam', { param: 34 }],
      ['getConfigAll', {}],
      ['getShards', {}],
      ['getMasterchainBlockSignatures', {}],
      ['getBlockHeader', { workchain: -1, shard: SHARD }],
      ['getBlockTransactions', { workchain: 0, shard: SHARD }],
      ['getBlockTransactionsExt', { workchain: 0, shard: SHARD }],
      ['getShardBlockProof', { workchain: 0, shard: SHARD }],
      ['lookupBlock', { workchain: 0, shard: SHARD }],
    ] as const) {
      const failed = service.call(method, { ...params, seqno } as never)
      await expect(failed, method).rejects.toMatchObject({ status: 500, message: expect.stringMatching(/^LITE_SERVER_/) })
    }
  })
})
