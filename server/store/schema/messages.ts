import { bool, bytea, cellHash, currencies, int2, int4, int8, merged, nullable, numeric } from './column.ts'
import { table } from './table.ts'
import { transactions } from './transactions.ts'

/**
 * Two rows per message: one of the transaction that sent the message (direction 1; `msg_index` is its position) and one of the transaction that received it
 * (direction 0).
 */
export const messages = table('messages', {
  kind: 'event',
  key: ['tx_account', 'tx_lt', 'direction', 'msg_index'],
  group: 'transactions',
  revertedWith: { table: transactions, by: { tx_account: 'account', tx_lt: 'lt' } },
  prunedWith: { tx_account: 'account', tx_lt: 'lt' },
  columns: {
    tx_account: bytea,
    tx_lt: int8,
    direction: int2,
    msg_index: int2,
    msg_hash: cellHash,
    /** The normalized hash; null if it equals msg_hash. */
    msg_hash_norm: nullable(bytea),
    mc_seqno: int4,
    /** True for one of the two rows: the sender's, or the receiver's if no sender is indexed. Lists read only these rows. */
    listed: bool,
    source: nullable(bytea),
    destination: nullable(bytea),
    value: nullable(numeric),
    value_extra: currencies,
    fwd_fee: nullable(numeric),
    ihr_fee: nullable(numeric),
    /** Since global version 12 the field ihr_fee of a message contains extra flags, which are stored here as a number. */
    extra_flags: nullable(numeric),
    import_fee: nullable(numeric),
    /** Null for an external in-message. Lists order such a message by tx_lt, the lt of the transaction that received it. */
    created_lt: nullable(int8),
    created_at: nullable(int8),
    /** First 32 bits of the body, signed. */
    opcode: nullable(int4),
    ihr_disabled: nullable(bool),
    bounce: nullable(bool),
    bounced: nullable(bool),
    body_hash: cellHash,
    init_hash: nullable(cellHash),
  },
})

/** Message bodies, initial states and codes by cell hash, as BoCs with one root. */
export const cells = table('cells', {
  kind: 'merged',
  key: ['hash'],
  group: 'tx_by_hash',
  columns: {
    hash: bytea,
    /** The masterchain block in which the cell was first seen. */
    mc_seqno: merged('keep', int4),
    boc: merged('keep', bytea),
  },
})
