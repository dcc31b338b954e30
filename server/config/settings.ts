import * as z from 'zod'
import { LOG_FORMATS, LOG_LEVELS } from '../base/log.ts'
import { urlsWithoutPasswords } from '../base/secrets.ts'
import { keepSetting } from './index-keep.ts'
import {
  accounts,
  anonymousRps,
  blockTime,
  endpointPort,
  gateway,
  genesis,
  indexAccounts,
  indexFrom,
  integer,
  list,
  liteservers,
  localCallers,
  metricsAccess,
  networks,
  onOff,
  postgresUrl,
  postgresUrls,
  proxies,
  redisUrl,
  text,
  withoutKeys,
} from './setting-types.ts'

/* Table of all settings. cli/load-config.ts, --help, --print-config and the test of the README use it. */

const LEVELS = LOG_LEVELS.join(', ')
const LANES = 'blocks that the index requests from lite-servers in parallel'
const hidesPasswords = { written: urlsWithoutPasswords, shownInErrors: urlsWithoutPasswords }
const CONFIRMED = 'lite-servers that must list a shard block as signed before its transactions are confirmed'

/**
 * Every setting with its environment variable, default and description. The flag is the variable's name in kebab-case without the prefix; the key in
 * tonway.config.json is the name here.
 * `own`: each network can have its own value, under `networks` in the file (networks.ts). `written`: returns what --print-config shows, if that is not the
 * value. `shownInErrors`: returns the part of a given value that may appear in error texts.
 */
