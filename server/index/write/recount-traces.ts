import { DIRECTION_IN, DIRECTION_OUT, TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../../store/codes.ts'
import type { Connection } from '../../store/postgres/connection.ts'
import { nameOf } from '../../store/row-keys.ts'

/*
 * Recomputes the counters of traces from their stored transactions. Citus joins only colocated tables, so each statement reads one colocation group, and
 * the results are combined here.
 */

interface LeftOver {
  readonly trace_id: Buffer
  readonly nodes: string
  readonly mc_seqno: number
  readonly lt: string
  readonly now: string
}

const LEFT_OVER = `select trace_id, count(*) as nodes, max(mc_seqno) as mc_seqno, max(lt) as lt, max(now) as now
  from transactions where trace_id = any($1::bytea[]) and mc_seqno < $2 group by trace_id`

const SENT = `select t.trace_id, count(*) filter (where m.destination is not null) as messages, count(*) filter (where m.destination is null) as logs
  from transactions t join messages m on m.tx_account = t.account and m.tx_lt = t.lt and m.direction = ${DIRECTION_OUT}
  where t.trace_id = any($1::bytea[]) and t.mc_seqno < $2 group by t.trace_id`

/** Selects the first transactions of traces: the id of a trace is the hash of its first transaction. */
const ROOTS = 'select hash, account, lt from tx_by_hash where hash = any($1::bytea[])'

/** Selects those of the given transactions that received a message. */
const BEGUN = `select m.tx_account as account, m.tx_lt as lt from messages m
  where m.tx_account = any($1::bytea[]) and (m.tx_account, m.tx_lt) in (select * from unnest($1::bytea[], $2::bigint[])) and m.direction = ${DIRECTION_IN}`

/** Writes the counters. A broken trace stays broken, because its beginning is not indexed. */
const UPDATE = `update traces set nodes = l.nodes, mc_seqno_end = l.mc_seqno, end_lt = l.lt, end_utime = l.now,
    edges = case when state = ${TRACE_BROKEN} then 0 else l.began end + l.nodes - 1 + l.logs,
    pending_edges = case when state = ${TRACE_BROKEN} then 1 else 0 end + l.messages - (l.nodes - 1),
    state = case when state = ${TRACE_BROKEN} then ${TRACE_BROKEN} when l.messages = l.nodes - 1 then ${TRACE_COMPLETE} else ${TRACE_PENDING} end
  from unnest($1::bytea[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::integer[], $7::integer[], $8::integer[])
    as l(trace_id, nodes, mc_seqno, lt, now, began, messages, logs)
  where traces.trace_id = l.trace_id`

const NO_BLOCK = 2 ** 31 - 1

/**
 * Recomputes the counters of traces from all their transactions, or from those before masterchain block `before`. A trace without such transactions does
 * not change.
 */
export const recountTraces = async ({ query }: Pick<Connection, 'query'>, ids: readonly Buffer[], before = NO_BLOCK): Promise<void> => {
  if (ids.length === 0) return
  const left = await query<LeftOver>(LEFT_OVER, [ids, before])
  const sent = await query<{ trace_id: Buffer; messages: string; logs: string }>(SENT, [ids, before])
  const roots = await query<{ hash: Buffer; account: Buffer; lt: string }>(ROOTS, [ids])
  const begun = await query<{ account: Buffer; lt: string }>(BEGUN, [roots.map(({ account }) => account), roots.map(({ lt }) => lt)])
  const starts = new Set(begun.map(({ account, lt }) => `${nameOf(account)} ${lt}`))
  const began = new Map(roots.map(({ hash, account, lt }) => [nameOf(hash), starts.has(`${nameOf(account)} ${lt}`) ? 1 : 0]))
  const sentOfTrace = new Map(sent.map((row) => [nameOf(row.trace_id), row]))
  const counts = left.map(({ trace_id }) => sentOfTrace.get(nameOf(trace_id)))
  await query(UPDATE, [
    left.map(({ trace_id }) => trace_id),
    left.map(({ nodes }) => nodes),
    left.map(({ mc_seqno }) => mc_seqno),
    left.map(({ lt }) => lt),
    left.map(({ now }) => now),
    left.map(({ trace_id }) => began.get(nameOf(trace_id)) ?? 0),
    counts.map((row) => row?.messages ?? 0),
    counts.map((row) => row?.logs ?? 0),
  ])
}
