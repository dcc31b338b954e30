import { type ParsedUrlQuery, parse } from 'node:querystring'

const NONE: ParsedUrlQuery = Object.freeze(Object.create(null))

/**
 * A query string as raw params: a string per name, an array if a name is repeated. Broken percent-encoding stays as it is. All of it is read (node
 * stops after 1,000 names by default): without a dropped filter the answer would cover everybody. The URL limit bounds it.
 */
export const readQuery = (text: string): ParsedUrlQuery => (text === '' ? NONE : parse(text, '&', '=', { maxKeys: 0 }))

/** Value of X-Unknown-Params: percent-encoded names separated by commas, at most 10 names and 200 bytes. */
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

/** The query with `name[]` read as `name`, as TON Center's v3 does. */
export const withoutBrackets = (query: ParsedUrlQuery): ParsedUrlQuery => {
  if (query === NONE) return query
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
