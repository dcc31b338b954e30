import { createHash } from 'node:crypto'
import { Address, beginCell, Cell, contractAddress, Dictionary, internal, storeMessageRelaxed } from '@ton/core'
import { codeByHash } from '../../kit/chain/local-calls.ts'
import { type Answer, idOf, leaving } from '../../v2/answering-contract.ts'
import type { Clock } from './clock.ts'
import { account, boc, FRIEND, TON } from './wallet.ts'

/* A multisig of the mainnet's code with an order that is carried out and one that waits; a vesting; a name under auction. */

const SIGNERS = [0xa0, 0xa1, 0xa2].map(account)

const listOf = (addresses: readonly Address[]) => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
  for (const [i, address] of addresses.entries()) dict.set(i, address)
  return dict
}

/** send_message#f1381e5b mode:uint8 message:^Cell */
const payment = (value: bigint, body: string): Cell => {
  const message = beginCell().store(storeMessageRelaxed(internal({ to: FRIEND, value, bounce: false, body })))
  return beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(message.endCell()).endCell()
}

/** new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Cell */
const newOrder = (seqno: number, until: number, action: Cell): Cell => {
  const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
  actions.set(0, action)
  return beginCell()
    .storeUint(0xf718510f, 32)
    .storeUint(1, 64)
    .storeUint(seqno, 256)
    .storeBit(1)
    .storeUint(0, 8)
    .storeUint(until, 48)
    .storeRef(beginCell().storeDictDirect(actions).endCell())
    .endCell()
}

const multisig = async ({ call, settle, now }: Clock) => {
  const send = async (from: Address, to: Address, value: bigint, body: Cell, init?: Cell) => {
    await call('local.sendInternal', {
      from: from.toRawString(),
      to: to.toRawString(),
      amount: String(value),
      body: boc(body),
      ...(init && { init: boc(init) }),
    })
    await settle()
  }
  // The code of orders is a library, as on the mainnet.
  const orderCode = codeByHash('6305a8061c856c2ccf05dcb0df5815c7')
  const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (cell: Cell, builder) => builder.storeBit(1).storeRef(cell),
    parse: () => Cell.EMPTY,
  })
  libraries.set(orderCode.hash(), orderCode)
  const library = boc(beginCell().storeDictDirect(libraries).endCell())
  await call('local.setAccount', { address: `-1:${'9'.repeat(64)}`, balance: String(1000n * TON), code: boc(Cell.EMPTY), library })
  await settle()
  const data = beginCell()
    .storeUint(0, 256)
    .storeUint(2, 8)
    .storeRef(beginCell().storeDictDirect(listOf(SIGNERS)).endCell())
    .storeUint(3, 8)
    .storeDict(listOf([account(0xb0)]))
    .storeBit(0)
    .endCell()
  const init = { code: codeByHash('d3d14da9a627f0ec3533341829762af9'), data }
  const address = contractAddress(0, init)
  const stateInit = beginCell().storeUint(0b00110, 5).storeRef(init.code).storeRef(init.data).endCell()
  await send(SIGNERS[0]!, address, 10n * TON, Cell.EMPTY, stateInit)
  const until = now() + 40 * 86_400
  await send(SIGNERS[0]!, address, 2n * TON, newOrder(0, until, payment(TON, 'rent')))
  const { stack } = await call('runGetMethod', { address: address.toRawString(), method: 'get_order_address', stack: [['num', '0']] })
  const order = Cell.fromBase64((stack as unknown as [[string, { bytes: string }]])[0][1].bytes)
    .beginParse()
    .loadAddress()
  // approve#a762230f query_id:uint64 signer_index:uint8
  await send(SIGNERS[1]!, order, TON, beginCell().storeUint(0xa762230f, 32).storeUint(1, 64).storeUint(1, 8).endCell())
  await send(SIGNERS[0]!, address, 2n * TON, newOrder(1, until, payment(2n * TON, 'next rent')))
  return { multisig: address.toRawString(), order: order.toRawString() }
}

