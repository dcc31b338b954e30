import { createHash } from 'node:crypto'
import { Address, beginCell, type Cell, internal } from '@ton/core'
import { fixedPrice } from '../../index/topics/sales.ts'
import { burnBody, transferBody } from '../../kit/chain/jetton-bodies.ts'
import { codeByHash } from '../../kit/chain/local-calls.ts'
import type { Clock } from './clock.ts'
import { account, boc, FRIEND, TON, type Wallet } from './wallet.ts'

/* A jetton that is minted, transferred and burned; items of a collection, one of them on sale; a name with its wallet. */

const jettonTransfer = (amount: bigint, to: Address, response: Address): Cell => {
  const payload = beginCell().storeUint(0, 32).storeStringTail('for tea').endCell()
  return transferBody({ amount, to, response, queryId: 1, forward: TON / 100n, payload })
}

/** transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_amount:Coins forward_payload:(Either Cell ^Cell) */
const nftTransfer = (to: Address, response: Address): Cell =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(3, 64)
    .storeAddress(to)
    .storeAddress(response)
    .storeBit(0)
    .storeCoins(TON / 10n)
    .storeBit(0)
    .endCell()

/** change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:(Maybe ^DNSRecord); dns_smc_address#9fd3 smc_addr:MsgAddress flags:uint8 */
const walletRecord = (wallet: Address): Cell =>
  beginCell()
    .storeUint(0x4eb1f0f9, 32)
    .storeUint(4, 64)
    .storeBuffer(createHash('sha256').update('wallet').digest())
    .storeRef(beginCell().storeUint(0x9fd3, 16).storeAddress(wallet).storeUint(0, 8).endCell())
    .endCell()

const jettons = async ({ call, settle }: Clock, wallet: Wallet) => {
  const owner = wallet.address.toRawString()
  const { address: jetton } = await call('local.deployJetton', {
    name: 'Acorn',
    symbol: 'ACRN',
    decimals: 6,
    description: 'Of the oak.',
    image: 'https://example.org/acorn.png',
    admin: owner,
  })
  await settle()
  const { address: jettonWallet } = await call('local.mintJetton', { jetton, owner, amount: '123456789' })
  await settle()
  const order = (body: Cell) => wallet.send([internal({ to: Address.parse(jettonWallet), value: '0.2', body })])
  await order(jettonTransfer(1_500_000n, FRIEND, wallet.address))
  await order(jettonTransfer(250_000n, account(0x11), wallet.address))
  await order(burnBody(1_000_000n, wallet.address, 2))
  // More than there is: the jetton wallet refuses.
  await order(jettonTransfer(10n ** 15n, FRIEND, wallet.address))
  // An excess, which no jetton master takes.
  const excess = beginCell().storeUint(0xd53276db, 32).storeUint(0, 64).endCell()
  await call('local.sendInternal', { from: FRIEND.toRawString(), to: jetton, amount: '50000000', body: boc(excess) })
  await settle()
  return { jetton, jettonWallet }
}

const items = async ({ call, settle }: Clock, wallet: Wallet) => {
  const owner = wallet.address.toRawString()
  const { address: collection } = await call('local.deployCollection', {
    kind: 'nft',
    name: 'Leaves',
    description: 'Of all trees.',
    royalty: { numerator: 5, denominator: 100 },
    owner,
  })
  await settle()
  const minted: string[] = []
  for (const name of ['Leaf 1', 'Leaf 2', 'Leaf 3']) {
    const { address } = await call('local.mintNft', { collection, owner, name, image: 'https://example.org/leaf.png' })
    minted.push(address)
    await settle()
  }
  const [given, sold] = minted as [string, string]
  await wallet.send([internal({ to: Address.parse(given), value: '0.3', body: nftTransfer(FRIEND, wallet.address) })])
  const sale = account(0x5a)
  const terms = { marketplace: account(0x50), item: Address.parse(sold), seller: wallet.address, royalty: account(0x51) }
  const code = boc(codeByHash('8278f4c5233d'))
  await call('local.setAccount', { address: sale.toRawString(), balance: String(TON), code, data: boc(fixedPrice(terms, 2)) })
  await settle()
  await wallet.send([internal({ to: Address.parse(sold), value: '0.3', body: nftTransfer(sale, wallet.address) })])
  return { collection, given, sold, sale: sale.toRawString() }
}

const names = async ({ call, settle }: Clock, wallet: Wallet) => {
  const owner = wallet.address.toRawString()
  const { address: zone } = await call('local.deployCollection', { kind: 'dns', name: 'Names' })
  await settle()
  const { address: name } = await call('local.mintNft', { collection: zone, owner, domain: 'oak' })
  await settle()
  await wallet.send([internal({ to: Address.parse(name), value: '0.3', body: walletRecord(wallet.address) })])
  return { zone, name }
}

export const playTokens = async (clock: Clock, wallet: Wallet) => ({
  ...(await jettons(clock, wallet)),
  ...(await items(clock, wallet)),
  ...(await names(clock, wallet)),
})
