import { type Address, beginCell, type Cell } from '@ton/core'

/* Data of Getgems' sale and auction contracts, as their repository (getgems-io/nft-contracts) lays it out. */

export interface Terms {
  readonly marketplace: Address
  readonly item: Address
  readonly seller: Address | null
  readonly royalty: Address
}

const PRICE = 2_000_000_000n
const FEES = { marketplace: 100_000_000n, royalty: 50_000_000n }

/** v2 and, with two members more, v3 revision 3. */
export const fixedPrice = (terms: Terms, version: 2 | 3): Cell => {
  const fees = beginCell()
    .storeAddress(terms.marketplace)
    .storeCoins(FEES.marketplace)
    .storeAddress(terms.royalty)
    .storeCoins(FEES.royalty)
    .endCell()
  const data = beginCell()
    .storeBit(0)
    .storeUint(1_700_000_000, 32)
    .storeAddress(terms.marketplace)
    .storeAddress(terms.item)
    .storeAddress(terms.seller)
    .storeCoins(PRICE)
    .storeRef(fees)
  return version === 2 ? data.endCell() : data.storeUint(0, 32).storeUint(0, 64).endCell()
}

/** v4: shares in thousandths of a percent. */
export const fixedPriceV4 = (terms: Terms): Cell =>
  beginCell()
    .storeBit(0)
    .storeAddress(terms.marketplace)
    .storeAddress(terms.seller)
    .storeCoins(PRICE)
    .storeUint(0, 32)
    .storeUint(0, 64)
    .storeRef(
      beginCell()
        .storeAddress(terms.marketplace)
        .storeAddress(terms.royalty)
        .storeUint(5_000, 17)
        .storeUint(2_500, 17)
        .storeAddress(terms.item)
        .storeUint(1_700_000_000, 32)
        .endCell(),
    )
    .storeBit(0)
    .storeBit(0)
    .endCell()

/** v2 and v3 revision 2. */
export const auction = (terms: Terms, end: number): Cell =>
  beginCell()
    .storeBit(0)
    .storeBit(terms.seller !== null)
    .storeBit(0)
    .storeUint(0, 2)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeUint(end, 32)
    .storeAddress(terms.seller)
    .storeRef(
      beginCell()
        .storeAddress(terms.marketplace)
        .storeUint(5, 32)
        .storeUint(100, 32)
        .storeAddress(terms.royalty)
        .storeUint(1, 32)
        .storeUint(100, 32)
        .endCell(),
    )
    .storeRef(
      beginCell()
        .storeUint(8_449_000, 32)
        .storeAddress(terms.marketplace)
        .storeCoins(1_000_000_000n)
        .storeCoins(50_000_000_000n)
        .storeCoins(5)
        .storeUint(300, 32)
        .storeAddress(terms.item)
        .storeUint(1_700_000_000, 32)
        .endCell(),
    )
    .endCell()

/** v4 revision 1, for coins. */
export const auctionV4 = (terms: Terms, end: number): Cell =>
  beginCell()
    .storeBit(0)
    .storeBit(0)
    .storeAddress(null)
    .storeCoins(0)
    .storeUint(0, 32)
    .storeUint(end, 32)
    .storeAddress(terms.seller)
    .storeUint(0, 64)
    .storeRef(
      beginCell()
        .storeAddress(terms.marketplace)
        .storeAddress(terms.royalty)
        .storeUint(5, 32)
        .storeUint(100, 32)
        .storeUint(1, 32)
        .storeUint(100, 32)
        .endCell(),
    )
    .storeRef(
      beginCell()
        .storeAddress(terms.marketplace)
        .storeCoins(1_000_000_000n)
        .storeCoins(50_000_000_000n)
        .storeUint(5, 7)
        .storeUint(300, 17)
        .storeAddress(terms.item)
        .storeUint(1_700_000_000, 32)
        .endCell(),
    )
    .storeBit(0)
    .endCell()