/** A vesting of a thousand coins over 360 days, of which a hundred have passed. */
const vesting = async ({ call, settle, now }: Clock) => {
  const params = beginCell()
    .storeUint(now() - 100 * 86_400, 64)
    .storeUint(31_104_000, 32)
    .storeUint(2_592_000, 32)
    .storeUint(5_184_000, 32)
    .storeCoins(1000n * TON)
    .storeAddress(SIGNERS[0]!)
    .storeAddress(SIGNERS[1]!)
    .endCell()
  const data = beginCell().storeUint(0, 32).storeUint(10, 32).storeUint(5, 256).storeBit(0).storeRef(params).endCell()
  const address = account(0xee).toRawString()
  const code = boc(codeByHash('b48b531abec3b714638291f7d77ed6dc'))
  await call('local.setAccount', { address, balance: String(1000n * TON), code, data: boc(data) })
  await settle()
  return { vesting: address }
}

/** Code whose get-methods leave what is given. The index reads from its dictionary which methods there are. */
const speaking = (answers: Readonly<Record<string, readonly Answer[]>>): Cell => {
  const methods = Dictionary.empty<number, Cell>(Dictionary.Keys.Int(19), {
    serialize: (cell, builder) => builder.storeSlice(cell.beginParse()),
    parse: () => Cell.EMPTY,
  })
  // DEPTH DROPX for internal messages; ACCEPT before it for external ones.
  methods.set(0, beginCell().storeUint(0x6865, 16).endCell())
  methods.set(-1, beginCell().storeUint(0xf8006865n, 32).endCell())
  for (const [name, values] of Object.entries(answers)) methods.set(idOf(name), leaving(values))
  // SETCP0, DICTPUSHCONST 19, DICTIGETJMPZ, THROWARG 11
  return beginCell()
    .storeUint(0xff00, 16)
    .storeUint(0xf4a413f4bcn, 40)
    .storeUint(0xf2c80b, 24)
    .storeRef(beginCell().storeDictDirect(methods).endCell())
    .endCell()
}

/** The .ton collection of mainnet. */
const TON_ZONE = new Address(0, Buffer.from('b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf', 'hex'))

/** The name `birch.ton`, which is auctioned for a year. */
const auction = async ({ call, settle, now }: Clock) => {
  const slice = (address: Address | null) => ({ slice: beginCell().storeAddress(address).endCell() })
  const content = { cell: beginCell().storeUint(1, 8).storeStringTail('x').endCell() }
  const [item, bidder] = [account(0xe2), account(0xb1)]
  const place = (address: Address, code: Cell) =>
    call('local.setAccount', { address: address.toRawString(), balance: String(10n * TON), code: boc(code), data: boc(Cell.EMPTY) })
  const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  // dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8
  const wallet = beginCell().storeUint(0x9fd3, 16).storeAddress(bidder).storeUint(0, 8).endCell()
  records.set(createHash('sha256').update('wallet').digest(), wallet)
  await place(
    TON_ZONE,
    speaking({
      get_collection_data: [-1n, content, slice(null)],
      get_nft_address_by_index: [slice(item)],
      get_nft_content: [content],
    }),
  )
  await place(
    item,
    speaking({
      get_nft_data: [-1n, 5n, slice(TON_ZONE), slice(null), content],
      get_domain: [{ slice: beginCell().storeStringTail('birch').endCell() }],
      dnsresolve: [8n, { cell: beginCell().storeDictDirect(records).endCell() }],
      get_auction_info: [slice(bidder), 7n * TON, BigInt(now() + 365 * 86_400)],
      get_last_fill_up_time: [BigInt(now())],
    }),
  )
  await settle()
  return { auctioned: item.toRawString() }
}

export const playContracts = async (clock: Clock) => ({
  ...(await multisig(clock)),
  ...(await vesting(clock)),
  ...(await auction(clock)),
})
