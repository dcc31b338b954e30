import { migration } from './statements.ts'

/*
 * Counts the changes that do not come from blocks (reverts, removed history). `index_checkpoint.changes` grows in the SQL transaction of the change.
 * `published_head.changes` grows after that transaction is committed on all nodes of a cluster.
 */

export const changesMigration = migration([
  // Every read of v3 locks these two tables in this order. With the opposite order, the migration would deadlock with reads of the previous release. While
  // a statement waits for its lock (behind a backup, for example), all reads queue behind the statement, so the wait is limited.
  `set local lock_timeout = '3s'`,
  // Null before the first change, so that the previous release can still use these tables.
  'alter table published_head add column changes bigint',
  'alter table index_checkpoint add column changes bigint',
])
