import { createHash } from 'node:crypto'
import { Address, beginCell, Cell, contractAddress, Dictionary, internal, storeMessageRelaxed } from '@ton/core'
import { fixedPrice } from '../../index/topics/sales.ts'
import { transferBody } from '../../kit/chain/jetton-bodies.ts'
import { codeByHash } from '../../kit/chain/local-calls.ts'
import { pngOf } from '../../kit/pictures.ts'
import type { V3Service } from '../../kit/service/service.ts'
import { auctionName, auctionUsername } from './auctions.ts'

/* What is on the embedded chain of the walk: transfers, tokens with and without pictures, a name, a sale, a multisig with an order, a vesting, a failure. */

export const FRIEND = `0:${'77'.repeat(32)}`
/** An excess of jettons, which no jetton master takes. */
const EXCESS = 'te6cckEBAQEADgAAGNUydtsAAAAAAAAAAPfBmNw='

/** Accounts are addresses, transactions lower-case hex. */
export interface Known {
  readonly wallet: string
  readonly jetton: string
  /** The jetton wallet of `wallet`. */
  readonly jettonWallet: string
  readonly collection: string
  readonly item: string
  readonly sale: string
  /** The item that the sale holds. */
  readonly sold: string
  /** A name of Telegram that sells itself. */
  readonly username: string
  /** The item of a name of TON DNS under auction. */
  readonly name: string
  readonly multisig: string
  readonly order: string
  readonly vesting: string
  readonly mint: string
  readonly failed: string
}

const TON = 1_000_000_000n
const boc = (cell: Cell): string => cell.toBoc().toString('base64')
const raw = (address: Address): string => address.toRawString()
const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')
const SIGNERS = [0xa0, 0xa1, 0xa2].map(account)

/** A picture of one colour, as tokens may hold it in their content. */
const picture = (red: number, green: number, blue: number): string =>
  `data:image/png;base64,${pngOf(64, 64, [red, green, blue]).toString('base64')}`

const listOf = (addresses: readonly Address[]) => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
  for (const [i, address] of addresses.entries()) dict.set(i, address)
  return dict
}

type Call = V3Service['call']

const send = (call: Call, from: Address, to: Address, value: bigint, body: Cell, init?: Cell) =>
  call('local.sendInternal', { from: raw(from), to: raw(to), amount: String(value), body: boc(body), ...(init && { init: boc(init) }) })

/** An order's action: send_message#f1381e5b mode:uint8 message:^Cell. Mode 3 is what most wallets send with. */
export const sendAction = (to: string, value: bigint, body: string | Cell, mode = 3): Cell => {
  const message = beginCell().store(storeMessageRelaxed(internal({ to: Address.parse(to), value, bounce: false, body })))
  return beginCell().storeUint(0xf1381e5b, 32).storeUint(mode, 8).storeRef(message.endCell()).endCell()
}

/** A transfer of 1.5 of a jetton with 6 decimals. */
const jettonTransfer = (): Cell =>
  transferBody({ amount: 1_500_000n, to: Address.parse(FRIEND), response: SIGNERS[0]!, forward: TON / 100n })

/** Proposes an order for a multisig of the scene, and signs it. It expires in 40 days. `seqno`: its number, which has to be the next one. */
export const propose = async (call: Call, multisig: Address, seqno: number, sent: readonly Cell[]): Promise<void> => {
  const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
  for (const [i, action] of sent.entries()) actions.set(i, action)
  const { utime } = await call('local.increaseTime', { seconds: 1 })
  // new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48 order:^Cell
  const body = beginCell()
    .storeUint(0xf718510f, 32)
    .storeUint(1, 64)
    .storeUint(seqno, 256)
    .storeBit(1)
    .storeUint(0, 8)
    .storeUint(utime + 40 * 86_400, 48)
    .storeRef(beginCell().storeDictDirect(actions).endCell())
    .endCell()
  await send(call, SIGNERS[0]!, multisig, 2n * TON, body)
}

/** The second signature of an order of a multisig of the scene, which has it carried out. */
export const approve = async (call: Call, order: Address): Promise<void> => {
  // approve#a762230f query_id:uint64 signer_index:uint8
  const body = beginCell().storeUint(0xa762230f, 32).storeUint(1, 64).storeUint(1, 8).endCell()
  await send(call, SIGNERS[1]!, order, TON, body)
}

/** A multisig of two of three, with the code of the mainnet, and an order of it with one signature. The order pays coins and moves jettons of a wallet. */
const deployMultisig = async (call: Call, jettonWallet: string): Promise<string> => {
  // The code of orders is a library, as on the mainnet.
  const orderCode = codeByHash('6305a8061c856c2ccf05dcb0df5815c7')
  const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (cell: Cell, builder) => builder.storeBit(1).storeRef(cell),
    parse: () => Cell.EMPTY,
  })
  libraries.set(orderCode.hash(), orderCode)
  const library = boc(beginCell().storeDictDirect(libraries).endCell())
  await call('local.setAccount', { address: `-1:${'9'.repeat(64)}`, balance: String(1000n * TON), code: boc(Cell.EMPTY), library })
  const data = beginCell()
    .storeUint(0, 256)
    .storeUint(2, 8)
    .storeRef(beginCell().storeDictDirect(listOf(SIGNERS)).endCell())
    .storeUint(3, 8)
    .storeDict(listOf([account(0xb0)]))
    .storeBit(0)
    .endCell()
  const init = { code: codeByHash('d3d14da9a627f0ec3533341829762af9'), data }
  const multisig = contractAddress(0, init)
  const stateInit = beginCell().storeUint(0b00110, 5).storeRef(init.code).storeRef(init.data).endCell()
  await send(call, SIGNERS[0]!, multisig, 10n * TON, Cell.EMPTY, stateInit)
  await propose(call, multisig, 0, [sendAction(FRIEND, TON, 'rent'), sendAction(jettonWallet, TON / 10n, jettonTransfer())])
  return raw(multisig)
}

