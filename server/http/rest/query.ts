import { type ParsedUrlQuery, parse } from 'node:querystring'

const NONE: ParsedUrlQuery = Object.freeze(Object.create(null))

/**
 * A query string as raw params: texts by name, an array for a name given twice. Broken percent-encoding is kept as it is. All of it is read (node
 * stops after 1,000 names unless told): a filter that falls off the end would tell of everybody. The URL's length bounds it.
 */
export const readQuery = (text: string): ParsedUrlQuery => (text === '' ? NONE : parse(text, '&', '=', { maxKeys: 0 }))

/** Belongs to the gateway, not to a method. */
export const API_KEY = 'api_key'

/** Value of X-Unknown-Params: percent-encoded names with commas between, at most ten and 200 bytes of them. */
export const unknownHeader = (names: readonly string[]): string => {
  let text = ''
  for (const name of names.slice(0, 10)) {
    const next = text + (text && ', ') + encode(name)
    if (next.length > 200) break
    text = next
  }
  return text
}

/** A lone surrogate has no percent-encoding. */
const encode = (name: string): string => encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'))

/** The same with `name[]` read as `name`, as v3 takes it (v3.md 1.4). */
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
