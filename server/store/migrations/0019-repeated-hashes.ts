import { migration } from './statements.ts'

/*
 * Hashes that many rows share get B-trees. A hash index keeps equal values in one chain of pages, and each new row walks it to its end: messages with the
 * empty body, or with the initial state of one jetton wallet, took ever longer to write, and so did the transactions of one trace, and external messages
 * that differ only in what their normalized hash leaves out.
 */

export const repeatedHashesMigration = migration([
  // Writers wait while the indexes are built, which can take minutes. Readers do not.
  'create index messages_body_hash on messages (body_hash) where listed',
  'create index messages_init_hash on messages (init_hash) where init_hash is not null',
  'create index transactions_trace_id on transactions (trace_id)',
  'create index messages_msg_hash_norm on messages (msg_hash_norm) where msg_hash_norm is not null',
  'create index traces_hash_norm on traces (external_hash_norm) where external_hash_norm is not null',
  // While a statement waits for its lock, all reads queue behind it (0015-hashes.ts).
  `set local citus.propagate_set_commands = 'local'`,
  `set local lock_timeout = '3s'`,
  'drop index messages_body',
  'drop index messages_init',
  'drop index transactions_trace',
  'drop index messages_hash_norm',
  'drop index traces_external_hash_norm',
])