/** A vesting of a thousand GRAM over 360 days, of which a hundred have passed. */
const deployVesting = async (call: Call): Promise<string> => {
  const { utime } = await call('local.increaseTime', { seconds: 1 })
  const params = beginCell()
    .storeUint(utime - 100 * 86_400, 64)
    .storeUint(31_104_000, 32)
    .storeUint(2_592_000, 32)
    .storeUint(5_184_000, 32)
    .storeCoins(1000n * TON)
    .storeAddress(SIGNERS[0]!)
    .storeAddress(SIGNERS[1]!)
    .endCell()
  const data = beginCell().storeUint(0, 32).storeUint(10, 32).storeUint(5, 256).storeBit(0).storeRef(params).endCell()
  const address = raw(account(0xee))
  const code = boc(codeByHash('b48b531abec3b714638291f7d77ed6dc'))
  await call('local.setAccount', { address, balance: String(1000n * TON), code, data: boc(data) })
  return address
}

/** A transfer of an NFT. Forwards 0.1 GRAM. */
export const nftTransfer = (to: Address, response: Address): Cell =>
  // transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_amount:Coins forward_payload:(Either Cell ^Cell)
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeAddress(response)
    .storeBit(0)
    .storeCoins(TON / 10n)
    .storeBit(0)
    .endCell()

/** A sale of Getgems that holds an item. */
const sell = async (call: Call, item: string, owner: string): Promise<string> => {
  const address = account(0x5a)
  const seller = Address.parse(owner)
  const terms = { marketplace: account(0x50), item: Address.parse(item), seller, royalty: account(0x51) }
  const code = boc(codeByHash('8278f4c5233d'))
  await call('local.setAccount', { address: raw(address), balance: String(TON), code, data: boc(fixedPrice(terms, 2)) })
  await send(call, seller, Address.parse(item), TON, nftTransfer(address, seller))
  return raw(address)
}

/** The name `oak.ton`, which leads to a wallet. */
const giveName = async (call: Call, owner: string): Promise<void> => {
  const { address: names } = await call('local.deployCollection', { kind: 'dns', name: 'Names' })
  const { address: item } = await call('local.mintNft', { collection: names, owner, domain: 'oak' })
  // change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:(Maybe ^DNSRecord); dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8
  const record = beginCell().storeUint(0x9fd3, 16).storeAddress(Address.parse(owner)).storeUint(0, 8).endCell()
  const key = createHash('sha256').update('wallet').digest()
  const change = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).storeBuffer(key).storeRef(record).endCell()
  await send(call, Address.parse(owner), Address.parse(item), TON, change)
}

/** Makes all of it, and waits for the index. */
export const makeScene = async (service: V3Service): Promise<Known> => {
  const { call } = service
  const { wallets } = await call('local.wallets', {})
  const [owner, other] = wallets.map(({ address }) => address) as [string, string]
  await call('local.fund', { address: FRIEND, amount: '1234567890123' })
  await giveName(call, owner)
  const jetton = await call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6, image: picture(160, 110, 40) })
  const collection = await call('local.deployCollection', { name: 'Leaves', image: picture(60, 130, 60) })
  const item = await call('local.mintNft', { collection: collection.address, owner, name: 'Leaf 1', image: picture(120, 170, 60) })
  const sold = await call('local.mintNft', { collection: collection.address, owner, name: 'Leaf 2' })
  const sale = await sell(call, sold.address, owner)
  const mint = await call('local.mintJetton', { jetton: jetton.address, owner, amount: '123456789' })
  const multisig = await deployMultisig(call, mint.address)
  const vesting = await deployVesting(call)
  const { utime } = await call('local.increaseTime', { seconds: 1 })
  const [username, name] = [await auctionUsername(call, utime), await auctionName(call, utime)]
  const failed = await call('local.sendInternal', { from: other, to: jetton.address, amount: '50000000', body: EXCESS })
  await service.settle()
  const { orders } = await call('v3.multisig.orders', { multisig_address: [multisig] })
  return {
    ...{ wallet: owner, jetton: jetton.address, jettonWallet: mint.address, collection: collection.address, item: item.address },
    ...{ sold: sold.address, username, name },
    ...{ sale, multisig, order: orders[0]!.address, vesting },
    ...{ mint: hex(mint.transaction_id.hash), failed: hex(failed.transaction_id.hash) },
  }
}
