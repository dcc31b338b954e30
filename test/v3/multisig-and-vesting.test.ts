import { createHash } from 'node:crypto'
import { Address, beginCell, Cell, contractAddress, Dictionary, internal, storeMessageRelaxed } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { wideTree } from '../kit/bombs.ts'
import { TON } from '../kit/chain/elections.ts'
import { codeByHash } from '../kit/chain/local-calls.ts'
import { rawOf } from '../kit/chain/nominator-pool.ts'
import { fullDict } from '../kit/hostile-cells.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'
import { type Answer, idOf, leaving } from '../v2/answering-contract.ts'
import { differences, unknownParameters, untold } from './openapi.ts'

const { signal } = new AbortController()
const boc = (cell: Cell): string => cell.toBoc().toString('base64')
const wallet = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const [S0, S1, S2, P0] = [0xa0, 0xa1, 0xa2, 0xb0].map(wallet) as [Address, Address, Address, Address]
const TO = wallet(0x44)

const listOf = (addresses: readonly Address[]) => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
  for (const [i, address] of addresses.entries()) dict.set(i, address)
  return dict
}
const direct = (addresses: readonly Address[]): Cell => beginCell().storeDictDirect(listOf(addresses)).endCell()

const multisigData = (threshold: number): Cell =>
  beginCell()
    .storeUint(0, 256)
    .storeUint(threshold, 8)
    .storeRef(direct([S0, S1, S2]))
    .storeUint(3, 8)
    .storeDict(listOf([P0]))
    .storeBit(0)
    .endCell()

const orderBody = (messages: readonly Cell[]): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
  for (const [i, message] of messages.entries()) {
    dict.set(i, beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(message).endCell())
  }
  return beginCell().storeDictDirect(dict).endCell()
}

/** Code with a dictionary of methods, as compilers make it, whose methods leave these values. */
const withMethods = (methods: Readonly<Record<string, readonly Answer[]>>): Cell => {
  const dict = Dictionary.empty<number, Cell>(Dictionary.Keys.Int(19), {
    serialize: (code, builder) => builder.storeSlice(code.beginParse()),
    parse: () => Cell.EMPTY,
  })
  for (const [name, answers] of Object.entries(methods)) dict.set(idOf(name), leaving(answers))
  // SETCP0 DICTPUSHCONST 19 DICTIGETJMPZ THROWARG 11
  return beginCell().storeBuffer(Buffer.from('ff00f4a413f4bcf2c80b', 'hex')).storeRef(beginCell().storeDictDirect(dict).endCell()).endCell()
}

/** A whitelist of so many addresses. */
const whitelistOf = (count: number): Dictionary<bigint, boolean> => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(264), Dictionary.Values.Bool())
  for (let i = 1; i <= count; i++) dict.set(BigInt(`0x${createHash('sha256').update(String(i)).digest('hex')}`), true)
  return dict
}

const vestingData = (whitelist = whitelistOf(0)): Cell => {
  const params = beginCell()
    .storeUint(1_700_000_000, 64)
    .storeUint(31_104_000, 32)
    .storeUint(2_592_000, 32)
    .storeUint(5_184_000, 32)
    .storeCoins(1000n * TON)
    .storeAddress(S0)
    .storeAddress(S1)
    .endCell()
  return beginCell().storeUint(0, 32).storeUint(10, 32).storeUint(5, 256).storeDict(whitelist).storeRef(params).endCell()
}

