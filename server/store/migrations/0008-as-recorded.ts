import { sql } from 'kysely'
import { migration } from './statements.ts'

/*
 * Updates rows of earlier releases to what this release would derive. All data for this is in the tables, so no block is read.
 *
 * - A trace's `external_hash` is now always the hash of the root transaction's in-message. Earlier releases stored it only for external messages.
 * - A normalized hash that equals the message's own hash is now null, because TON Center does not show it.
 * - `first_lt` is the lt at which the index saw an account first: the lt of its first transaction. For an account that existed without an indexed transaction
 *   (in the state before the first block, or set by the owner of a local chain) it is the lt of the last transaction before that. The tables of masters,
 *   collections and items have a copy, because their lists are in the order of appearance.
 */

const STATEMENTS: readonly string[] = [
  // The id of a trace is the hash of its first transaction. A Citus cluster cannot join the colocation groups of traces and of accounts, but a subquery
  // with an offset is run first, and its result can be joined.
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
  'drop index jetton_masters_admin',
  'create index jetton_masters_admin on jetton_masters (admin, first_lt, account)',
  'drop index nft_collections_owner',
  'create index nft_collections_owner on nft_collections (owner, first_lt, account)',
]

export const asRecordedMigration = migration(STATEMENTS, async (db) => {
  // Citus refuses updates that join colocation groups. A new database has no rows to update.
  const { rows } = await sql`select from index_checkpoint`.execute(db)
  return rows.length > 0 ? STATEMENTS : STATEMENTS.filter((statement) => !statement.startsWith('update '))
})