export const SETTINGS = {
  host: { env: 'TONWAY_HOST', schema: text, fallback: '127.0.0.1', what: 'address to listen on' },
  port: { env: 'TONWAY_PORT', schema: integer(0, 65_535), fallback: 8081, what: 'port of HTTP and WebSocket; 0 takes a free one' },
  network: {
    env: 'TONWAY_NETWORK',
    schema: networks,
    fallback: 'local',
    what: 'networks, separated by commas; the first is the default: local (the embedded chain), mainnet, testnet, names of your own',
  },
  globalConfig: {
    env: 'TONWAY_GLOBAL_CONFIG',
    own: true,
    schema: text.optional(),
    fallback: undefined,
    what: "path or URL of the network's TON global config; by default TON's own, for mainnet and testnet",
  },
  trust: {
    env: 'TONWAY_TRUST',
    own: true,
    schema: z.enum(['full', 'head'], 'must be full or head'),
    fallback: 'full',
    what: 'full: heads are proven by key blocks and signatures from init_block on; head: the lite-servers are trusted for the head',
  },
  liteservers: {
    env: 'TONWAY_LITESERVERS',
    own: true,
    schema: liteservers,
    fallback: '',
    what: 'lite-servers besides those of the global config, separated by commas, as [group@]host:port/key; a group serves the plans that name it',
  },
  liteserverQueries: {
    env: 'TONWAY_LITESERVER_QUERIES',
    own: true,
    schema: integer(1, 10_000),
    fallback: 64,
    what: 'queries that one lite-server gets at a time',
  },
  confirmedServers: { env: 'TONWAY_CONFIRMED_SERVERS', own: true, schema: integer(1, 100), fallback: 1, what: CONFIRMED },
  dataDir: {
    env: 'TONWAY_DATA_DIR',
    own: true,
    schema: text.optional(),
    fallback: undefined,
    what: 'directory of the chain, the keys and the index, which outlasts restarts and kill -9; without one nothing is stored',
  },
  blockTime: {
    env: 'TONWAY_BLOCK_TIME',
    own: true,
    schema: blockTime,
    fallback: '1s',
    what: 'time between idle blocks (500ms, 2); 0 makes none. A message makes a block at once',
    written: (milliseconds: number) => `${milliseconds}ms`,
  },
  liteserverPort: {
    env: 'TONWAY_LITESERVER_PORT',
    own: true,
    schema: endpointPort,
    fallback: 'auto',
    what: 'port of the lite-server protocol (ADNL) on the same address; auto: 8082, or a free one if that is taken; 0: a free one; off',
  },
  globalId: {
    env: 'TONWAY_GLOBAL_ID',
    own: true,
    schema: integer(-(2 ** 31), 2 ** 31 - 1),
    fallback: -3,
    what: 'global id of the embedded chain',
  },
  genesis: {
    env: 'TONWAY_GENESIS',
    own: true,
    schema: genesis.optional(),
    fallback: undefined,
    what: 'accounts that a new embedded chain begins with, as a JSON file: balances, code, wallets by their mnemonics',
    written: withoutKeys,
    shownInErrors: withoutKeys,
  },
  fork: {
    env: 'TONWAY_FORK',
    own: true,
    schema: text.optional(),
    fallback: undefined,
    what: 'the embedded chain begins with the accounts of another network: mainnet, testnet, or the path or URL of a TON global config',
  },
  forkSeqno: {
    env: 'TONWAY_FORK_SEQNO',
    own: true,
    schema: integer(1, 2 ** 31 - 1).optional(),
    fallback: undefined,
    what: 'masterchain block of the other network after which a new fork begins; by default its newest',
  },
  forkKeep: {
    env: 'TONWAY_FORK_KEEP',
    own: true,
    schema: accounts,
    fallback: '',
    what: 'addresses of a fork that are fetched at the start, separated by commas; others are fetched when they are first used',
  },
  workers: {
    env: 'TONWAY_WORKERS',
    schema: integer(1, 64),
    fallback: 1,
    what: 'processes that serve one port; several need lite-servers, REDIS_URL and, for an index, DATABASE_URL',
  },
  tvmWorkers: {
    env: 'TONWAY_TVM_WORKERS',
    schema: integer(1, 64),
    fallback: 2,
    what: 'most threads that run the TVM; each starts when a run needs it, and ends after a minute without work',
  },
  allowLocal: {
    env: 'TONWAY_ALLOW_LOCAL',
    schema: localCallers,
    fallback: '',
    what: 'origins (https://dapp.example) and host names that may call local.*, besides this machine; *: everybody',
  },
  index: { env: 'TONWAY_INDEX', own: true, schema: onOff, fallback: 'on', what: 'off: no index and no PostgreSQL; v2 and v4 alone' },
  indexFrom: {
    env: 'TONWAY_INDEX_FROM',
    own: true,
    schema: indexFrom,
    fallback: 'auto',
    what: 'first masterchain block of a new index; head: the current head; auto: head for mainnet and testnet, 1 for any other network',
  },
  indexAccounts: {
    env: 'TONWAY_INDEX_ACCOUNTS',
    own: true,
    schema: indexAccounts,
    fallback: '',
    what: 'only these addresses and workchains (-1) are indexed: their transactions, messages, states and traces; by default all',
  },
  indexKeep: {
    env: 'TONWAY_INDEX_KEEP',
    own: true,
    schema: keepSetting,
    fallback: 'all',
    what: 'history that the index keeps: masterchain blocks (100000) or time (30d, 12h, 90m); latest states always stay; all: nothing is pruned',
  },
  indexLanes: { env: 'TONWAY_INDEX_LANES', own: true, schema: integer(1, 64), fallback: 8, what: LANES },
  databaseUrl: {
    env: 'DATABASE_URL',
    own: true,
    schema: postgresUrl.optional(),
    fallback: undefined,
    ...hidesPasswords,
    what: 'PostgreSQL 15 or newer for index and keys, as postgres://user:password@host/database; by default the embedded one',
  },
  databaseReadUrl: {
    env: 'DATABASE_READ_URL',
    own: true,
    schema: postgresUrls,
    fallback: '',
    ...hidesPasswords,
    what: 'read replicas (standbys) of the database of DATABASE_URL, separated by commas: v3 is read there',
  },
  keys: {
    env: 'TONWAY_KEYS',
    own: true,
    schema: z.enum(['auto', 'on', 'off'], 'must be auto, on or off'),
    fallback: 'auto',
    what: 'whether API keys are checked; auto: if calls without a key are limited',
  },
  anonymousRps: {
    env: 'TONWAY_ANONYMOUS_RPS',
    own: true,
    schema: anonymousRps,
    fallback: 'auto',
    what: 'calls per second of a client address without a key, or unlimited; auto: unlimited on an embedded chain, otherwise 1',
  },
  trustedProxies: {
    env: 'TONWAY_TRUSTED_PROXIES',
    schema: proxies,
    fallback: '',
    what: 'addresses and networks (10.0.0.0/8, loopback, private) of proxies whose X-Forwarded-For is trusted',
  },
  emulateErrors: {
    env: 'TONWAY_EMULATE_ERRORS',
    schema: z
      .union([z.literal([422, 500]), z.enum(['422', '500'])], 'must be 422 or 500')
      .transform((value) => (Number(value) === 500 ? 500 : 422)),
    fallback: 422,
    what: 'HTTP status of a message that cannot be emulated: 422, or 500 as TON Center has it',
  },
  redisUrl: {
    env: 'REDIS_URL',
    schema: redisUrl.optional(),
    fallback: undefined,
    ...hidesPasswords,
    what: 'Redis that counts limits for several processes and carries what they send, as redis://user:password@host:6379; by default this process counts alone',
  },
  limitsFail: {
    env: 'TONWAY_LIMITS_FAIL',
    schema: z.enum(['open', 'closed'], 'must be open or closed'),
    fallback: 'open',
    what: 'while Redis is away: open: each process counts by itself; closed: calls that have a limit are refused with 503',
  },
  readyWithin: {
    env: 'TONWAY_READY_WITHIN',
    schema: integer(1, 86_400),
    fallback: 60,
    what: 'seconds that the head and the index may be behind before /ready fails',
  },
  stallSeconds: {
    env: 'TONWAY_STALL_SECONDS',
    schema: integer(0, 3_600),
    fallback: 10,
    what: 'processor seconds after which a process whose event loop is blocked is ended, with code 70; 0: never',
  },
  metrics: {
    env: 'TONWAY_METRICS',
    schema: metricsAccess,
    fallback: 'local',
    what: 'who may read /metrics: local (callers on this machine), all, off; or a port of its own on the same address',
  },
  accessLog: {
    env: 'TONWAY_ACCESS_LOG',
    schema: onOff,
    fallback: 'off',
    what: 'on: logs every HTTP request and WebSocket, without queries',
  },
  page: {
    env: 'TONWAY_PAGE',
    schema: onOff,
    fallback: 'on',
    what: 'off: browsers get the list of paths at / that other clients get, instead of the page',
  },
  mcp: {
    env: 'TONWAY_MCP',
    schema: z.enum(['read', 'write', 'off'], 'must be read, write or off'),
    fallback: 'read',
    what: 'what agents may call over MCP at /mcp: read (methods that change nothing), write (also those that send messages or make webhooks, and local.*), off',
  },
  hooksAllow: { env: 'TONWAY_HOOKS_ALLOW', own: true, schema: list, fallback: '', what: 'private hosts of webhooks, with http too' },
  slowQuery: {
    env: 'TONWAY_SLOW_QUERY',
    schema: integer(0, 3_600_000),
    fallback: 1_000,
    what: 'SQL statements that take longer than this many milliseconds are logged, without their values; 0: none',
  },
  metadata: {
    env: 'TONWAY_METADATA',
    schema: onOff,
    fallback: 'on',
    what: 'off: off-chain metadata of tokens is not fetched',
  },
  ipfsGateway: {
    env: 'TONWAY_IPFS_GATEWAY',
    schema: gateway.optional(),
    fallback: undefined,
    what: 'IPFS gateway for ipfs:// links of tokens, as https://gateway.example/ipfs/; without one they are not fetched',
  },
  otlpEndpoint: {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: gateway.optional(),
    fallback: undefined,
    what: 'collector that gets traces by OTLP over HTTP, as http://collector:4318; without one nothing is traced',
  },
  publicUrl: {
    env: 'TONWAY_PUBLIC_URL',
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s/?#@]+$/, 'must be an origin such as https://ton.example.com')
      .optional(),
    fallback: undefined,
    what: "the service's public URL, as https://ton.example.com, for its OpenRPC document; by default the address that it listens on",
  },
  log: { env: 'TONWAY_LOG', schema: z.enum(LOG_LEVELS, `must be one of ${LEVELS}`), fallback: 'info', what: `log level: ${LEVELS}` },
  logFormat: {
    env: 'TONWAY_LOG_FORMAT',
    schema: z.enum(LOG_FORMATS, `must be one of ${LOG_FORMATS.join(', ')}`),
    fallback: 'auto',
    what: 'form of the log: json, text (one readable line per event), or auto: text on a terminal, otherwise JSON',
  },
} as const

