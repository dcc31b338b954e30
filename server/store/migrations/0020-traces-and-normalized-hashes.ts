import { migration } from './statements.ts'

/*
 * B-trees for further hashes that many rows share (0019-repeated-hashes.ts): the transactions of one trace, and external messages that differ only in what
 * their normalized hash leaves out.
 */

export const tracesAndNormalizedHashesMigration = migration([
  // Writers wait while the indexes are built, which can take minutes. Readers do not.
  'create index transactions_trace_id on transactions (trace_id)',
  'create index messages_msg_hash_norm on messages (msg_hash_norm) where msg_hash_norm is not null',
  'create index traces_hash_norm on traces (external_hash_norm) where external_hash_norm is not null',
  // While a statement waits for its lock, all reads queue behind it (0015-hashes.ts).
  `set local citus.propagate_set_commands = 'local'`,
  `set local lock_timeout = '3s'`,
  'drop index transactions_trace',
  'drop index messages_hash_norm',
  'drop index traces_external_hash_norm',
])
