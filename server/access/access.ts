import type { Log } from '../base/log.ts'
import type { Gate } from '../dispatch/types.ts'
import type { AccessFigures } from '../metrics/figures.ts'
import type { Refusal } from '../metrics/meter.ts'
import type { RequestSource } from '../net/request-source.ts'
import { createClientAddress } from './client-address.ts'
import { createGate, type NetworkRules } from './gate.ts'
import type { KeyDatabase, KeyDatabaseDeps, OpenedDatabase } from './key-database.ts'
import { createKeyDirectory } from './key-directory.ts'
import type { KeyRecord, KeyStore } from './key-store.ts'
import { createMemoryLimiter, type Limiter } from './limiter.ts'

/** Access settings of a network. */
export interface AccessSettings {
  /** `on`: keys are checked; `auto`: they are checked if calls without a key are limited. */
  readonly keys: 'auto' | 'on' | 'off'
  /** Units per second without a key; `auto`: 1, or unlimited on an embedded chain. */
  readonly anonymousRps: 'auto' | 'unlimited' | number
}

export interface AccessDeps {
  readonly networks: readonly (AccessSettings & { readonly name: string; readonly local: boolean })[]
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Opens the database of the keys; undefined if no keys can exist. */
  readonly open: ((signal: AbortSignal) => Promise<OpenedDatabase>) | undefined
  /** Counts units in place of this process's own limiter. */
  readonly limiter?: Limiter | undefined
  readonly refused?: ((why: Refusal) => void) | undefined
  readonly log: Log
  /** Unix milliseconds, and monotonic milliseconds; by default the system's clocks. */
  readonly now?: (() => number) | undefined
  readonly ticks?: (() => number) | undefined
}

/** Keys, plans and limits of the service. */
export interface Access {
  readonly gate: Gate
  readonly clientAddress: (req: RequestSource) => string
  /** Rejects with UNAVAILABLE while the key database is away; undefined if there is none. */
  store: (() => Promise<KeyStore>) | undefined
  /** Owners of valid keys of a network. Rejects while the key database is away; undefined if there is none. */
  owners: ((network: string) => Promise<ReadonlySet<string>>) | undefined
  figures(): AccessFigures
  close(): Promise<void>
}

/** The rules that follow from a network's settings. */
const rulesOf = ({ keys, anonymousRps, local }: AccessSettings & { readonly local: boolean }): NetworkRules => {
  const told = anonymousRps === 'auto' ? (local ? 'unlimited' : 1) : anonymousRps
  const anonymous = told === 'unlimited' ? Number.POSITIVE_INFINITY : told
  return { anonymous, keys: keys === 'auto' ? anonymous < Number.POSITIVE_INFINITY : keys === 'on' }
}

/** `createKeyDatabase`. Its code, with the driver of PostgreSQL and the migrations, is loaded only here, because most embedded chains have no keys. */
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
