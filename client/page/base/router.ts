import { hashToHex } from './address.ts'
import { createStore } from './store.ts'

/* Routes are URL fragments, so that the page works under any prefix, host and proxy path: `#/account/EQ.../tokens`. */

/** The decoded parts of the URL fragment: `['account', 'EQ...', 'tokens']`. */
export type Route = readonly string[]

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The service also serves this page at /docs. Converts `/docs` to the list of methods, and `/docs#getAddressBalance` to one method. */
const readDocsAddress = (): void => {
  if (!location.pathname.endsWith('/docs')) return
  const name = location.hash.replace(/^#\/?(methods\/)?/, '')
  history.replaceState(null, '', `./#/methods${name === '' ? '' : `/${name}`}`)
}

const read = (): Route =>
  location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decode)

readDocsAddress()
export const route = createStore<Route>(read())
addEventListener('hashchange', () => {
  route.set(read())
  scrollTo(0, 0)
})

/** The link to a view. The parts are escaped, because names on the chain can contain any characters. */
export const hrefOf = (...parts: readonly (string | number)[]): string => `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`

/** The link to a transaction by its hash in any form. The link contains the hash in hex, as views show it. */
export const txHref = (hash: string): string => hrefOf('tx', hashToHex(hash) ?? hash)

export const goTo = (...parts: readonly (string | number)[]): void => {
  location.hash = hrefOf(...parts)
}
