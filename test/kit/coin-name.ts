/* The coin's name: Gram, GRAM, nanogram. The network is called TON, so only those uses of the word are found that speak of the coin. */

/** Names that begin with TON and are not about the coin. */
const NETWORK = "(?! (?:Center|DNS|Connect|Sites?|Storage|Whales|mainnet|testnet|chain|blockchain|global|access|network|lite)\\b|[’'.-])"
const OLD = new RegExp(
  [
    // A unit behind a number or a value, and what people are asked for.
    `(?:[\\d…}]|\\b(?:one|two|five|a thousand))[\\s\\u202f\\u00a0]*\\bTON\\b${NETWORK}`,
    `\\b(?:[Aa]mounts?|[Bb]alances?|[Nn]umber|[Pp]ayments?|[Ss]upply|[Oo]rders?) (?:is |are )?(?:in|of|as) TON\\b${NETWORK}`,
    '<TON>|\\bTON as \\d|(?<!proxy )\\bTON (?:amounts?|balances?|coins?|price|fees?|transfer|vault)\\b',
    // The smallest unit; in code marks it is a name of code.
    '(?<![`\\w])[Nn]anotons?(?![`\\w])',
  ].join('|'),
  'g',
)
const TONCOIN = /\btoncoins?\b/gi

/** Where a text calls the coin by its old name, with the words around. */
export const oldNames = (text: string): string[] =>
  [...text.matchAll(OLD), ...text.matchAll(TONCOIN)].map(({ index }) =>
    text.slice(Math.max(0, index - 30), index + 30).replace(/\s+/g, ' '),
  )

/** The same for a place that says once what the coin was called: it throws unless that is there. */
export const oldNamesBeside = (once: string, text: string): string[] => {
  if (!text.includes(once)) throw new Error(`“${once}” is missing`)
  return oldNames(text.replace(once, ''))
}
