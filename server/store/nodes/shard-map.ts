import { sql } from 'kysely'
import { createBuilder } from '../postgres/pool.ts'
import { TABLES } from '../schema/tables.ts'
import { hashOf, PROBE } from './hash.ts'

/* Which node of a Citus cluster has which shards. */

/** The hashes that a shard has, from and to: 32 bits, signed. Tables that are distributed in the same way have shards of the same hashes, side by side. */
export interface Hashes {
  readonly low: number
  readonly high: number
}

/** A table that is a part of a distributed one. */
interface Part extends Hashes {
  readonly name: string
}

/** A node, and its parts of distributed tables, by the names of these. */
export interface Node {
  readonly host: string
  readonly port: number
  readonly parts: ReadonlyMap<string, readonly Part[]>
}

/** A node by its place in the map. `only`: all rows are in its shard of these hashes. */
export interface Place {
  readonly node: number
  readonly only?: Hashes | undefined
}

export interface ShardMap {
  /** Another text after every change of the nodes or of where shards are. */
  readonly version: string
  readonly nodes: readonly Node[]
  /** The nodes that can have rows of a table with these values in its distribution column. */
  placesOf(table: string, values: readonly Uint8Array[]): readonly Place[]
}

/** The version as an expression: a shard that moves gets a new placement, and a node that is replaced another address. */
export const SHARDS_VERSION = sql<string>`(select coalesce(max(placementid), 0)::text from pg_dist_placement) || ':'
  || (select coalesce(string_agg(concat_ws(' ', nodeid, nodename, nodeport, noderole, isactive), ',' order by nodeid), '') from pg_dist_node)`

interface Row {
  readonly version: string
  readonly table: string
  readonly shard: string
  readonly host: string | null
  readonly port: number | null
  /** Its hashes, as texts as in the catalog. */
  readonly low: string
  readonly high: string
  /** What the server makes of PROBE. */
  readonly probe: number
}

/** Every shard of tables that are distributed by hash, with the node that has it; null if no node is in use. */
export const SHARD_MAP =
  sql<Row>`select ${SHARDS_VERSION} as version, s.logicalrelid::regclass::text as table, s.shardid::text as shard, n.nodename as host, n.nodeport as port,
    s.shardminvalue as low, s.shardmaxvalue as high, worker_hash(${sql.lit(`\\x${PROBE.toString('hex')}`)}::bytea) as probe
  from pg_dist_shard s join pg_dist_partition d on d.logicalrelid = s.logicalrelid and d.partmethod = 'h'
  left join pg_dist_placement p on p.shardid = s.shardid
  left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.isactive
  order by s.shardid`.compile(createBuilder())

/** A plain name. Tables of other schemas are not ours. */
const PLAIN = /^[a-z_][a-z0-9_]*$/

/** A shard, and the place of its node. */
interface Shard extends Hashes {
  readonly node: number
}

/**
 * Shards of a table on one node, up to which a statement for one of them has a text of its own. It runs in half the time, but each connection prepares as many as there
 * are shards.
 */
const MOST_ALONE = 8

/** Finds the places of values. If the server hashes in another way than we do, or a value is in no shard, all nodes can have them. */
const finder = (byTable: ReadonlyMap<string, readonly Shard[]>, nodes: readonly Node[], isHashedAlike: boolean): ShardMap['placesOf'] => {
  const all = nodes.map((_, node) => ({ node }))
  const isAlone = (table: string, node: number): boolean => (nodes[node]!.parts.get(table)?.length ?? 0) <= MOST_ALONE
  return (table, values) => {
    const shards = byTable.get(table)
    if (shards === undefined || !isHashedAlike) return all
    const found = new Map<number, Shard | 'several'>()
    for (const value of values) {
      const hash = hashOf(value)
      const shard = shards.find(({ low, high }) => low <= hash && hash <= high)
      if (shard === undefined) return all
      const known = found.get(shard.node)
      found.set(shard.node, known === undefined || known === shard ? shard : 'several')
    }
    return [...found].map(([node, only]) => (only !== 'several' && isAlone(table, node) ? { node, only } : { node }))
  }
}

