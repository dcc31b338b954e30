import { type Address, beginCell, Cell, contractAddress } from '@ton/core'
import { TonWeb } from './tonweb.ts'

/* Contracts whose code tonweb carries: TON's standard jetton and NFT contracts, data written here with @ton/core. */

interface WithCode {
  readonly options: { readonly code: { toBoc(idx?: boolean): Promise<Uint8Array> } }
}
const codeOf = async (contract: unknown): Promise<Cell> =>
  Cell.fromBoc(Buffer.from(await (contract as WithCode).options.code.toBoc(false)))[0]!

const { jetton, nft } = TonWeb.token
const provider = new TonWeb.HttpProvider('http://127.0.0.1:1')
const owner = new TonWeb.utils.Address(`0:${'11'.repeat(32)}`)

export const jettonWalletCode = Cell.fromBoc(Buffer.from(jetton.JettonWallet.codeHex, 'hex'))[0]!
export const jettonMinterCode = await codeOf(
  new jetton.JettonMinter(provider, { adminAddress: owner, jettonContentUri: '', jettonWalletCodeHex: jetton.JettonWallet.codeHex }),
)
export const nftItemCode = Cell.fromBoc(Buffer.from(nft.NftItem.codeHex, 'hex'))[0]!
export const nftCollectionCode = await codeOf(
  new nft.NftCollection(provider, {
    ownerAddress: owner,
    collectionContentUri: '',
    nftItemContentBaseUri: '',
    nftItemCodeHex: nft.NftItem.codeHex,
    royalty: 0,
    royaltyAddress: owner,
  }),
)

const offchain = (uri: string): Cell => beginCell().storeUint(1, 8).storeStringTail(uri).endCell()

/** total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell */
export const minterData = (admin: Address | null, uri: string, supply = 0n): Cell =>
  beginCell().storeCoins(supply).storeAddress(admin).storeRef(offchain(uri)).storeRef(jettonWalletCode).endCell()
/** balance:Coins owner:MsgAddress master:MsgAddress wallet_code:^Cell */
export const walletData = (balance: bigint, of: Address, master: Address): Cell =>
  beginCell().storeCoins(balance).storeAddress(of).storeAddress(master).storeRef(jettonWalletCode).endCell()
/** owner:MsgAddress next_item_index:uint64 content:^[collection:^ common:^] item_code:^ royalty:^ */
export const collectionData = (of: Address, next: number, uri: string, base: string): Cell =>
  beginCell()
    .storeAddress(of)
    .storeUint(next, 64)
    .storeRef(beginCell().storeRef(offchain(uri)).storeRef(beginCell().storeStringTail(base)))
    .storeRef(nftItemCode)
    .storeRef(beginCell().storeUint(0, 16).storeUint(1000, 16).storeAddress(of))
    .endCell()
/** index:uint64 collection:MsgAddress, and once initialised owner:MsgAddress content:^Cell */
export const itemData = (index: number, collection: Address, of?: Address, content = ''): Cell => {
  const b = beginCell().storeUint(index, 64).storeAddress(collection)
  return of ? b.storeAddress(of).storeRef(beginCell().storeStringTail(content)).endCell() : b.endCell()
}

/** The address at which code and first data deploy. */
export const addressOf = (code: Cell, data: Cell): Address => contractAddress(0, { code, data })
