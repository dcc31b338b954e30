import type { AccountFacts, Facts } from '../../../actions/facts.ts'

/*
 * The text in which the index stores the facts of a trace: a JSON object by address, sorted, so that equal facts give equal text. Big integers are JSON
 * strings.
 */

/** Members whose value is a big integer. */
const BIG_INTEGERS: ReadonlySet<string> = new Set(['index', 'price', 'lastBid'])

/** JSON has no big integers, so they are strings. */
export const jsonText = (value: object): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))

/** Facts about NFTs come last. */
const ordered = ({ nftItem, nftSale, nftAuction, ...rest }: AccountFacts) => ({ ...rest, nftItem, nftSale, nftAuction })

/** Yields after each account. */
export function* factText(facts: Facts): Generator<void, string> {
  const texts: string[] = []
  for (const address of [...facts.keys()].sort()) {
    texts.push(`"${address}":${jsonText(ordered(facts.get(address)!))}`)
    yield
  }
  return `{${texts.join(',')}}`
}

const parsed = (text: string): Readonly<Record<string, AccountFacts>> => {
  try {
    return JSON.parse(text, (name, value: unknown) => (BIG_INTEGERS.has(name) && typeof value === 'string' ? BigInt(value) : value))
  } catch {
    return {}
  }
}

/** Reads a text of `factText`. Null or damaged text gives no facts. */
export const factsOfText = (text: string | null): Facts => new Map(Object.entries(text === null ? {} : parsed(text)))