export type SettingName = keyof typeof SETTINGS
export const settingNames = Object.keys(SETTINGS) as readonly SettingName[]

type Values = { readonly [S in SettingName]: z.output<(typeof SETTINGS)[S]['schema']> }

export type OwnName = { [S in SettingName]: (typeof SETTINGS)[S] extends { readonly own: true } ? S : never }[SettingName]
export const ownNames = settingNames.filter((name): name is OwnName => 'own' in SETTINGS[name])

/** Settings of one network. An absent one has the value for all networks. */
export type OwnSettings = { readonly [S in OwnName]?: Values[S] | undefined } & {
  /** `local`: an embedded chain. `global`: a network that is followed over the lite-servers of a global config. */
  readonly kind?: 'local' | 'global' | undefined
  readonly hosts?: readonly string[] | undefined
}

export type Config = Values & { readonly networks: Readonly<Record<string, OwnSettings>> }

export const shownValue = (name: string, given: unknown): string => {
  const setting = SETTINGS[name as SettingName] as { readonly shownInErrors?: (given: unknown) => unknown } | undefined
  return JSON.stringify(setting?.shownInErrors === undefined ? given : setting.shownInErrors(given))
}

export type Origin = 'flag' | 'environment' | 'file' | 'default'
export type Origins = { readonly [S in SettingName]: Origin }

export const flagOf = (name: SettingName): string =>
  SETTINGS[name].env
    .replace(/^TONWAY_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
