import { isIPv6 } from 'node:net'
import * as z from 'zod'
import { parseAddress } from '../../shared/fields/address.ts'
import { databaseUrlFault } from './database-url.ts'
import { isAccountEntry } from './index-accounts.ts'
import { readServer } from './lite-servers.ts'
import { proxyFault } from './proxies.ts'

export const text = z.string('must be a text').trim().min(1, 'must not be empty')

const isJson = (value: unknown): boolean => typeof value === 'string' && /^\s*[{[]/.test(value)

/** A genesis: the path of a JSON file, or the content of such a file as an object. */
export const genesis = z.union(
  [text.refine((given) => !isJson(given), 'must be the path of a JSON file, not its text'), z.record(z.string(), z.unknown())],
  'must be the path of a JSON file',
)

/** A genesis for --print-config: the path of the file, but never the content, because it may contain mnemonics. */
export const withoutKeys = (given: unknown): unknown => {
  if (Array.isArray(given)) return 'a list'
  if (typeof given === 'object' && given !== null) return 'an object'
  return isJson(given) ? 'JSON' : given
}

export const integer = (least: number, most: number) =>
  z.union([z.number(), z.string()], 'must be a whole number').transform((value, context) => {
    const number = typeof value === 'string' && !/^\s*-?\d+\s*$/.test(value) ? Number.NaN : Number(value)
    if (Number.isInteger(number) && number >= least && number <= most) return number
    context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${most}` })
    return z.NEVER
  })

export const list = z
  .union([z.array(z.string()), z.string()], 'must be texts separated by commas')
  .transform((value) => (typeof value === 'string' ? value.split(',') : value).map((entry) => entry.trim()).filter((entry) => entry !== ''))

const LEAST_BLOCK_TIME = 50
const MAX_BLOCK_TIME = 3_600_000

/** Parses seconds (`2`, `0.5`, `1s`) or milliseconds (`500ms`) to milliseconds. */
export const blockTime = z.union([z.number(), z.string()], 'must be seconds, or a text such as 500ms').transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(String(value).trim())
  const milliseconds = match ? Math.round(Number(match[1]) * (match[2] === 'ms' ? 1 : 1000)) : Number.NaN
  if (milliseconds === 0 || (milliseconds >= LEAST_BLOCK_TIME && milliseconds <= MAX_BLOCK_TIME)) return milliseconds
  context.addIssue({
    code: 'custom',
    message: 'must be seconds (0.5, 1s) or milliseconds (500ms), from 50ms to 1 hour, or 0 for no idle blocks',
  })
  return z.NEVER
})

export const onOff = z
  .union([z.boolean(), z.enum(['on', 'off', 'true', 'false', '1', '0'])], 'must be on or off')
  .transform((value) => value === true || value === 'on' || value === 'true' || value === '1')

/** First segments of the service's own paths. No network can have such a name, because network names are path prefixes. */
const RESERVED = ['api', 'docs', 'health', 'healthcheck', 'mcp', 'metrics', 'ready', 'status']

export const networkName = z
  .string('must be a text')
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be local, mainnet, testnet or a name of your own (lower-case letters, digits, - and _)')
  .refine((name) => !RESERVED.includes(name), `must not be one of ${RESERVED.join(', ')}`)

export const networks = list.pipe(
  z
    .array(networkName)
    .min(1, 'must name a network')
    .max(16, 'must not be more than 16 networks')
    .refine((names) => new Set(names).size === names.length, 'must name each network once'),
)

/** A port, `off`, or `auto`: the usual port, or a free one if the usual port is in use. */
export const endpointPort = z.union([z.literal(['off', 'auto']), integer(0, 65_535)], 'must be a port, auto or off')

export const anonymousRps = z.union([z.literal(['auto', 'unlimited']), integer(0, 1_000_000)], 'must be a whole number, unlimited or auto')

/** A list of entries for which `faultOf` returns no error text. */
const listOf = (faultOf: (entry: string) => string | undefined) =>
  list.check(({ value, issues }) => {
    for (const entry of value) {
      const message = faultOf(entry)
      if (message !== undefined) issues.push({ code: 'custom', message, input: value })
    }
  })

export const proxies = listOf(proxyFault)

/** An origin as browsers send it (a slash at its end is ignored), a host name or address without port, or `*`. Anything else would match no caller. */
const isLocalCaller = (entry: string): boolean =>
  entry === '*' || isIPv6(entry) || /^([a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+\/?|[^\s:/?#@[\]*]+)$/i.test(entry)

export const localCallers = listOf((entry) =>
  isLocalCaller(entry)
    ? undefined
    : `${entry} is neither an origin (https://dapp.example, without a path) nor a host name (dapp.example, without a port)`,
)

export const liteservers = listOf((line) => {
  const read = readServer(line)
  return typeof read === 'string' ? read : undefined
})

export const gateway = z
  .string('must be a text')
  .refine((value) => /^https?:/.test(value) && URL.canParse(value), 'must be an http or https URL')

/** The URL of a PostgreSQL or a Redis. A wrong one is a wrong setting, which no later attempt mends. */
const urlOf = (scheme: RegExp, shown: string) =>
  text.check(({ value, issues }) => {
    const message = databaseUrlFault(scheme, shown, value)
    if (message !== undefined) issues.push({ code: 'custom', message, input: value })
  })

export const postgresUrl = urlOf(/^postgres(ql)?:\/\//, 'postgres://')

export const redisUrl = urlOf(/^rediss?:\/\//, 'redis:// or rediss://')

export const postgresUrls = list.pipe(z.array(postgresUrl))

export const indexFrom = z.union([z.literal(['auto', 'head']), integer(1, 2 ** 31 - 1)], 'must be a seqno, head or auto')

export const indexAccounts = listOf((entry) => (isAccountEntry(entry) ? undefined : `${entry} is neither an address nor a workchain`))

export const metricsAccess = z.union([z.literal(['local', 'all', 'off']), integer(1, 65_535)], 'must be local, all, off or a port')

/** Addresses separated by commas, as account ids. */
export const accounts = list.transform((entries, context) =>
  entries.flatMap((entry) => {
    const parsed = parseAddress(entry)
    if (parsed !== undefined && (parsed.workchain === 0 || parsed.workchain === -1))
      return [{ workchain: parsed.workchain, hash: parsed.hash }]
    context.addIssue({ code: 'custom', message: `${entry} is not an address in workchain 0 or -1` })
    return []
  }),
)
