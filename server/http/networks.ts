import type { IncomingMessage } from 'node:http'
import type { Documents } from './docs/docs.ts'

/* Which network a request is for: `/testnet/api/...` names it in the path, `testnet.<host>` in the Host header. Others get the first network. */

/** What the transports know about a network besides its status (ops/health.ts). */
export interface ServedNetwork {
  readonly name: string
  /** Host names that select it, besides `<name>.<any host>`; lower-case, without port. */
  readonly hosts: readonly string[]
  /** Names of the methods that it answers. */
  readonly served: readonly string[]
  /** The API documents of this network. */
  documents(): Promise<Documents>
  /** TON global config (JSON) for tools that connect to this host name; undefined if the lite-server protocol is off. */
  globalConfig(host: string, signal: AbortSignal): Promise<string | undefined>
}

/** Returns the name of the network that a request addresses, and removes its prefix from `req.url`. */
export type NetworkChoice = (req: IncomingMessage) => string

/** Lower-case, without port. A name in brackets is an IPv6 address and selects no network. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()

/** The first of `networks` is the default. */
export const createNetworkChoice = (networks: readonly Pick<ServedNetwork, 'name' | 'hosts'>[]): NetworkChoice => {
  const names = new Set(networks.map(({ name }) => name))
  const [first] = networks
  if (first === undefined) throw new Error('no network is served')
  const byHost = new Map(networks.flatMap(({ name, hosts }) => hosts.map((host) => [nameOf(host), name] as const)))

  const chosenByHost = ({ headers: { host } }: IncomingMessage): string => {
    if (networks.length === 1 || host === undefined) return first.name
    const name = nameOf(host)
    const label = name.slice(0, Math.max(0, name.indexOf('.')))
    return byHost.get(name) ?? (names.has(label) ? label : first.name)
  }

  return (req) => {
    const url = req.url ?? '/'
    // Most requests are calls, so their paths come first. No network may be named `api`.
    if (url.startsWith('/api/') || url === '/jsonRPC') return chosenByHost(req)
    const end = url.slice(1).search(/[/?]/) + 1 || url.length
    const name = url.slice(1, end)
    if (!names.has(name)) return chosenByHost(req)
    req.url = url[end] === '/' ? url.slice(end) : `/${url.slice(end)}`
    return name
  }
}
