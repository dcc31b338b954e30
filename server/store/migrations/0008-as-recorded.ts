import { type Kysely, sql } from 'kysely'

/*
 * Rows of earlier releases become what blocks would give now, without a look at the blocks: all that is needed stands in the tables.
 *
 * - A trace's `external_hash` is the hash of its root's in-message whatever that is; it was left out unless the message came from outside.
 * - A normalized hash that is the message's own is not stored: it says nothing, and TON Center does not show it.
 * - `first_lt` of accounts, where the index saw them first: the lt of their first transaction, or the last one before it where they stood there
 *   without one (in the start state, or set by the owner of a local chain). Masters, collections and items have it beside them: their lists
 *   are in the order of appearance.
 */

const STATEMENTS: readonly string[] = [
  // The first transaction of a trace has the trace's id as its hash. A Citus cluster cannot join the groups of traces and of accounts: it runs a subquery with
  // an offset first.
  `update traces set external_hash = r.msg_hash from (
     select t.trace_id, m.msg_hash from transactions t join messages m on m.tx_account = t.account and m.tx_lt = t.lt and m.direction = 0
     where t.hash = t.trace_id offset 0) as r
     where r.trace_id = traces.trace_id and traces.external_hash is null`,
  'update traces set external_hash_norm = null where external_hash_norm = external_hash',
  'update messages set msg_hash_norm = null where msg_hash_norm = msg_hash',

  'alter table accounts add column first_lt bigint',
  `update accounts set first_lt = coalesce((
     select case when exists (select from account_sets s where s.account = t.account and s.mc_seqno <= t.mc_seqno) then t.prev_trans_lt else t.lt end
     from transactions t where t.account = accounts.account order by t.lt limit 1), last_trans_lt)`,
  'alter table accounts alter column first_lt set not null',

  ...['jetton_masters', 'nft_collections', 'nft_items'].flatMap((table) => [
    `alter table ${table} add column first_lt bigint`,
    `update ${table} set first_lt = coalesce((select a.first_lt from accounts a where a.account = ${table}.account), 0)`,
    `alter table ${table} alter column first_lt set not null`,
    `create index ${table}_first_lt on ${table} (first_lt, account)`,
  ]),
  // Masters of an admin and collections of an owner stand in the same order.
  'drop index jetton_masters_admin',
  'create index jetton_masters_admin on jetton_masters (admin, first_lt, account)',
  'drop index nft_collections_owner',
  'create index nft_collections_owner on nft_collections (owner, first_lt, account)',
]

export const asRecordedMigration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Citus refuses updates by joins across groups. A new database has no rows that they could change.
    const { rows } = await sql`select from index_checkpoint`.execute(db)
    const statements = rows.length > 0 ? STATEMENTS : STATEMENTS.filter((statement) => !statement.startsWith('update '))
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
