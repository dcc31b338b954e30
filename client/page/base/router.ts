import { hashToHex } from './address.ts'
import { createStore } from './store.ts'

/* Routes are hashes, so that the page works under any prefix, host and proxy path: `#/account/EQ.../tokens`. */

/** The parts of the address, decoded: `['account', 'EQ...', 'tokens']`. */
export type Route = readonly string[]

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `/docs` is the list of methods, and `/docs#getAddressBalance` one of them. The service sends the page there too. */
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

/** The address of a view. Parts are escaped, since names on the chain hold anything. */
export const hrefOf = (...parts: readonly (string | number)[]): string => `#/${parts.map((part) => encodeURIComponent(part)).join('/')}`

/** The address of the view of a transaction, by its hash in any form. Hex is the form that views show. */
export const txHref = (hash: string): string => hrefOf('tx', hashToHex(hash) ?? hash)

export const goTo = (...parts: readonly (string | number)[]): void => {
  location.hash = hrefOf(...parts)
}
