import { bytea, currencies, int2, int4, int8, merged, nullable, numeric } from './column.ts'
import { table } from './table.ts'

/** A row that is written without data, but with the hash of the stored data, leaves that as it is. */
const LATEST_DATA = `case when excluded.data_boc is null and excluded.data_hash = accounts.data_hash then accounts.data_boc
  else excluded.data_boc end`

/** The latest state of every account. The BoC of its code is in cells. */
export const accounts = table('accounts', {
  kind: 'merged',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    /** The block that set the state; 0 for the start state. */
    mc_seqno: int4,
    state_hash: bytea,
    status: int2,
    balance: numeric,
    balance_extra: currencies,
    utime: int8,
    last_trans_hash: nullable(bytea),
    last_trans_lt: int8,
    /** The lt where the index first saw the account: its first indexed transaction, or the last transaction before the index. */
    first_lt: merged('keep', int8),
    code_hash: nullable(bytea),
    data_hash: nullable(bytea),
    frozen_hash: nullable(bytea),
    data_boc: merged({ sql: LATEST_DATA }, nullable(bytea)),
  },
  indexes: {
    balance: '(balance, account)',
    code_hash: '(code_hash, account)',
  },
})

/**
 * The last change of each account in history that was removed, so that a revert can find when the account changed before. Only for a chain that can be
 * reverted.
 */
export const departedChanges = table('departed_changes', {
  kind: 'outside',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    mc_seqno: int4,
    utime: int8,
    /** Its last transaction that was removed; null if there is none. */
    last_trans_hash: nullable(bytea),
    last_trans_lt: int8,
  },
})

/** Accounts that changed without a transaction (possible on a local chain), by the masterchain block with the change. */
export const accountSets = table('account_sets', {
  kind: 'event',
  key: ['account', 'mc_seqno'],
  group: 'transactions',
  prunedWith: 'block',
  columns: {
    account: bytea,
    mc_seqno: int4,
    utime: int8,
  },
  indexes: {
    mc_seqno: '(mc_seqno)',
  },
})
