import * as z from 'zod'
import { didYouMean, suggest } from '../base/suggest.ts'
import { publishedNetworks } from './global-config-text.ts'
import { list, networkName } from './setting-types.ts'
import { type Config, type OwnName, type OwnSettings, ownNames, SETTINGS, shownValue } from './settings.ts'

/* Settings of networks: values for all networks, and each network's own values under `networks` in tonway.config.json. */

/** Settings of one network: its own values, and the values for all networks where it has none of its own. */
export type NetworkConfig = Omit<Config, 'network' | 'networks'> & {
  readonly name: string
  /** True for an embedded chain. Any other network is followed over lite-servers. */
  readonly local: boolean
  /** Host names that select the network, besides `<name>.<any host>`. */
  readonly hosts: readonly string[]
  /** Suffix of the name of the network's database. undefined: no suffix, or the embedded database. */
  readonly database: string | undefined
}

const host = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,252})$/i, 'must be host names without ports')

const schemas: Readonly<Record<string, z.ZodType>> = {
  kind: z.enum(['local', 'global'], 'must be local or global'),
  hosts: list.pipe(z.array(host)),
  ...Object.fromEntries(ownNames.map((name) => [name, SETTINGS[name].schema])),
}

const ownKeys = Object.keys(schemas)

const readOwn = (at: string, value: unknown, problems: string[]): OwnSettings => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${at}: an object is expected`)
    return {}
  }
  const own: Record<string, unknown> = {}
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(schemas, key)) {
      const isShared = Object.hasOwn(SETTINGS, key)
      problems.push(
        `${at}: ${isShared ? `${key} is a setting of the whole service: set it outside networks` : suggest('setting', key, ownKeys)}`,
      )
      continue
    }
    const parsed = schemas[key]!.safeParse(given)
    if (parsed.success) own[key] = parsed.data
    else problems.push(`${at}.${key}=${shownValue(key, given)} ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  }
  return own
}

