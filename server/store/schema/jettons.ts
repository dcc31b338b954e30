import { bool, bytea, int4, int8, nullable, numeric, text } from './column.ts'
import { table } from './table.ts'

export const jettonMasters = table('jetton_masters', {
  kind: 'state',
  key: ['account'],
  owner: 'account',
  group: 'transactions',
  columns: {
    account: bytea,
    mc_seqno: int4,
    total_supply: numeric,
    mintable: bool,
    admin: nullable(bytea),
    /** JSON in a text column, because contracts can return characters that jsonb refuses. */
    content: text,
    wallet_code_hash: bytea,
    /** Copy of accounts.first_lt, because lists are ordered by this column. */
    first_lt: int8,
  },
})

/** Jetton wallets whose master confirms them. */
export const jettonWallets = table('jetton_wallets', {
  kind: 'state',
  key: ['account'],
  owner: 'account',
  group: 'transactions',
  columns: {
    account: bytea,
    mc_seqno: int4,
    balance: numeric,
    owner: bytea,
    jetton: bytea,
    /** True if the mintless allocation was claimed; null if the wallet has none. */
    claimed: nullable(bool),
  },
})

/** Transfer requests that a sender's wallet (`account`) received, without failed ones. */
export const jettonTransfers = table('jetton_transfers', {
  kind: 'event',
  key: ['account', 'tx_lt'],
  group: 'transactions',
  prunedWith: { account: 'account', tx_lt: 'lt' },
  columns: {
    account: bytea,
    tx_lt: int8,
    mc_seqno: int4,
    tx_hash: bytea,
    trace_id: bytea,
    tx_now: int8,
    query_id: numeric,
    amount: numeric,
    source: bytea,
    destination: nullable(bytea),
    jetton: bytea,
    response_destination: nullable(bytea),
    custom_payload: nullable(bytea),
    forward_ton_amount: nullable(numeric),
    forward_payload: nullable(bytea),
  },
})

/** Burn requests that an owner's wallet (`account`) received, including failed ones. */
export const jettonBurns = table('jetton_burns', {
  kind: 'event',
  key: ['account', 'tx_lt'],
  group: 'transactions',
  prunedWith: { account: 'account', tx_lt: 'lt' },
  columns: {
    account: bytea,
    tx_lt: int8,
    mc_seqno: int4,
    tx_hash: bytea,
    trace_id: bytea,
    tx_now: int8,
    aborted: bool,
    query_id: numeric,
    amount: numeric,
    owner: bytea,
    jetton: bytea,
    response_destination: nullable(bytea),
    custom_payload: nullable(bytea),
  },
})
