import { sql } from 'kysely'
import { createBuilder } from '../postgres/pool.ts'
import { TABLES } from '../schema/tables.ts'
import { hashOf, PROBE } from './hash.ts'

/* Which node of a Citus cluster has which shards. */

/** A node, and the tables that are its parts of distributed tables, by their names. */
export interface Node {
  readonly host: string
  readonly port: number
  readonly parts: ReadonlyMap<string, readonly string[]>
}

export interface ShardMap {
  /** Another text after every change of the nodes or of where shards are. */
  readonly version: string
  readonly nodes: readonly Node[]
  /** The nodes that can have rows of a table with these values in its distribution column, by their places in `nodes`. */
  nodesWith(table: string, values: readonly Uint8Array[]): readonly number[]
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
  /** The hashes that it has, from and to: 32 bits, signed. Texts, as in the catalog. */
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

/** A shard: the hashes that it has, and the place of its node. */
interface Range {
  readonly low: number
  readonly high: number
  readonly node: number
}

/** Finds the nodes of values. If the server hashes in another way than we do, or a value is in no shard, all nodes can have them. */
const finder = (ranges: ReadonlyMap<string, readonly Range[]>, nodes: number, isHashedAlike: boolean): ShardMap['nodesWith'] => {
  const all = Array.from({ length: nodes }, (_, i) => i)
  return (table, values) => {
    const shards = ranges.get(table)
    if (shards === undefined || !isHashedAlike) return all
    const found = new Set<number>()
    for (const value of values) {
      const hash = hashOf(value)
      const shard = shards.find(({ low, high }) => low <= hash && hash <= high)
      if (shard === undefined) return all
      found.add(shard.node)
      if (found.size === nodes) return all
    }
    return [...found]
  }
}

/** The map of some rows; undefined if a shard is not on exactly one node. */
export const shardMapOf = (rows: readonly Row[]): ShardMap | undefined => {
  const nodes = new Map<
    string,
    { readonly host: string; readonly port: number; readonly parts: Map<string, string[]>; readonly at: number }
  >()
  const ranges = new Map<string, Range[]>()
  const seen = new Set<string>()
  for (const { table, shard, host, port, low, high } of rows) {
    if (host === null || port === null || seen.has(shard)) return undefined
    seen.add(shard)
    if (!PLAIN.test(table)) continue
    const name = `${host} ${port}`
    const node = nodes.get(name) ?? { host, port, parts: new Map<string, string[]>(), at: nodes.size }
    nodes.set(name, node)
    const parts = node.parts.get(table) ?? []
    node.parts.set(table, parts)
    parts.push(`${table}_${shard}`)
    const shards = ranges.get(table) ?? []
    ranges.set(table, shards)
    shards.push({ low: Number(low), high: Number(high), node: node.at })
  }
  const [first] = rows
  if (first === undefined) return undefined
  return {
    version: first.version,
    nodes: [...nodes.values()],
    nodesWith: finder(ranges, nodes.size, first.probe === hashOf(PROBE)),
  }
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

/**
 * A statement over distributed tables as one node answers it: over its parts of them. Throws if another table of ours is left in it: the node has no rows of it, or as the
 * coordinator has all of them.
 */
export const onNode = (text: string, { parts }: Node, distributed: ReadonlySet<string>): string => {
  const withParts = (partsOf: (table: string) => string): string =>
    text.replace(TABLE, (whole: string, word: string, _: string, table: string, __: string | undefined, alias: string | undefined) =>
      distributed.has(table) ? `${word} (${partsOf(table)}) as "${alias ?? table}"` : whole,
    )
  if (WHOLE.test(withParts(() => ''))) throw new Error(`a node does not have all tables of: ${text}`)
  return withParts((table) => {
    const own = parts.get(table)
    return own === undefined ? `select * from ${table} where false` : own.map((part) => `select * from ${part}`).join(' union all ')
  })
}

/** The first table of a statement that is distributed; undefined if there is none. All of a statement for nodes are distributed in the same way. */
export const tableOf = (text: string, distributed: ReadonlySet<string>): string | undefined => {
  for (const [, , , table] of text.matchAll(TABLE)) if (distributed.has(table!)) return table
  return undefined
}
