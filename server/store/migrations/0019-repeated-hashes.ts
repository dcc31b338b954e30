import { migration } from './statements.ts'

/*
 * Hashes that many messages share get B-trees. A hash index keeps equal values in one chain of pages, and each new row walks it to its end: rows with the
 * empty body, or with the initial state of one jetton wallet, took ever longer to write.
 */

export const repeatedHashesMigration = migration([
  // Writers wait while the indexes are built, which can take minutes. Readers do not.
  'create index messages_body_hash on messages (body_hash) where listed',
  'create index messages_init_hash on messages (init_hash) where init_hash is not null',
  // While a statement waits for its lock, all reads queue behind it (0015-hashes.ts).
  `set local citus.propagate_set_commands = 'local'`,
  `set local lock_timeout = '3s'`,
  'drop index messages_body',
  'drop index messages_init',
])
