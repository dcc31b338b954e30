import { parseBocRoot } from '../cell/boc.ts'
import { type Builder, beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { INTERNAL_TRANSFER } from '../protocols/jettons/bodies.ts'
import { MINT } from '../protocols/jettons/mint-burn.ts'
import { loadAddressInt, stdAddress, storeAddressInt } from '../tlb/address.ts'
import type { AccountId } from '../tlb/ids.ts'
import { stateInitCell } from '../tlb/state/state-init.ts'
import { code as dnsCollection } from './contracts/dns-collection.tolk'
import { code as dnsItem } from './contracts/dns-item.tolk'
import { code as dnsRoot } from './contracts/dns-root.tolk'
import { code as jettonMinter } from './contracts/jetton-minter.tolk'
import { code as jettonWallet } from './contracts/jetton-wallet.tolk'
import { code as nftCollection } from './contracts/nft-collection.tolk'
import { code as nftItem } from './contracts/nft-item.tolk'
import { code as sbtItem } from './contracts/sbt-item.tolk'

const cell = (code: string): Cell => parseBocRoot(Buffer.from(code, 'base64'))

export const codes = {
  jettonMinter: cell(jettonMinter),
  jettonWallet: cell(jettonWallet),
  nftCollection: cell(nftCollection),
  nftItem: cell(nftItem),
  sbtItem: cell(sbtItem),
  dnsCollection: cell(dnsCollection),
  dnsItem: cell(dnsItem),
  dnsRoot: cell(dnsRoot),
} as const

export interface NewContract {
  readonly id: AccountId
  readonly init: Cell
}

const contract = (code: Cell, data: Builder): NewContract => {
  const init = stateInitCell({ code, data: data.end() })
  return { id: { workchain: 0, hash: init.hash() }, init }
}

const storeAddress = (builder: Builder, id: AccountId | undefined): Builder =>
  storeAddressInt(builder, id && stdAddress(id.workchain, id.hash))

const loadAccount = (slice: ReturnType<Cell['slice']>): AccountId => {
  const address = loadAddressInt(slice)
  if (address.type !== 'std') throw new TypeError('the address is not addr_std without anycast')
  return { workchain: address.workchain, hash: address.hash }
}

export const jettonMinterOf = (admin: AccountId, content: Cell): NewContract =>
  contract(codes.jettonMinter, storeAddress(beginCell().storeCoins(0n), admin).storeRef(content).storeRef(codes.jettonWallet))

/** The admin in a minter's data; undefined if the jetton no longer has one. */
export const adminOf = (data: Cell): AccountId | undefined => {
  const slice = data.slice()
  slice.loadCoins()
  return slice.clone().loadUint(2) === 0 ? undefined : loadAccount(slice)
}

export const jettonWalletOf = (owner: AccountId, minter: AccountId): NewContract =>
  contract(codes.jettonWallet, storeAddress(storeAddress(beginCell().storeCoins(0n), owner), minter).storeRef(codes.jettonWallet))

/** Body of a mint message. `forWallet`: coins for the new wallet (nanograms). The remaining coins return to the admin as excesses. */
export const mintBody = (owner: AccountId, amount: bigint, forWallet: bigint, admin: AccountId): Cell => {
  const transfer = storeAddress(
    storeAddress(beginCell().storeUint(INTERNAL_TRANSFER, 32).storeUint(0, 64).storeCoins(amount), undefined),
    admin,
  )
    .storeCoins(0n)
    .storeBit(0)
    .end()
  return storeAddress(beginCell().storeUint(MINT, 32).storeUint(0, 64), owner).storeCoins(forWallet).storeRef(transfer).end()
}

export interface Royalty {
  readonly numerator: number
  readonly denominator: number
  readonly destination: AccountId
}

export type CollectionKind = 'nft' | 'sbt' | 'dns'

const itemCodes: Readonly<Record<CollectionKind, Cell>> = { nft: codes.nftItem, sbt: codes.sbtItem, dns: codes.dnsItem }

export const collectionOf = (kind: CollectionKind, owner: AccountId, content: Cell, royalty: Royalty): NewContract => {
  const share = storeAddress(beginCell().storeUint(royalty.numerator, 16).storeUint(royalty.denominator, 16), royalty.destination).end()
  return contract(
    kind === 'dns' ? codes.dnsCollection : codes.nftCollection,
    storeAddress(beginCell(), owner)
      .storeInt(kind === 'dns' ? -1 : 0, 257)
      .storeRef(content)
      .storeRef(itemCodes[kind])
      .storeRef(share),
  )
}

/** Fields of a collection deployed by this service; undefined if the data has another layout. */
export const readCollection = (
  data: Cell,
): { readonly kind: CollectionKind; readonly owner: AccountId; readonly nextIndex: bigint } | undefined => {
  const slice = data.slice()
  const owner = loadAccount(slice)
  const nextIndex = slice.loadIntBig(257)
  slice.loadRef()
  const itemCode = slice.loadRef()
  const kind = (Object.keys(itemCodes) as CollectionKind[]).find((each) => itemCodes[each].equals(itemCode))
  return kind && { kind, owner, nextIndex }
}

export const itemOf = (kind: CollectionKind, index: bigint, collection: AccountId): NewContract =>
  contract(itemCodes[kind], storeAddress(beginCell().storeUint(index, 256), collection))

/** Initial owner, content and (for `sbt`) authority of a new item. The collection forwards this cell to the item. */
export const itemState = (kind: CollectionKind, owner: AccountId, content: Cell, authority: AccountId | undefined): Cell => {
  const state = storeAddress(beginCell(), owner).storeRef(content)
  return (kind === 'sbt' ? state.storeRef(storeAddress(beginCell(), authority).storeUint(0, 64).end()) : state).end()
}

export const deployItemBody = (index: bigint, forItem: bigint, init: Cell): Cell =>
  beginCell().storeUint(1, 32).storeUint(0, 64).storeUint(index, 256).storeCoins(forItem).storeRef(init).end()

const domainCell = (name: string): Cell => beginCell().storeBytes(Buffer.from(name, 'utf8')).end()
/** Index of a domain's NFT item: the hash of the cell that contains the name. */
export const domainIndex = (name: string): bigint => BigInt(`0x${domainCell(name).hashHex()}`)
/** Content of a new domain: its DNS records and its name. */
export const domainContent = (records: Cell | undefined, name: string): Cell =>
  beginCell().storeUint(0, 8).storeMaybeRef(records).storeRef(domainCell(name)).end()

export const dnsRootOf = (domain: string, collection: AccountId): NewContract =>
  contract(codes.dnsRoot, storeAddress(beginCell().storeRef(domainCell(domain)), collection))
