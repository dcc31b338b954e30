import { type Entry, entriesByName, listEntries } from '../../shared/entries.ts'
import type { MethodDef } from '../../shared/method.ts'
import { meaningOf } from '../../shared/value-description.ts'
import { asQuestion, createGuess, rateLimited } from '../base/suggest.ts'
import { createPauses } from '../base/yield.ts'

export type Json = Record<string, unknown>

/** A tool as `tools/list` shows it. Tools have no output schemas, because these would make up most of the list. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json & { readonly type: 'object' }
  readonly annotations?: { readonly readOnlyHint: boolean; readonly openWorldHint?: boolean }
}

export interface ToolDeps {
  readonly methods: Readonly<Record<string, MethodDef>>
  readonly served: readonly string[]
  /** True if methods that change state, and `local.*`, are tools too. */
  readonly allowsWrites: boolean
  readonly paramsSchema: (def: MethodDef) => Json
}

export const FIND = 'find_method'
export const CALL = 'call_method'

const MAX_SHORT = 20
/** Methods of the short list, in order of preference. Methods that are not served are skipped, so without an index those of v2 remain. */
const PREFERRED = [
  ...['v3.accountStates', 'v3.transactions', 'v3.traces', 'v3.actions', 'v3.balanceChanges', 'v3.messages', 'v3.jetton.wallets'],
  ...['v3.jetton.masters', 'v3.jetton.transfers', 'v3.nft.items', 'v3.dns.records', 'v3.walletStates', 'v3.masterchainInfo', 'v3.decode'],
  ...['runGetMethodStd', 'emulate.trace', 'detectAddress', 'inspectConfig', 'getAddressInformation', 'getTransactionsStd', 'getTokenData'],
  ...['getMasterchainInfo', 'dnsResolve', 'lookupBlock', 'estimateFee'],
]

/** Name of a method's tool. Dots are replaced, because some agents reject all tools of a server if one name contains a dot. @internal */
export const toolName = (method: string): string => method.replaceAll('.', '_')

/** Returns whether a method is for WebSockets. Such methods are not tools, because a subscription would end with the POST that began it. */
const isForSockets = ({ section, def }: Entry): boolean => section === 'service' && def.effect === 'write'

export type Toolbox = ReturnType<typeof createToolbox>

export const createToolbox = ({ methods, served, allowsWrites, paramsSchema }: ToolDeps) => {
  const names = new Set(served)
  const isRead = ({ def }: Entry): boolean => def.effect === 'read' && def.needs !== 'local'
  const entries = listEntries(methods).filter((entry) => names.has(entry.name) && !isForSockets(entry) && (allowsWrites || isRead(entry)))
  const own = reachingTools(allowsWrites)
  const preferred = PREFERRED.flatMap((name) => entries.find((entry) => entry.name === name) ?? []).slice(0, MAX_SHORT - own.length)
  /** Yields between schemas, because each takes a millisecond. */
  const describe = async (described: readonly Entry[]): Promise<readonly Tool[]> => {
    const pause = createPauses()
    const tools = [...own]
    for (const entry of described) {
      tools.push(toolOf(entry, paramsSchema(entry.def)))
      await pause()
    }
    return tools
  }
  let short: Promise<readonly Tool[]> | undefined
  let all: Promise<readonly Tool[]> | undefined
  const byName = new Map([
    ...entriesByName(Object.fromEntries(entries.map(({ name, def }) => [name, def]))),
    ...entries.map((entry) => [toolName(entry.name), entry] as const),
  ])
  /** Finds a method by the name of its tool, or by its name or alias. */
  const find = (name: string): Entry | undefined => byName.get(name)
  const others = new Set(listEntries(methods).flatMap(({ names: all }) => all.flatMap((name) => [name, toolName(name)])))
  const guess = rateLimited(createGuess([...byName.keys()]))
  return {
    /** The short list of at most MAX_SHORT tools: the most used methods, and the two tools that find and call all methods. */
    short(): Promise<readonly Tool[]> {
      short ??= describe(preferred)
      return short
    },
    /** Tools for every method, and the two tools that find and call all methods. */
    all(): Promise<readonly Tool[]> {
      all ??= describe(entries)
      return all
    },
    find,
    whyNot(name: string): string {
      if (!others.has(name)) return `there is no method ${name.slice(0, MAX_QUERY)}${asQuestion(guess(name))} ${FIND} finds methods`
      return `${name} is not for agents here: it is not served, or it changes something, which TONWAY_MCP=write allows`
    },
    /** Searches methods by words, best match first. The first matches include the full schema of their parameters. */
    search(query: string): object {
      const exact = find(query.trim())
      const found = exact === undefined ? rank(entries, query) : [exact]
      return {
        methods: found.map(({ name, def }, i) => ({
          method: name,
          summary: def.summary,
          effect: def.effect,
          ...(i < MAX_DESCRIBED && { params: paramsSchema(def) }),
        })),
        ...(found.length === 0 && { hint: 'no method has these words; ask for one thing, such as jetton, block, fee' }),
      }
    },
  }
}

