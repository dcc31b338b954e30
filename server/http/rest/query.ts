import { type ParsedUrlQuery, parse } from 'node:querystring'

/**
 * Parses a query string: a string for each name, an array for a repeated name. Invalid percent-encoding stays as it is. The number of names is not limited
 * (node's default is 1,000): if a filter were dropped, the answer would cover all accounts. The limit of the URL bounds the work.
 */
export const readQuery = (text: string): ParsedUrlQuery => parse(text, '&', '=', { maxKeys: 0 })

/** Value of X-Unknown-Params: percent-encoded names, separated by commas. At most 10 names and 200 bytes. */
export const unknownHeader = (names: readonly string[]): string => {
  let text = ''
  for (const name of names.slice(0, 10)) {
    const next = text + (text && ', ') + encode(name)
    if (next.length > 200) break
    text = next
  }
  return text
}

/** A lone surrogate has no percent-encoding, so it becomes U+FFFD. */
const encode = (name: string): string => encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'))

/** Renames `name[]` to `name`: TON Center's v3 accepts both. */
export const withoutBrackets = (query: ParsedUrlQuery): ParsedUrlQuery => {
  const bracketed = Object.keys(query).filter((name) => name.endsWith('[]'))
  if (bracketed.length === 0) return query
  const out: ParsedUrlQuery = Object.assign(Object.create(null), query)
  for (const name of bracketed) {
    const plain = name.slice(0, -2)
    out[plain] = [out[plain] ?? [], out[name] ?? []].flat()
    delete out[name]
  }
  return out
}
