import type { IncomingMessage } from 'node:http'
import type { Documents } from './docs/documents.ts'

/*
 * Chooses the network of a request: `/testnet/api/...` names it in the path, `testnet.<host>` in the Host header. All other requests go to the first
 * network.
 */

export interface ServedNetwork {
  readonly name: string
  /** Host names that select the network, besides `<name>.<any host>`; lower-case, without port. */
  readonly hosts: readonly string[]
  readonly served: readonly string[]
  documents(): Promise<Documents>
  /** TON global config (JSON) for lite-server clients that connect to `host`; undefined if the lite-server protocol is off. */
  globalConfig(host: string, signal: AbortSignal): Promise<string | undefined>
}

/** Removes the port. An IPv6 address stays in brackets, and selects no network. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase()

/**
 * Returns a function that returns the name of the network that a request addresses, and removes its prefix from `req.url`. The first of `networks` is the
 * default network.
 */
export const createNetworkChoice = (networks: readonly Pick<ServedNetwork, 'name' | 'hosts'>[]): ((req: IncomingMessage) => string) => {
  const names = new Set(networks.map(({ name }) => name))
  const first = networks[0]!
  const byHost = new Map(networks.flatMap(({ name, hosts }) => hosts.map((host) => [nameOf(host), name] as const)))

  const chosenByHost = ({ headers: { host } }: IncomingMessage): string => {
    if (networks.length === 1 || host === undefined) return first.name
    const name = nameOf(host)
    const label = name.slice(0, Math.max(0, name.indexOf('.')))
    return byHost.get(name) ?? (names.has(label) ? label : first.name)
  }

  return (req) => {
    const url = req.url ?? '/'
    // Most requests are calls, so their paths are checked first. No network can be named `api`.
    if (url.startsWith('/api/') || url === '/jsonRPC') return chosenByHost(req)
    const end = url.slice(1).search(/[/?]/) + 1 || url.length
    const name = url.slice(1, end)
    if (!names.has(name)) return chosenByHost(req)
    req.url = url[end] === '/' ? url.slice(end) : `/${url.slice(end)}`
    return name
  }
}
