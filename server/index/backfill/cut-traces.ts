import { portionsOf } from '../../base/memory/portions.ts'
import { DIRECTION_IN, TRACE_BROKEN, TRACE_PENDING } from '../../store/codes.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'
import { messages } from '../../store/schema/messages.ts'
import type { Table } from '../../store/schema/table.ts'
import { CHAIN_TABLES } from '../../store/schema/tables.ts'
import { traces } from '../../store/schema/traces.ts'
import { createRecentRows } from '../derive/recent-rows.ts'
import type { Topic } from '../topics/topic.ts'

/*
 * Repairs traces that the beginning of a range cuts in two. If a message was sent before the range, the range lacks the sending transaction, so the
 * receiving one began a broken trace. Here the receiving transaction gets the trace of the sending one.
 */

interface Root {
  readonly trace_id: Buffer
  readonly account: Buffer
  readonly lt: string
  readonly msg_hash: Buffer
}

const roots = (schema: string): string =>
  `select t.trace_id, h.account, h.lt, m.msg_hash from ${schema}.traces t join ${schema}.tx_by_hash h on h.hash = t.trace_id
   join ${schema}.messages m on m.tx_account = h.account and m.tx_lt = h.lt and m.direction = ${DIRECTION_IN} where t.state = ${TRACE_BROKEN}`

const AT_ONCE = 5_000

/** Tables with a `trace_id`. Tables of actions are left out, because broken traces have no actions. */
const namingTraces = (topics: readonly Topic[]): readonly Table[] =>
  [...CHAIN_TABLES, ...topics.filter(({ isRederived }) => !isRederived).flatMap(({ tables }) => tables)].filter(
    (table) => 'trace_id' in table.columns && table !== traces,
  )

/**
 * Writes the correct trace ids into the range's rows (tables of `schema`). Call this in the SQL transaction of the join, before the rows are copied to the
 * index. Returns the traces that have to be counted again, because some of their transactions are in the range.
 */
export const joinTraces = async (
  connection: Pick<Connection, 'query'>,
  schema: string,
  topics: readonly Topic[],
): Promise<readonly Buffer[]> => {
  const { query } = connection
  const cut = await query<Root>(roots(schema))
  const { senders } = createRecentRows(connection)
  const traceOf = new Map<string, Buffer>()
  for (const some of portionsOf(cut, AT_ONCE)) {
    const found = await senders(some.map(({ msg_hash }) => nameOf(msg_hash)))
    for (const [hash, trace] of found) traceOf.set(hash, Buffer.from(trace, 'latin1'))
  }
  const continued = cut.flatMap((root) => {
    const trace = traceOf.get(nameOf(root.msg_hash))
    return trace === undefined ? [] : [{ ...root, trace }]
  })
  const ids = continued.map(({ trace_id }) => trace_id)
  const now = continued.map(({ trace }) => trace)
  if (ids.length > 0) {
    for (const { name } of namingTraces(topics))
      await query(
        `update ${schema}.${name} as t set trace_id = c.now from unnest($1::bytea[], $2::bytea[]) as c(was, now) where t.trace_id = c.was`,
        [ids, now],
      )
    // The message now also has a row of its sender, which lists show instead of the receiver's row.
    await query(
      `update ${schema}.${messages.name} as m set listed = false from unnest($1::bytea[], $2::bigint[]) as c(account, lt)
       where m.tx_account = c.account and m.tx_lt = c.lt and m.direction = ${DIRECTION_IN}`,
      [continued.map(({ account }) => account), continued.map(({ lt }) => lt)],
    )
    await query(`delete from ${schema}.${traces.name} where trace_id = any($1::bytea[])`, [ids])
  }
  // No transaction sent the message, so the trace begins here. The owner of a local chain can create such messages.
  const begun = cut.filter(({ msg_hash }) => !traceOf.has(nameOf(msg_hash))).map(({ trace_id }) => trace_id)
  if (begun.length > 0)
    await query(`update ${schema}.${traces.name} set state = ${TRACE_PENDING} where trace_id = any($1::bytea[])`, [begun])
  return [...new Map([...now, ...begun].map((id) => [nameOf(id), id])).values()]
}
