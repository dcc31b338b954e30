import { sql } from 'kysely'
import { createBuilder } from '../postgres/pool.ts'
import { hashOf, PROBE } from './hash.ts'

/* Which node of a Citus cluster has which shards. */

/** The hashes that a shard has, from and to: 32 bits, signed. Tables that are distributed in the same way have shards of the same hashes, side by side. */
export interface Hashes {
  readonly low: number
  readonly high: number
}

/** A table that is a part of a distributed one. */
export interface Part extends Hashes {
  readonly name: string
}

/** A node, and its parts of distributed tables, by the names of these. */
export interface Node {
  readonly host: string
  readonly port: number
  readonly parts: ReadonlyMap<string, readonly Part[]>
}

/** A node by its place in the map. */
export interface Place {
  readonly node: number
  /** All rows are in its shard of these hashes. */
  readonly only?: Hashes | undefined
  /** Which of the values each of its shards can have, by the lowest hash of the shard. Undefined if this is not known, and with `only`. */
  readonly keys?: ReadonlyMap<number, readonly Uint8Array[]> | undefined
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
    const found = new Map<number, Map<Shard, Uint8Array[]>>()
    for (const value of values) {
      const hash = hashOf(value)
      const shard = shards.find(({ low, high }) => low <= hash && hash <= high)
      if (shard === undefined) return all
      const own = found.get(shard.node) ?? new Map<Shard, Uint8Array[]>()
      found.set(shard.node, own)
      const there = own.get(shard)
      if (there) there.push(value)
      else own.set(shard, [value])
    }
    return [...found].map(([node, own]) => {
      const [only] = own.keys()
      if (own.size === 1 && isAlone(table, node)) return { node, only }
      return { node, keys: new Map([...own].map(([{ low }, there]) => [low, there])) }
    })
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
