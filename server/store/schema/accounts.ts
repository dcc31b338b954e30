import { bytea, currencies, int2, int4, int8, merged, nullable, numeric } from './column.ts'
import { table } from './table.ts'

/** Keeps the stored data if a row is written without data and with the hash of the stored data. */
const LATEST_DATA = `case when excluded.data_boc is null and excluded.data_hash = accounts.data_hash then accounts.data_boc
  else excluded.data_boc end`

/** The latest states. The BoC of an account's code is in the table cells. */
export const accounts = table('accounts', {
  kind: 'merged',
  key: ['account'],
  group: 'transactions',
  columns: {
    account: bytea,
    /** The masterchain block that set the state. For the state before the index's first block, the seqno before that block. */
    mc_seqno: int4,
    state_hash: bytea,
    status: int2,
    balance: numeric,
    balance_extra: currencies,
    utime: int8,
    last_trans_hash: nullable(bytea),
    last_trans_lt: int8,
    /** The lt at which the index first saw the account: the lt of its first indexed transaction, or of its last transaction before the index began. */
    first_lt: merged('keep', int8),
    code_hash: nullable(bytea),
    data_hash: nullable(bytea),
    frozen_hash: nullable(bytea),
    data_boc: merged({ sql: LATEST_DATA }, nullable(bytea)),
  },
})

/** Accounts that changed without a transaction, which only the owner of a local chain can do. A revert needs the masterchain block of each change. */
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
})
