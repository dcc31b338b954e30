import { type CompiledQuery, isCompilable } from 'kysely'
import type { ClientConfig } from 'pg'
import { createNodeStatements } from '../../../server/store/nodes/node-statements.ts'
import type { Place } from '../../../server/store/nodes/shard-map.ts'
import type { Ask, AskShards, Compilable, Reader } from '../../../server/store/postgres/pool.ts'
import { TABLES } from '../../../server/store/schema/tables.ts'
import type { TestServer } from './database.ts'

/*
 * Two nodes of a cluster that has none: views stand for the shards, each with the rows of some keys, and a node has two of the four views of a table. So nodes get the statements
 * that they get of a real cluster, and give only their part of the rows.
 */

const SHARDS = [0, 1, 2, 3]
const NODES = [0, 1]

const distributed = Object.values(TABLES).filter(({ group }) => group !== undefined)
/** The view that has the rows with this value in the distribution column, and its node. */
const shardOf = (value: Uint8Array): number => value[5]! % SHARDS.length
const nodeOf = (shard: number): number => shard % NODES.length
const partOf = (table: string, shard: number): string => `${table}_${102_000 + shard}`

/** Makes the views. Rows of a group with one key are in views of one number, as shards of a group are on one node. */
export const splitTables = async (server: TestServer, database: ClientConfig): Promise<void> => {
  for (const { name, key } of distributed)
    for (const shard of SHARDS)
      await server.run(
        database,
        `create view ${partOf(name, shard)} as select * from ${name} where get_byte(${key[0]}, 5) % ${SHARDS.length} = ${shard}`,
      )
}

const nodes = NODES.map((node) => ({
  host: '',
  port: node,
  parts: new Map(
    distributed.map(({ name }) => [
      name,
      SHARDS.filter((shard) => nodeOf(shard) === node).map((shard) => ({ name: partOf(name, shard), low: shard, high: shard })),
    ]),
  ),
}))
const statements = createNodeStatements(nodes)

/** The nodes that are asked for rows with these values, and where in them the rows are; all of them if no values are said. */
const placesOf = (text: string, values: readonly Uint8Array[] | undefined): readonly Place[] => {
  if (values === undefined || statements.tableOf(text) === undefined) return NODES.map((node) => ({ node }))
  return NODES.flatMap((node): readonly Place[] => {
    const own = values.filter((value) => nodeOf(shardOf(value)) === node)
    const shards = [...new Set(own.map(shardOf))]
    if (shards.length === 0) return []
    if (shards.length === 1) return [{ node, only: { low: shards[0]!, high: shards[0]! } }]
    return [{ node, keys: new Map(shards.map((shard) => [shard, own.filter((value) => shardOf(value) === shard)])) }]
  })
}

/** The same reader, as one that asks two nodes. `fail` gets what a node could not answer: a read is then made again without nodes. */
export const asSpread = (reader: Reader, fail: (why: string) => void): Reader => ({
  ...reader,
  snapshot: (run, signal, by) =>
    reader.snapshot((ask, known) => {
      if (by === undefined) return run(ask, known)
      const compiled = <R>(query: Compilable<R> | CompiledQuery<R>): CompiledQuery<R> => (isCompilable(query) ? query.compile() : query)
      const rows: Ask = async <R>(query: Compilable<R> | CompiledQuery<R>, planned?: 'once' | 'each') => {
        const { sql, ...rest } = compiled(query)
        // Plain PostgreSQL knows of no placements.
        const asked = sql.replace(/, \(select coalesce\(max\(placementid\)[\s\S]* as "shards"/, `, 'here' as "shards"`)
        const found = await ask<R>({ ...rest, sql: asked }, planned)
        return found.map((row) =>
          typeof row === 'object' && row !== null && 'isDistributed' in row ? { ...row, isDistributed: true, isSettled: true } : row,
        )
      }
      const onNodes: AskShards = async <R>(
        query: Compilable<R> | CompiledQuery<R>,
        planned?: 'once' | 'each',
        values?: readonly Uint8Array[],
      ) => {
        const whole = compiled(query)
        // The last node first: an answer must not need the rows of nodes in their order.
        const asked = statements.at(placesOf(whole.sql, values), whole, values).toReversed()
        const all = asked.map(async ({ query: own }) => {
          try {
            return await ask<R>(own, planned)
          } catch (error) {
            fail(`${error}: ${whole.sql}`)
            throw error
          }
        })
        return (await Promise.all(all)).flat()
      }
      return run(rows, known, { spread: { version: 'here', rows: onNodes, doubt: () => {} } })
    }, signal),
})
