import type { AccountFacts, Facts } from '../../../actions/facts.ts'

/*
 * Facts as the index stores them beside a trace: JSON by address, in the order of the addresses, so that equal facts are equal texts. Whole
 * numbers of any size are texts in it.
 */

const whole = (value: bigint | null): string | null => (value === null ? null : value.toString())
const number = (value: string | null | undefined): bigint | null => (value === null || value === undefined ? null : BigInt(value))

/** What JSON makes of the facts of one account: the same, with texts where there are bigints. */
type Written = Omit<AccountFacts, 'nftItem' | 'nftSale' | 'nftAuction'> & {
  readonly nftItem?: Omit<NonNullable<AccountFacts['nftItem']>, 'index'> & { readonly index: string | null }
  readonly nftSale?: Omit<NonNullable<AccountFacts['nftSale']>, 'price'> & { readonly price: string | null }
  readonly nftAuction?: Omit<NonNullable<AccountFacts['nftAuction']>, 'lastBid'> & { readonly lastBid: string | null }
}

const written = ({ nftItem, nftSale, nftAuction, ...rest }: AccountFacts): Written => ({
  ...rest,
  ...(nftItem && { nftItem: { ...nftItem, index: whole(nftItem.index) } }),
  ...(nftSale && { nftSale: { ...nftSale, price: whole(nftSale.price) } }),
  ...(nftAuction && { nftAuction: { ...nftAuction, lastBid: whole(nftAuction.lastBid) } }),
})

const read = ({ nftItem, nftSale, nftAuction, ...rest }: Written): AccountFacts => ({
  ...rest,
  ...(nftItem && { nftItem: { ...nftItem, index: number(nftItem.index) } }),
  ...(nftSale && { nftSale: { ...nftSale, price: number(nftSale.price) } }),
  ...(nftAuction && { nftAuction: { ...nftAuction, lastBid: number(nftAuction.lastBid) } }),
})

/** The facts as text; undefined where nothing is known. */
export const factText = (facts: Facts): string | undefined => {
  if (facts.size === 0) return undefined
  const sorted = [...facts].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(sorted.map(([address, known]) => [address, written(known)])))
}

const parsed = (text: string): Readonly<Record<string, Written>> => {
  try {
    return JSON.parse(text) as Record<string, Written>
  } catch {
    return {}
  }
}

/** The facts of a text that `factText` made; none for null, and for a text that was damaged since. */
export const factsOfText = (text: string | null): Facts =>
  new Map(Object.entries(text === null ? {} : parsed(text)).map(([address, known]) => [address, read(known)]))