describe('multisig and vesting wallets of the mainnet', () => {
  let index: LocalIndex
  let multisig: Address
  let order: Address
  const vesting = wallet(0xee)
  const mined = async (count = 4): Promise<void> => {
    await index.call('local.mine', { count })
    await index.indexed()
  }
  const send = (from: Address, to: Address, value: bigint, body: Cell, init?: Cell) =>
    index.call('local.sendInternal', {
      from: rawOf(from),
      to: rawOf(to),
      value: String(value),
      body: boc(body),
      ...(init && { init: boc(init) }),
    })
  const run = async (address: Address, method: string): Promise<readonly VmStackValue[]> => {
    const answer = await index.chain.runGetMethod(
      { workchain: address.workChain, hash: address.hash },
      methodId(method),
      [],
      undefined,
      signal,
    )
    expect(answer.exitCode).toBe(0)
    return answer.stack
  }
  const int = (value: VmStackValue | undefined): bigint | null => (value?.type === 'int' ? value.value : null)

  beforeAll(async () => {
    index = await startLocalIndex()
    // The code of orders is a library, as on the mainnet.
    const orderCode = codeByHash('6305a8061c856c2ccf05dcb0df5815c7')
    const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), {
      serialize: (cell: Cell, builder) => builder.storeBit(1).storeRef(cell),
      parse: () => Cell.EMPTY,
    })
    libraries.set(orderCode.hash(), orderCode)
    await index.call('local.setAccount', {
      address: `-1:${'9'.repeat(64)}`,
      balance: String(1000n * TON),
      code: boc(Cell.EMPTY),
      library: boc(beginCell().storeDictDirect(libraries).endCell()),
    })
    const init = { code: codeByHash('d3d14da9a627f0ec3533341829762af9'), data: multisigData(2) }
    multisig = contractAddress(0, init)
    const stateInit = beginCell().storeUint(0b00110, 5).storeRef(init.code).storeRef(init.data).endCell()
    await send(S0, multisig, 10n * TON, Cell.EMPTY, stateInit)
    const message = (body: string): Cell =>
      beginCell()
        .store(storeMessageRelaxed(internal({ to: TO, value: TON, bounce: false, body })))
        .endCell()
    // new_order#f718510f query_id order_seqno signer:Bool index:uint8 expiration_date:uint48 order:^
    await send(
      S0,
      multisig,
      2n * TON,
      beginCell()
        .storeUint(0xf718510f, 32)
        .storeUint(1, 64)
        .storeUint(0, 256)
        .storeBit(1)
        .storeUint(0, 8)
        .storeUint(index.utime() + 86_400, 48)
        .storeRef(orderBody([message('one'), message('two')]))
        .endCell(),
    )
    await mined()
  })
  afterAll(() => index?.close())

  it('a multisig is what its get-method says, and is found by its address and by its members', async () => {
    const { multisigs, address_book } = await index.call('v3.multisig.wallets', { address: [rawOf(multisig)] })
    const stack = await run(multisig, 'get_multisig_data')
    expect(multisigs.length).toBe(1)
    const [found] = multisigs
    expect(found).toMatchObject({
      address: rawOf(multisig),
      next_order_seqno: String(int(stack[0])),
      threshold: Number(int(stack[1])),
      signers: [S0, S1, S2].map(rawOf),
      proposers: [rawOf(P0)],
    })
    expect([found?.next_order_seqno, found?.threshold, found?.orders.length]).toEqual(['1', 2, 1])
    expect(Object.keys(address_book).length).toBe(6)
    expect(address_book[rawOf(multisig)]?.interfaces).toEqual(['multisig_v2'])
    for (const member of [S2, P0]) {
      const { multisigs: of } = await index.call('v3.multisig.wallets', { wallet_address: [rawOf(member)], include_orders: false })
      expect(of.map(({ address, orders }) => [address, orders.length])).toEqual([[rawOf(multisig), 0]])
    }
    expect((await index.call('v3.multisig.wallets', { wallet_address: [rawOf(TO)] })).multisigs).toEqual([])
    await expect(index.call('v3.multisig.wallets', {})).rejects.toThrow('At least one of address or wallet_address should be specified')
  })

  it('an order follows its approvals, and its actions are read', async () => {
    const ask = async () => {
      const { orders } = await index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig)], parse_actions: true })
      expect(orders.length).toBe(1)
      return orders[0]!
    }
    const before = await ask()
    order = Address.parseRaw(before.address)
    const same = async (found: typeof before): Promise<void> => {
      const stack = await run(order, 'get_order_data')
      expect([found.order_seqno, found.approvals_mask]).toEqual([String(int(stack[1])), String(int(stack[5]))])
      expect([found.threshold, found.sent_for_execution, found.approvals_num, found.expiration_date]).toEqual([
        Number(int(stack[2])),
        int(stack[3]) !== 0n,
        Number(int(stack[6])),
        Number(int(stack[7])),
      ])
    }
    await same(before)
    expect(before).toMatchObject({
      multisig_address: rawOf(multisig),
      order_seqno: '0',
      sent_for_execution: false,
      approvals_num: 1,
      signers: [S0, S1, S2].map(rawOf),
    })
    expect(
      before.actions?.map(({ destination, value, parsed_body_type: type, parsed_body: body }) => [destination, value, type, body]),
    ).toEqual(['one', 'two'].map((comment) => [rawOf(TO), String(TON), 'ton_transfer', { comment, encrypted: false }]))
    // approve#a762230f query_id signer_index:uint8
    await send(S1, order, TON, beginCell().storeUint(0xa762230f, 32).storeUint(2, 64).storeUint(1, 8).endCell())
    await mined()
    const after = await ask()
    await same(after)
    expect(after).toMatchObject({ sent_for_execution: true, approvals_num: 2, approvals_mask: '3' })
    const { orders } = await index.call('v3.multisig.orders', { address: [rawOf(order)] })
    expect([orders[0]?.actions, orders[0]?.order_boc]).toEqual([null, after.order_boc])
    await expect(index.call('v3.multisig.orders', {})).rejects.toThrow('At least one of address or multisig_address should be specified')
  })

  it('an order, its approval and its execution are actions', async () => {
    const named = async (type: string) => (await index.call('v3.actions', { action_type: [type] })).actions
    expect(await named('multisig_create_order')).toMatchObject([
      {
        success: true,
        details: {
          ...{ source: rawOf(S0), destination: rawOf(multisig), destination_order: rawOf(order), order_seqno: '0', query_id: '1' },
          ...{ is_created_by_signer: true, is_signed_by_creator: true, creator_index: 0 },
        },
      },
    ])
    expect(await named('multisig_approve')).toMatchObject([
      { success: true, details: { source: rawOf(S1), destination: rawOf(order), signer_index: 1, exit_code: 0 } },
    ])
    const [executed, ...others] = await named('multisig_execute')
    expect(others).toEqual([])
    expect(executed).toMatchObject({
      success: true,
      details: { source: rawOf(order), destination: rawOf(multisig), order_seqno: '0', approvals_num: 2 },
    })
    // What the order sent stands beside it.
    const { actions } = await index.call('v3.actions', { trace_id: [executed!.trace_id!] })
    expect(actions.flatMap(({ type, details }) => (type === 'ton_transfer' ? [details['comment']] : [])).sort()).toEqual(['one', 'two'])
    const { actions: ofSigner } = await index.call('v3.actions', { account: rawOf(S2), action_type: ['multisig_create_order'] })
    expect(ofSigner.length).toBe(1)
  })

  it('orders and multisigs that lie affect only their own rows', async () => {
    // An order that no multisig made, with the data of one that it did; one whose multisig is no such contract; a multisig of nonsense; one that loops.
    const code = codeByHash('6305a8061c856c2ccf05dcb0df5815c7')
    const fake = (at: Address, of: Address): Promise<unknown> =>
      index.call('local.setAccount', {
        address: rawOf(at),
        balance: String(TON),
        code: boc(code),
        data: boc(beginCell().storeAddress(of).storeUint(0, 256).endCell()),
      })
    await fake(wallet(0x61), multisig)
    await fake(wallet(0x62), TO)
    const nonsense = async (at: Address, answers: Readonly<Record<string, readonly Answer[]>>): Promise<void> => {
      await index.call('local.setAccount', {
        address: rawOf(at),
        balance: String(TON),
        code: boc(withMethods(answers)),
        data: boc(Cell.EMPTY),
      })
    }
    const huge = 10n ** 70n
    await nonsense(wallet(0x63), { get_multisig_data: [huge, huge, { cell: Cell.EMPTY }, null], get_order_address: [0n] })
    await nonsense(wallet(0x64), { get_multisig_data: [0n, 1n, 5n, 7n], get_order_address: [0n] })
    // AGAINEND: until the gas is gone.
    await nonsense(wallet(0x65), { get_multisig_data: [{ code: 'eb' }], get_order_address: [0n] })
    await nonsense(wallet(0x66), { get_vesting_data: [-1n, 0n, 0n, 0n, 0n, null, null, null] })
    // And one of unknown code that is in order, to know that such are looked at.
    await nonsense(wallet(0x67), { get_multisig_data: [3n, 1n, { cell: direct([S0]) }, null], get_order_address: [0n] })
    await mined(1)
    const liars = [0x61, 0x62, 0x63, 0x64, 0x65].map((byte) => rawOf(wallet(byte)))
    expect((await index.call('v3.multisig.orders', { address: liars })).orders).toEqual([])
    expect((await index.call('v3.multisig.wallets', { address: liars })).multisigs).toEqual([])
    const { multisigs } = await index.call('v3.multisig.wallets', { address: [rawOf(wallet(0x67))] })
    expect(multisigs[0]).toMatchObject({ next_order_seqno: '3', threshold: 1, signers: [rawOf(S0)], proposers: [], orders: [] })
    expect((await index.call('v3.vesting', { contract_address: [rawOf(wallet(0x66))] })).vesting_contracts).toEqual([])
    expect((await index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig), rawOf(TO)] })).orders.length).toBe(1)
  })

  it('an order with more cells than a message has, or with many bytes, is indexed without them', async () => {
    const put = (at: Address, answers: Readonly<Record<string, readonly Answer[]>>): Promise<unknown> =>
      index.call('local.setAccount', { address: rawOf(at), balance: String(TON), code: boc(withMethods(answers)), data: boc(Cell.EMPTY) })
    const slice = (of: Address) => ({ slice: beginCell().storeAddress(of).endCell() })
    const [owner, at] = [wallet(0x6b), wallet(0x6c)]
    const tell = (order: Cell) =>
      put(at, { get_order_data: [slice(owner), 1n, 1n, 0n, { cell: direct([S0]) }, 0n, 0n, 2n, { cell: order }] })
    const read = async () => (await index.call('v3.multisig.orders', { address: [rawOf(at)], parse_actions: true })).orders[0]
    await put(owner, { get_multisig_data: [0n, 1n, { cell: direct([S0]) }, null], get_order_address: [slice(at)] })
    const order = orderBody([
      beginCell()
        .store(storeMessageRelaxed(internal({ to: TO, value: TON })))
        .endCell(),
    ])
    await tell(order)
    await mined(1)
    expect(await read()).toMatchObject({ order_seqno: '1', order_boc: boc(order), actions: [{ parsed_body_type: 'ton_transfer' }] })
    const bytes = wideTree(800, (cell, i) => cell.storeUint(i, 32).storeBits(new Uint8Array(120), 960))
    for (const large of [wideTree(8_192), bytes]) {
      await tell(order)
      await mined(1)
      await tell(orderBody([Cell.fromBoc(Buffer.from(serializeBoc(large)))[0]!]))
      await mined(1)
      expect(await read()).toMatchObject({ order_seqno: '1', approvals_num: 0, order_boc: null, actions: null })
    }
  })

  it('an order that is not initialised yet has only its number', async () => {
    const other = beginCell().storeAddress(multisig).storeUint(9, 256).endCell()
    const library = beginCell().storeUint(2, 8).storeBuffer(codeByHash('6305a8061c856c2ccf05dcb0df5815c7').hash()).endCell({ exotic: true })
    const at = contractAddress(0, { code: library, data: other })
    await index.call('local.setAccount', { address: rawOf(at), balance: String(TON), code: boc(library), data: boc(other) })
    await mined(1)
    const { orders } = await index.call('v3.multisig.orders', { address: [rawOf(at)], parse_actions: true })
    expect(orders[0]).toMatchObject({
      order_seqno: '9',
      threshold: null,
      sent_for_execution: null,
      approvals_mask: null,
      approvals_num: null,
      expiration_date: null,
      order_boc: null,
      signers: null,
      actions: null,
    })
    const pages = await Promise.all(
      [0, 1, 2].map((offset) => index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig)], limit: 1, offset })),
    )
    expect(pages.map((page) => page.orders.map(({ order_seqno }) => order_seqno))).toEqual([['0'], ['9'], []])
    const one = await index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig)], limit: 1, cursor: '' })
    const two = await index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig)], limit: 1, cursor: one.next_cursor! })
    expect([one, two].map((page) => page.orders[0]?.order_seqno)).toEqual(['0', '9'])
  })

  it('a vesting wallet has its whitelist', async () => {
    await index.call('local.setAccount', {
      address: rawOf(vesting),
      balance: String(1000n * TON),
      code: boc(codeByHash('b48b531abec3b714638291f7d77ed6dc')),
      data: boc(vestingData()),
    })
    await mined(1)
    const told = async (params: Parameters<typeof index.call<'v3.vesting'>>[1]) =>
      (await index.call('v3.vesting', params)).vesting_contracts
    const info = {
      address: rawOf(vesting),
      start_time: 1_700_000_000,
      total_duration: 31_104_000,
      unlock_period: 2_592_000,
      cliff_duration: 5_184_000,
      sender_address: rawOf(S0),
      owner_address: rawOf(S1),
      total_amount: String(1000n * TON),
      whitelist: [] as string[],
    }
    expect(await told({ contract_address: [rawOf(vesting)] })).toEqual([info])
    // add_whitelist#7258a69b query_id address
    await send(
      S0,
      vesting,
      TON,
      beginCell()
        .storeUint(0x7258a69b, 32)
        .storeUint(1, 64)
        .storeAddress(TO)
        .storeRef(
          beginCell()
            .storeAddress(new Address(-1, Buffer.alloc(32, 3)))
            .endCell(),
        )
        .endCell(),
    )
    await mined()
    const listed = { ...info, whitelist: [rawOf(TO), `-1:${'03'.repeat(32)}`] }
    expect(await told({ contract_address: [rawOf(vesting)] })).toEqual([listed])
    for (const by of [S0, S1]) expect(await told({ wallet_address: [rawOf(by)] })).toEqual([listed])
    expect(await told({ wallet_address: [rawOf(TO)] })).toEqual([])
    expect(await told({ wallet_address: [rawOf(TO)], check_whitelist: true })).toEqual([listed])
    await expect(index.call('v3.vesting', {})).rejects.toThrow('at least one of contract_address or wallet_address is required')
    await expect(index.call('v3.vesting', { contract_address: [rawOf(vesting)], wallet_address: [rawOf(TO)] })).rejects.toThrow(
      'only one of contract_address or wallet_address should be specified',
    )
  })

  it('a whitelist is indexed up to a length at which no lite-server can ask the wallet for it any more', async () => {
    const put = (at: Address, code: Cell, data: Cell): Promise<unknown> =>
      index.call('local.setAccount', { address: rawOf(at), balance: String(TON), code: boc(code), data: boc(data) })
    const standard = codeByHash('b48b531abec3b714638291f7d77ed6dc')
    const [longest, longer, shared] = [wallet(0x68), wallet(0x69), wallet(0x6a)]
    await put(longest, standard, vestingData(whitelistOf(128)))
    await put(longer, standard, vestingData(whitelistOf(129)))
    // 8,192 addresses in 14 cells, in a contract that any message can change.
    const cells = Cell.fromBoc(Buffer.from(serializeBoc(fullDict(264, { value: EMPTY_CELL }, 13))))[0]!
    const slice = beginCell().storeAddress(S0).endCell()
    const answers = [1_700_000_000n, 1_000n, 10n, 0n, 1_000_000n, { slice }, { slice }, { cell: cells }]
    await put(shared, withMethods({ get_vesting_data: answers }), Cell.EMPTY)
    await mined(1)
    const lengths = async (at: Address): Promise<number[]> =>
      (await index.call('v3.vesting', { contract_address: [rawOf(at)] })).vesting_contracts.map(({ whitelist }) => whitelist.length)
    for (const at of [longest, longer, shared]) expect(await lengths(at)).toEqual([128])
    const told = await index.chain.runGetMethod(
      { workchain: longest.workChain, hash: longest.hash },
      methodId('get_whitelist'),
      [],
      undefined,
      signal,
    )
    // What a lite-server allows.
    expect(told.gasUsed).toBeGreaterThan(300_000n)
  })

  it('a message through a vesting wallet and an addition to its whitelist are actions', async () => {
    const body = beginCell().storeUint(0, 32).storeStringTail('rent').endCell()
    const sent = beginCell()
      .store(storeMessageRelaxed(internal({ to: TO, value: TON, bounce: true, body })))
      .endCell()
    // send#a7733acd query_id send_mode:uint8 message:^
    await send(S1, vesting, TON, beginCell().storeUint(0xa7733acd, 32).storeUint(6, 64).storeUint(3, 8).storeRef(sent).endCell())
    await mined()
    const named = async (type: string) => (await index.call('v3.actions', { action_type: [type] })).actions
    expect(await named('vesting_add_whitelist')).toMatchObject([
      {
        success: true,
        details: { query_id: '1', source: rawOf(S0), vesting: rawOf(vesting), accounts_added: [rawOf(TO), `-1:${'03'.repeat(32)}`] },
      },
    ])
    expect(await named('vesting_send_message')).toMatchObject([
      {
        success: true,
        details: { query_id: '6', source: rawOf(S1), vesting: rawOf(vesting), destination: rawOf(TO), amount: String(TON) },
      },
    ])
  })

  it("answers about wallets follow TON Center's document, except where its running service differs", async () => {
    const answers = {
      'multisig/wallets': await index.call('v3.multisig.wallets', { address: [rawOf(multisig)] }),
      'multisig/orders': await index.call('v3.multisig.orders', { multisig_address: [rawOf(multisig)], parse_actions: true }),
      vesting: await index.call('v3.vesting', { contract_address: [rawOf(vesting)] }),
    }
    // Nulls where there is none, and bodies as base64 (v3.md 1.6, 4).
    const nulls = [
      'actions',
      'approvals_mask',
      'approvals_num',
      'expiration_date',
      'order_boc',
      'sent_for_execution',
      'signers',
      'threshold',
    ]
    expect(differences(answers)).toEqual([
      'AddressBookRow.domain null',
      'AddressBookRow.interfaces null',
      ...nulls.map((name) => `MultisigOrder.${name} null`),
      'OrderAction.body_raw is string',
      'OrderAction.error null',
    ])
    expect(untold(answers)).toEqual([])
    for (const path of Object.keys(answers)) expect(unknownParameters(path), path).toEqual([])
  })

  it('rows of wallets are reverted, verified and made anew, and a contract that is no wallet any more is gone', async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    await index.call('local.setAccount', { address: rawOf(vesting), code: boc(Cell.EMPTY) })
    await index.call('local.setAccount', { address: rawOf(multisig), data: boc(multisigData(3)) })
    await mined(1)
    expect((await index.call('v3.vesting', { contract_address: [rawOf(vesting)] })).vesting_contracts).toEqual([])
    const threshold = async () => (await index.call('v3.multisig.wallets', { address: [rawOf(multisig)] })).multisigs[0]?.threshold
    expect(await threshold()).toBe(3)
    await index.call('local.revert', { snapshot })
    await mined(1)
    expect((await index.call('v3.vesting', { contract_address: [rawOf(vesting)] })).vesting_contracts.length).toBe(1)
    expect(await threshold()).toBe(2)
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
  })
})
