import type { IncomingMessage } from 'node:http'
import type { MethodDef } from '../../shared/method.ts'
import type { Log } from '../base/log.ts'
import type { Dispatch, Gate } from '../dispatch/types.ts'
import type { AccessFigures } from '../metrics/figures.ts'
import type { Refusal } from '../metrics/meter.ts'
import { createClientAddress } from './address.ts'
import { createCharged } from './charge.ts'
import { createGate, type NetworkRules } from './gate.ts'
import { createKeyDatabase, type KeyDatabase, type OpenedDatabase } from './key-database.ts'
import { createKeyDirectory } from './key-directory.ts'
import type { KeyStore } from './key-store.ts'
import { createMemoryLimiter, type Limiter } from './limiter.ts'

/** What the settings say of access. */
export interface AccessSettings {
  /** `on`: keys are looked at; `auto`: where calls without one are limited. */
  readonly keys: 'auto' | 'on' | 'off'
  /** Units a second without a key; `auto`: 1, and on an embedded chain as many as come. */
  readonly anonymousRps: 'auto' | 'unlimited' | number
}

export interface AccessDeps {
  readonly networks: readonly (AccessSettings & { readonly name: string; readonly local: boolean })[]
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly methods: Readonly<Record<string, MethodDef>>
  /** Opens the database of the keys; undefined where nobody could have put a key. */
  readonly open: ((signal: AbortSignal) => Promise<OpenedDatabase>) | undefined
  /** Counts somewhere else than in this process. */
  readonly limiter?: Limiter | undefined
  readonly refused?: ((why: Refusal) => void) | undefined
  readonly log: Log
  /** Unix milliseconds, and milliseconds that never go back; the system's unless given. */
  readonly now?: (() => number) | undefined
  readonly ticks?: (() => number) | undefined
}

/** Keys, plans and limits of the service. */
export interface Access {
  readonly gate: Gate
  readonly clientAddress: (req: IncomingMessage) => string
  /** The same dispatch with the weight of each call taken from its caller first. */
  charge(dispatch: Dispatch): Dispatch
  /** Rejects with UNAVAILABLE where there is no database of keys, or not now. */
  store: (() => Promise<KeyStore>) | undefined
  figures(): AccessFigures
  close(): Promise<void>
}

/** What the settings of a network come to. */
const rulesOf = ({ keys, anonymousRps, local }: AccessSettings & { readonly local: boolean }): NetworkRules => {
  const told = anonymousRps === 'auto' ? (local ? 'unlimited' : 1) : anonymousRps
  const anonymous = told === 'unlimited' ? Number.POSITIVE_INFINITY : told
  return { anonymous, keys: keys === 'auto' ? anonymous < Number.POSITIVE_INFINITY : keys === 'on' }
}

export const createAccess = (deps: AccessDeps): Access => {
  const { log, now = Date.now, ticks = () => performance.now(), refused = () => {} } = deps
  const rules = new Map(deps.networks.map((network) => [network.name, rulesOf(network)]))
  const limiter = deps.limiter ?? createMemoryLimiter(ticks)
  const looksAtKeys = [...rules.values()].some(({ keys }) => keys)

  const directory =
    looksAtKeys && deps.open ? createKeyDirectory({ now, ticks, grants: async (ids) => (await database!.store()).grants(ids) }) : undefined
  const database: KeyDatabase | undefined =
    directory && deps.open
      ? createKeyDatabase({ open: deps.open, log, now, ticks, changed: directory.changed, confirmed: directory.confirmed })
      : undefined
  const clientAddress = createClientAddress(deps.trustedProxies)
  return {
    gate: createGate({ rules: (network) => rules.get(network)!, directory, limiter, clientAddress, now, refused }),
    clientAddress,
    charge: (dispatch) => createCharged(dispatch, deps.methods, refused),
    store: database && (() => database.store()),
    figures: () => ({
      keys: database === undefined ? 'none' : database.well() ? 'ready' : 'away',
      known_keys: directory?.size() ?? 0,
      limits: limiter.place(),
    }),
    async close() {
      directory?.close()
      await Promise.all([database?.close(), limiter.close()])
    },
  }
}
