import type { Log } from '../base/log.ts'
import type { Gate } from '../dispatch/types.ts'
import type { AccessFigures } from '../metrics/figures.ts'
import type { Refusal } from '../metrics/meter.ts'
import type { RequestSource } from '../net/request-source.ts'
import { createClientAddress } from './client-address.ts'
import { createGate, type NetworkRules } from './gate.ts'
import type { KeyDatabase, KeyDatabaseDeps, OpenedDatabase } from './key-database.ts'
import { createKeyDirectory } from './key-directory.ts'
import type { KeyRecord, KeyStore } from './key-queries.ts'
import { createMemoryLimiter, type Limiter } from './limiter.ts'

export interface AccessSettings {
  /** `on`: keys are checked. `auto`: keys are checked only if calls without a key are limited. */
  readonly keys: 'auto' | 'on' | 'off'
  /** Limit for callers without a key, in units per second. `auto`: 1 in general, unlimited on an embedded chain. */
  readonly anonymousRps: 'auto' | 'unlimited' | number
}

export interface AccessDeps {
  readonly networks: readonly (AccessSettings & { readonly name: string; readonly local: boolean })[]
  readonly trustedProxies: readonly string[]
  readonly open: ((signal: AbortSignal) => Promise<OpenedDatabase>) | undefined
  /** Counts units; by default within this process. */
  readonly limiter?: Limiter | undefined
  readonly refused?: ((why: Refusal) => void) | undefined
  readonly log: Log
  /** Clocks: unix milliseconds (`now`) and monotonic milliseconds (`ticks`). By default those of the system. */
  readonly now?: (() => number) | undefined
  readonly ticks?: (() => number) | undefined
}

export interface Access {
  readonly gate: Gate
  readonly clientAddress: (req: RequestSource) => string
  /** Resolves with the store. Rejects with UNAVAILABLE while the key database is not reachable. undefined if there is no key database. */
  store: (() => Promise<KeyStore>) | undefined
  /** Resolves with the owners of valid keys of a network. Rejects while the key database is not reachable. undefined if there is no key database. */
  owners: ((network: string) => Promise<ReadonlySet<string>>) | undefined
  figures(): AccessFigures
  close(): Promise<void>
}

const rulesOf = ({ keys, anonymousRps, local }: AccessSettings & { readonly local: boolean }): NetworkRules => {
  const rate = anonymousRps === 'auto' ? (local ? 'unlimited' : 1) : anonymousRps
  const anonymous = rate === 'unlimited' ? Number.POSITIVE_INFINITY : rate
  return { anonymous, keys: keys === 'auto' ? anonymous < Number.POSITIVE_INFINITY : keys === 'on' }
}

/** Calls `createKeyDatabase`. Its module is imported only here, with the PostgreSQL driver and the migrations, because most embedded chains have no keys. */
const createLateKeyDatabase = (deps: KeyDatabaseDeps): KeyDatabase => {
  let open: KeyDatabase | undefined
  const loading = import('./key-database.ts').then(({ createKeyDatabase }) => {
    open = createKeyDatabase(deps)
    return open
  })
  return {
    store: async () => (await loading).store(),
    well: () => open?.well() ?? false,
    close: async () => (await loading).close(),
  }
}

export const createAccess = (deps: AccessDeps): Access => {
  const { log, now = Date.now, ticks = () => performance.now(), refused = () => {} } = deps
  const rules = new Map(deps.networks.map((network) => [network.name, rulesOf(network)]))
  const limiter = deps.limiter ?? createMemoryLimiter(ticks)
  const looksAtKeys = [...rules.values()].some(({ keys }) => keys)

  const directory =
    looksAtKeys && deps.open ? createKeyDirectory({ now, ticks, grants: async (ids) => (await database!.store()).grants(ids) }) : undefined
  const database: KeyDatabase | undefined =
    directory && deps.open ? createLateKeyDatabase({ open: deps.open, log, now, ticks, saw: directory.saw }) : undefined
  const clientAddress = createClientAddress(deps.trustedProxies)
  return {
    gate: createGate({ rules, directory, limiter, clientAddress, now, refused }),
    clientAddress,
    store: database && (() => database.store()),
    owners:
      database &&
      (async (network) => {
        const all = await (await database.store()).list({ network })
        const isValid = ({ revokedAt, expiresAt }: KeyRecord): boolean =>
          revokedAt === undefined && (expiresAt === undefined || expiresAt.getTime() > now())
        return new Set(all.filter(isValid).map(({ owner }) => owner))
      }),
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
