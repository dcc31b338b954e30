import type { IncomingMessage } from 'node:http'
import type { Documents } from './docs/docs.ts'

/* Which network a request is for: `/testnet/api/...` says so in its path, `testnet.<host>` in its Host header, all others get the first network. */

/** What the transports know of a network besides its status (health.ts). */
export interface ServedNetwork {
  readonly name: string
  /** Host names that choose it besides `<name>.<any host>`; lower-case, without port. */
  readonly hosts: readonly string[]
  /** The documents of what is served on it. */
  documents(): Promise<Documents>
  /** TON's config for tools that connect to this host name; undefined where the lite-server protocol is off. */
  globalConfig(host: string, signal: AbortSignal): Promise<string | undefined>
}

/** Gives the name of the network that a request addresses, and takes the prefix that says so out of `req.url`. */
export type NetworkChoice = (req: IncomingMessage) => string

/** Host headers whose network is remembered. */
const MOST_HOSTS = 1_000

/** Lower-case, without port; a name in brackets is an address and chooses nothing. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()

/** The first of `networks` is the default. */
export const createNetworkChoice = (networks: readonly Pick<ServedNetwork, 'name' | 'hosts'>[]): NetworkChoice => {
  const names = new Set(networks.map(({ name }) => name))
  const [first] = networks
  if (first === undefined) throw new Error('no network is served')
  const byHost = new Map(networks.flatMap(({ name, hosts }) => hosts.map((host) => [nameOf(host), name] as const)))
  const known = new Map<string, string>()

  const find = (host: string): string => {
    const name = nameOf(host)
    const label = name.slice(0, Math.max(0, name.indexOf('.')))
    return byHost.get(name) ?? (names.has(label) ? label : first.name)
  }
  const chosenByHost = (req: IncomingMessage): string => {
    const { host } = req.headers
    if (networks.length === 1 || host === undefined) return first.name
    let name = known.get(host)
    if (name === undefined) {
      name = find(host)
      if (known.size < MOST_HOSTS) known.set(host, name)
    }
    return name
  }

  return (req) => {
    const url = req.url ?? '/'
    // The paths of calls, by far the most: no network may be called `api`.
    if (url.startsWith('/api/') || url === '/jsonRPC') return chosenByHost(req)
    const end = url.slice(1).search(/[/?]/) + 1 || url.length
    const name = url.slice(1, end)
    if (!names.has(name)) return chosenByHost(req)
    req.url = url[end] === '/' ? url.slice(end) : `/${url.slice(end)}`
    return name
  }
}
