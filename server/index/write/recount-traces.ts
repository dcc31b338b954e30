import { type CompiledQuery, sql } from 'kysely'
import { DIRECTION_IN, DIRECTION_OUT, TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../../store/codes.ts'
import { createBuilder } from '../../store/postgres/pool.ts'

const builder = createBuilder()

/** No block has this seqno. */
const NO_BLOCK = 2 ** 31 - 1

/**
 * UPDATE that counts traces anew from the transactions that a revert left of them, or from those before block `before`. A broken trace stays broken: its
 * beginning is not indexed.
 */
export const recountTraces = (ids: readonly Buffer[], before = NO_BLOCK): CompiledQuery => {
  const isAsked = (id: ReturnType<typeof sql.ref>) => sql<boolean>`${id} = any(${ids}::bytea[])`
  return builder
    .with('left_over', (db) =>
      db
        .selectFrom('transactions as t')
        .where(isAsked(sql.ref('t.trace_id')))
        .where('t.mc_seqno', '<', before)
        .groupBy('t.trace_id')
        .select(({ fn }) => [
          't.trace_id',
          fn.countAll<string>().as('nodes'),
          fn.max('t.mc_seqno').as('mc_seqno'),
          fn.max('t.lt').as('lt'),
          fn.max('t.now').as('now'),
        ]),
    )
    .with('sent', (db) =>
      db
        .selectFrom('transactions as t')
        .innerJoin('messages as m', (join) =>
          join.onRef('m.tx_account', '=', 't.account').onRef('m.tx_lt', '=', 't.lt').on('m.direction', '=', DIRECTION_OUT),
        )
        .where(isAsked(sql.ref('t.trace_id')))
        .where('t.mc_seqno', '<', before)
        .groupBy('t.trace_id')
        .select(({ fn }) => [
          't.trace_id',
          fn.countAll<string>().filterWhere('m.destination', 'is not', null).as('messages'),
          fn.countAll<string>().filterWhere('m.destination', 'is', null).as('logs'),
        ]),
    )
    .with('roots', (db) =>
      db
        .selectFrom('tx_by_hash as h')
        .leftJoin('messages as m', (join) =>
          join.onRef('m.tx_account', '=', 'h.account').onRef('m.tx_lt', '=', 'h.lt').on('m.direction', '=', DIRECTION_IN),
        )
        .where(isAsked(sql.ref('h.hash')))
        .groupBy('h.hash')
        .select(({ fn }) => ['h.hash as trace_id', fn.count<string>('m.tx_lt').as('began')]),
    )
    .updateTable('traces')
    .from('left_over as l')
    .leftJoin('sent as s', 's.trace_id', 'l.trace_id')
    .leftJoin('roots as r', 'r.trace_id', 'l.trace_id')
    .set(({ ref }) => {
      const ifBroken = (then: number, otherwise: ReturnType<typeof sql<number>>) =>
        sql<number>`case when ${ref('traces.state')} = ${sql.lit(TRACE_BROKEN)} then ${sql.lit(then)} else ${otherwise} end`
      const received = sql<number>`${ref('l.nodes')} - 1`
      const pending = sql<number>`coalesce(${ref('s.messages')}, 0) - (${received})`
      return {
        nodes: sql<number>`${ref('l.nodes')}`,
        mc_seqno_end: ref('l.mc_seqno'),
        end_lt: ref('l.lt'),
        end_utime: ref('l.now'),
        edges: sql<number>`${ifBroken(0, sql<number>`coalesce(${ref('r.began')}, 0)`)} + ${received} + coalesce(${ref('s.logs')}, 0)`,
        pending_edges: sql<number>`${ifBroken(1, sql.lit(0))} + ${pending}`,
        state: ifBroken(
          TRACE_BROKEN,
          sql<number>`case when ${pending} = 0 then ${sql.lit(TRACE_COMPLETE)} else ${sql.lit(TRACE_PENDING)} end`,
        ),
      }
    })
    .whereRef('traces.trace_id', '=', 'l.trace_id')
    .compile()
}
