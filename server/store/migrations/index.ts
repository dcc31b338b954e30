import { chainMigration } from './0001-chain.ts'
import { extensionsMigration } from './0001-extensions.ts'
import { assetsMigration } from './0002-assets.ts'
import { validatorsMigration } from './0003-validators.ts'
import { stakingMigration } from './0005-staking.ts'
import { walletsMigration } from './0007-wallets.ts'
import { asRecordedMigration } from './0008-as-recorded.ts'
import { actionsMigration } from './0009-actions.ts'
import { retentionMigration } from './0010-retention.ts'
import { validatorsLocalMigration } from './0011-validators-local.ts'
import { backfillMigration } from './0012-backfill.ts'
import { namesLocalMigration } from './0013-names-local.ts'
import { changesMigration } from './0014-changes.ts'
import { hashesMigration } from './0015-hashes.ts'
import { tokenFlagsMigration } from './0016-token-flags.ts'
import { hooksMigration } from './0017-hooks.ts'
import { noDepartedChangesMigration } from './0018-no-departed-changes.ts'
import { repeatedHashesMigration } from './0019-repeated-hashes.ts'
import { tracesAndNormalizedHashesMigration } from './0020-traces-and-normalized-hashes.ts'
import { shortestNamesMigration } from './0021-shortest-names.ts'
import type { StatementMigration } from './statements.ts'

/** Migrations in the order in which they are applied. There are no down migrations. The numbers have gaps, and 0001 occurs twice. */
export const MIGRATIONS: Readonly<Record<string, StatementMigration>> = {
  '0001-chain': chainMigration,
  '0001-extensions': extensionsMigration,
  '0002-assets': assetsMigration,
  '0003-validators': validatorsMigration,
  '0005-staking': stakingMigration,
  '0007-wallets': walletsMigration,
  '0008-as-recorded': asRecordedMigration,
  '0009-actions': actionsMigration,
  '0010-retention': retentionMigration,
  '0011-validators-local': validatorsLocalMigration,
  '0012-backfill': backfillMigration,
  '0013-names-local': namesLocalMigration,
  '0014-changes': changesMigration,
  '0015-hashes': hashesMigration,
  '0016-token-flags': tokenFlagsMigration,
  '0017-hooks': hooksMigration,
  '0018-no-departed-changes': noDepartedChangesMigration,
  '0019-repeated-hashes': repeatedHashesMigration,
  '0020-traces-and-normalized-hashes': tracesAndNormalizedHashesMigration,
  '0021-shortest-names': shortestNamesMigration,
}
