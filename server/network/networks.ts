import { TonError } from '../../shared/errors.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { withFields } from '../base/log.ts'
import { isIndexed, type NetworkConfig } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { createMeter, type Meter } from '../metrics/meter.ts'
import { createDatabase, type Database } from '../store/postgres/database-server.ts'
import { checkDataDirectory } from './data-directory.ts'
import type { Network, NetworkDeps } from './network.ts'
import { SHARED_PAUSE, type SharedSource } from './shared-lite-server.ts'
import { createSupervisor, notServed, type Supervisor } from './supervisor.ts'

export interface OpenDeps extends Pick<NetworkDeps, 'log' | 'tvm' | 'from'> {
  readonly clock?: Clock | undefined
  readonly meter?: Meter | undefined
  /** The PostgreSQL of the process, which the caller closes. Without it the networks open and close their own. */
  readonly database?: Database | undefined
  readonly sources?: ReadonlyMap<string, SharedSource> | undefined
  readonly keyOwners?: ((network: string, of: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
  readonly openrpc?: ((network: string) => Promise<string>) | undefined
}

/** Returns whether another attempt may help. Lite-servers may become reachable, but a wrong setting or a locked directory does not change by itself. */
const isTransient = (error: unknown): boolean => error instanceof TonError

export type Networks = ReturnType<typeof openNetworks>

/**
 * Opens the networks of the settings in the background, each with its own supervisor. Throws an Error whose message is for the user if a data directory
 * contains the embedded chain of another network.
 */
export const openNetworks = (config: Config, configs: readonly NetworkConfig[], deps: OpenDeps) => {
  for (const each of configs) checkDataDirectory(each)
  const { log, clock = systemClock, meter = createMeter(), tvm, openrpc = async () => '{}', keyOwners } = deps
  const database = deps.database ?? createDatabase(config)
  const open = async (each: NetworkConfig, signal: AbortSignal): Promise<Network> => {
    const own = each.databaseUrl === config.databaseUrl ? database : createDatabase(each)
    // Starts a temporary PostgreSQL while the network's code is loaded. A PostgreSQL in a data directory starts only after the chain has locked that
    // directory. Errors surface where the database is used.
    if (isIndexed(each) && each.dataDir === undefined && each.databaseUrl === undefined) own.open(each.database, signal).catch(() => {})
    const { createNetwork } = await import('./network.ts')
    return createNetwork(each, {
      keyOwners: keyOwners && ((of) => keyOwners(each.name, of)),
      log: withFields(log, { network: each.name }),
      clock,
      database: own,
      tvm,
      from: deps.from,
      shared: deps.sources?.get(each.name),
      networks: configs.length,
      signal,
    })
  }
  const supervisors = configs.map((each) =>
    createSupervisor(each, {
      log,
      now: clock.now,
      meter,
      open,
      ...(deps.sources?.get(each.name)?.opens === false && { longestPause: SHARED_PAUSE }),
      openrpc: () => openrpc(each.name),
    }),
  )
  const close = async (): Promise<void> => {
    await Promise.all(supervisors.map((supervisor) => supervisor.close()))
    if (deps.database === undefined) await database.close()
  }
  const byName = new Map(supervisors.map((supervisor) => [supervisor.config.name, supervisor]))
  const dispatch: Dispatch = (name, raw, call, source) =>
    byName.get(call.network)?.dispatch(name, raw, call, source) ?? notServed(call.network)
  return {
    supervisors,
    supervisor: (name: string): Supervisor | undefined => byName.get(name),
    dispatch: supervisors.length === 1 ? supervisors[0]!.dispatch : dispatch,
    /**
     * Resolves when calls can be served: each embedded chain was tried once, and one network is ready or all networks were tried. Rejects if no network can
     * be served and another attempt would not help; then all are closed.
     */
    async started(): Promise<void> {
      await Promise.all(supervisors.filter((supervisor) => supervisor.config.local).map(({ opened }) => opened))
      const served = supervisors.map(async ({ opened }) => {
        const error = await opened
        if (error !== undefined) throw error
      })
      await Promise.any(served).catch(async ({ errors }: AggregateError) => {
        if (errors.some(isTransient)) return
        await close()
        throw errors[0]
      })
    },
    close,
  }
}