/** Reads `networks` of the file. Adds errors to `problems`. `at`: the file's name in error texts. */
export const readOwnSettings = (at: string, value: unknown, problems: string[]): Config['networks'] => {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${at}: an object of networks by name is expected`)
    return {}
  }
  const networks: Record<string, OwnSettings> = {}
  for (const [name, own] of Object.entries(value)) {
    const parsed = networkName.safeParse(name)
    if (parsed.success) networks[name] = readOwn(`${at}.${name}`, own, problems)
    else problems.push(`${at}.${name}: a name ${parsed.error.issues[0]?.message}`)
  }
  return networks
}

const isLocal = (name: string, { kind, globalConfig }: OwnSettings): boolean =>
  kind === undefined ? name === 'local' && globalConfig === undefined : kind === 'local'

export const isIndexed = ({ index }: NetworkConfig): boolean => index

/** Units per second of a client without a key. */
export const anonymousLimit = ({ anonymousRps, local }: NetworkConfig): number => {
  const rate = anonymousRps === 'auto' ? (local ? 'unlimited' : 1) : anonymousRps
  return rate === 'unlimited' ? Number.POSITIVE_INFINITY : rate
}

export const checksKeys = (network: NetworkConfig): boolean =>
  network.keys === 'auto' ? anonymousLimit(network) < Number.POSITIVE_INFINITY : network.keys === 'on'

/**
 * Settings of one network. The first network uses the data directory, database and ports of the settings; the others use names and numbers derived from
 * these.
 */
const configOf = ({ network, networks, ...all }: Config, name: string): NetworkConfig => {
  const own: OwnSettings = Object.hasOwn(networks, name) ? networks[name]! : {}
  const local = isLocal(name, own)
  const first = network[0] === name
  const ownValues = Object.fromEntries(ownNames.filter((key) => own[key] !== undefined).map((key) => [key, own[key]])) as Pick<
    Config,
    OwnName
  >
  return {
    ...all,
    ...(!first && {
      dataDir: all.dataDir === undefined ? undefined : `${all.dataDir}/${name}`,
      ...(typeof all.liteserverPort === 'number' && { liteserverPort: 'auto' as const }),
    }),
    ...(local && { globalConfig: undefined }),
    // databaseReadUrl lists replicas of the common database, so a network with a database of its own does not use them.
    ...(own.databaseUrl !== undefined && { databaseReadUrl: [] }),
    ...ownValues,
    name,
    local,
    hosts: own.hosts ?? [],
    database: first || own.databaseUrl !== undefined ? undefined : name.replaceAll('-', '_'),
  }
}

export const networkConfigs = (config: Config): readonly NetworkConfig[] => config.network.map((name) => configOf(config, name))

/** Finds ports that two listeners would share. The system's error would not say that both listeners belong to this service. */
const portProblems = (config: Config): readonly string[] => {
  const { port, metrics, workers } = config
  if (typeof metrics === 'number' && metrics + workers - 1 > 65_535)
    return [`--metrics ${metrics} leaves no port for each of ${workers} workers`]
  const metricsPorts = typeof metrics === 'number' && metrics !== 0 ? Array.from({ length: workers }, (_, i) => metrics + i) : []
  const given = [
    ['--port', port],
    ...metricsPorts.map((at) => ['--metrics', at] as const),
    ...networkConfigs(config).map(({ name, liteserverPort }) => [`the lite-server port of ${name}`, liteserverPort] as const),
  ] as const
  // 0 selects a free port. A word (off, auto) is not a port.
  const ports = given.filter(([, at]) => typeof at === 'number' && at !== 0)
  return ports.flatMap(([what, at], i) => {
    const earlier = ports.slice(0, i).find(([, each]) => each === at)
    return earlier ? [`${earlier[0]} and ${what} are both ${at}`] : []
  })
}

const forkProblems = ({ name, local, fork, forkSeqno, forkKeep, genesis }: NetworkConfig): readonly string[] => {
  if (fork === undefined)
    return local && (forkSeqno !== undefined || forkKeep.length > 0)
      ? [`network ${name} is not a fork; set --fork to the network that it forks`]
      : []
  const isNetworkOrLocation = publishedNetworks.includes(fork) || /[./:]/.test(fork)
  return [
    ...(local ? [] : [`network ${name} is followed over lite-servers; --fork is for an embedded chain, such as --network local`]),
    ...(genesis === undefined ? [] : [`network ${name} cannot have both a genesis and a fork`]),
    ...(isNetworkOrLocation
      ? []
      : [
          `--fork ${fork}: it must be ${publishedNetworks.join(', ')}, or the path or URL of a global config${didYouMean(fork, publishedNetworks)}`,
        ]),
  ]
}

const workerProblems = ({ workers, redisUrl }: Config, all: readonly NetworkConfig[]): readonly string[] => {
  if (workers === 1) return []
  const why = `TONWAY_WORKERS is ${workers}`
  return [
    ...all
      .filter(({ local }) => local)
      .map(({ name }) => `network ${name} is an embedded chain, which one process has: ${why}, and must be 1`),
    ...(redisUrl === undefined ? [`${why}, but there is no REDIS_URL, where several processes count limits together`] : []),
    ...all
      .filter((each) => isIndexed(each) && !each.local && each.databaseUrl === undefined)
      .map(({ name }) => `${why}, but network ${name} has no DATABASE_URL: the embedded PostgreSQL belongs to one process`),
  ]
}

export const networkProblems = (config: Config): readonly string[] => {
  const all = networkConfigs(config)
  const remote = all.filter(({ local }) => !local)
  const problems = remote
    .filter(({ name, globalConfig }) => globalConfig === undefined && !publishedNetworks.includes(name))
    .map(({ name }) => {
      const needs =
        config.network.length === 1
          ? `network ${name} needs a global config: --global-config, a path or URL (or an embedded chain: kind local under networks.${name} in the file)`
          : `network ${name} needs a global config, a path or URL: globalConfig under networks.${name} in the file (or kind local: an embedded chain)`
      return needs + didYouMean(name, ['local', ...publishedNetworks])
    })
  const shared = remote.filter(({ name }) => config.networks[name]?.globalConfig === undefined)
  if (config.globalConfig !== undefined && shared.length > 1)
    problems.push(
      `a global config describes one network, but ${shared.map(({ name }) => name).join(', ')} would share this one: give each its own under networks in the file`,
    )
  const untold = config.network.filter((name) => !Object.hasOwn(config.networks, name))
  for (const name of Object.keys(config.networks).filter((each) => !config.network.includes(each))) {
    // The file may describe networks that are not served. But a name that resembles that of a served network is probably mistyped.
    if (didYouMean(name, untold) !== '') problems.push(`networks.${name} in the file: ${suggest('network', name, untold)}`)
  }
  for (const { name, databaseUrl, databaseReadUrl } of all) {
    if (databaseReadUrl.length > 0 && databaseUrl === undefined)
      problems.push(
        `network ${name} has read replicas, but no DATABASE_URL, which names their primary (a service that is only to read takes a replica as its DATABASE_URL)`,
      )
  }
  return [...problems, ...all.flatMap(forkProblems), ...workerProblems(config, all), ...portProblems(config)]
}