/** The map of some rows; undefined if a shard is not on exactly one node. */
export const shardMapOf = (rows: readonly Row[]): ShardMap | undefined => {
  const nodes = new Map<
    string,
    { readonly host: string; readonly port: number; readonly parts: Map<string, Part[]>; readonly at: number }
  >()
  const byTable = new Map<string, Shard[]>()
  const seen = new Set<string>()
  for (const { table, shard, host, port, low, high } of rows) {
    if (host === null || port === null || seen.has(shard)) return undefined
    seen.add(shard)
    if (!PLAIN.test(table)) continue
    const name = `${host} ${port}`
    const node = nodes.get(name) ?? { host, port, parts: new Map<string, Part[]>(), at: nodes.size }
    nodes.set(name, node)
    const parts = node.parts.get(table) ?? []
    node.parts.set(table, parts)
    const hashes: Hashes = { low: Number(low), high: Number(high) }
    parts.push({ ...hashes, name: `${table}_${shard}` })
    const shards = byTable.get(table) ?? []
    byTable.set(table, shards)
    shards.push({ ...hashes, node: node.at })
  }
  const [first] = rows
  if (first === undefined) return undefined
  const all = [...nodes.values()]
  return { version: first.version, nodes: all, placesOf: finder(byTable, all, first.probe === hashOf(PROBE)) }
}

/** Words of SQL that can follow a table; any other word there is its alias. */
const NO_ALIAS = 'where|order|limit|offset|cross|inner|left|right|full|natural|join|on|using|union|except|intersect|group|having|as'

/** A table in `from` or `join`, and its alias. */
const TABLE = new RegExp(
  `\\b(from|join)\\s+("?)([a-z_]+)\\2(?:\\s+(?:as\\s+)?(?!(?:${NO_ALIAS})\\b)("?)([a-z_][a-z0-9_]*)\\4)?(?![\\w".])`,
  'g',
)

/** A table of ours that is read as a whole: in a list of tables, in brackets, or with its schema. */
const WHOLE = new RegExp(
  `(?:\\b(?:from|join)\\b[\\s(]*|,\\s*)(?:only\\s+)?(?:"?\\w+"?\\.)?"?(?:${Object.keys(TABLES).join('|')})"?(?![\\w".])`,
)

/** The parts that have rows of some hashes: one of a table that is distributed by such shards, otherwise all. */
const partsWith = (parts: readonly Part[], only: Hashes | undefined): readonly Part[] => {
  const part = only && parts.find(({ low, high }) => low === only.low && high === only.high)
  return part ? [part] : parts
}

/**
 * A statement over distributed tables as one node answers it: over its parts of them, or over those with the hashes `only`. Throws if another table of ours is left in it: the
 * node has no rows of it, or as the coordinator has all of them.
 */
export const onNode = (text: string, { parts }: Node, distributed: ReadonlySet<string>, only?: Hashes): string => {
  const withParts = (partsOf: (table: string) => string): string =>
    text.replace(TABLE, (whole: string, word: string, _: string, table: string, __: string | undefined, alias: string | undefined) =>
      distributed.has(table) ? `${word} (${partsOf(table)}) as "${alias ?? table}"` : whole,
    )
  if (WHOLE.test(withParts(() => ''))) throw new Error(`a node does not have all tables of: ${text}`)
  return withParts((table) => {
    const own = parts.get(table)
    if (own === undefined) return `select * from ${table} where false`
    return partsWith(own, only)
      .map(({ name }) => `select * from ${name}`)
      .join(' union all ')
  })
}

/** The first table of a statement that is distributed; undefined if there is none. All of a statement for nodes are distributed in the same way. */
export const tableOf = (text: string, distributed: ReadonlySet<string>): string | undefined => {
  for (const [, , , table] of text.matchAll(TABLE)) if (distributed.has(table!)) return table
  return undefined
}
