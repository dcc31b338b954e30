import type { AccountFacts, Facts } from '../../../actions/facts.ts'

/*
 * The text in which the index stores the facts of a trace: a JSON object by address, sorted, so that equal facts give equal text. Big integers are JSON
 * strings.
 */

const whole = (value: bigint | null): string | null => (value === null ? null : value.toString())
const number = (value: string | null | undefined): bigint | null => (value === null || value === undefined ? null : BigInt(value))

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

export const factText = (facts: Facts): string | undefined => {
  if (facts.size === 0) return undefined
  const sorted = [...facts].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(sorted.map(([address, of]) => [address, written(of)])))
}

const parsed = (text: string): Readonly<Record<string, Written>> => {
  try {
    return JSON.parse(text) as Record<string, Written>
  } catch {
    return {}
  }
}

/** Reads a text of `factText`. Null or damaged text gives no facts. */
export const factsOfText = (text: string | null): Facts =>
  new Map(Object.entries(text === null ? {} : parsed(text)).map(([address, facts]) => [address, read(facts)]))