const toolOf = ({ name, def }: Entry, schema: Json): Tool => ({
  name: toolName(name),
  description: def.summary,
  inputSchema: compactSchema(def, schema),
  ...(def.effect === 'read' && { annotations: { readOnlyHint: true } }),
})

/** The two tools that find and call any method, so that the short list does not need all methods. */
const reachingTools = (allowsWrites: boolean): readonly Tool[] => [
  {
    name: FIND,
    description: 'Finds methods of this TON service by words or by name, with their parameters. Ask it before call_method.',
    inputSchema: { type: 'object', properties: { query: { type: 'string', maxLength: MAX_QUERY } }, required: ['query'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    description: 'Calls a method that find_method named.',
    inputSchema: { type: 'object', properties: { method: { type: 'string' }, params: { type: 'object' } }, required: ['method'] },
    ...(!allowsWrites && { annotations: { readOnlyHint: true } }),
  },
]

/** A short schema of the parameters, with only their meanings and types. find_method returns the formats of addresses and hashes, and the examples. */
const compactSchema = (def: MethodDef, { properties, required }: Json): Tool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Json>>).map(([name, { description: _, examples: __, ...schema }]) => {
      const { what } = meaningOf(def.params.shape[name]!)
      return [name, { ...compactTypes(schema), ...(what !== undefined && { description: what }) }]
    }),
  ),
  ...(required !== undefined && { required }),
})

const compactTypes = ({ oneOf, format: _, ...schema }: Json): Json => {
  if (!Array.isArray(oneOf)) return schema
  const types = (oneOf as readonly Json[]).map(({ type }) => type)
  return types.every((type) => typeof type === 'string' && type !== 'array' && type !== 'object')
    ? { ...schema, type: [...new Set(types)] }
    : { ...schema, oneOf }
}

/** Maximum number of characters of a query; the rest is ignored. */
const MAX_QUERY = 200
const MAX_FOUND = 8
/** Number of methods in a result of find_method that are described in full. */
const MAX_DESCRIBED = 2

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []
const partsOf = (name: string): string => name.replace(/[A-Z]/g, ' $&').replaceAll(/[._]/g, ' ').toLowerCase()

/**
 * Ranks methods by the words of a query that occur in their names, summaries and parameters. A match in the name has the highest weight. The final `s` of a
 * word is ignored.
 */
const rank = (entries: readonly Entry[], query: string): readonly Entry[] => {
  const words = wordsOf(query.slice(0, MAX_QUERY)).map((word) => word.replace(/s$/, ''))
  const scoreOf = ({ names, def }: Entry): number => {
    const name = names.map(partsOf).join(' ')
    const summary = def.summary.toLowerCase()
    const params = Object.keys(def.params.shape).join(' ')
    return words.reduce(
      (sum, word) => sum + (name.includes(word) ? 5 : 0) + (summary.includes(word) ? 3 : 0) + (params.includes(word) ? 1 : 0),
      0,
    )
  }
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry)
}
