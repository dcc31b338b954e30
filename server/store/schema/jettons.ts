import { bool, bytea, int4, int8, nullable, numeric, text } from './column.ts'
import { table } from './table.ts'

/** Jetton masters as their get-methods describe them. */
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
    /** JSON as text: contracts may say characters that jsonb refuses. */
    content: text,
    wallet_code_hash: bytea,
    /** As in accounts, for the order of lists. */
    first_lt: int8,
  },
  indexes: {
    admin: '(admin, first_lt, account)',
    first_lt: '(first_lt, account)',
  },
})

/** Jetton wallets whose master agrees that they are its wallets. */
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
    /** Whether a mintless allocation was taken; null where there is no such thing. */
    claimed: nullable(bool),
  },
  indexes: {
    balance: '(balance, account)',
    jetton: '(jetton, balance, account)',
    owner: '(owner, balance, account)',
    owner_jetton: '(owner, jetton)',
  },
})

/** Orders to transfer, at the sender's wallet (`account`). Transfers that failed are left out. */
export const jettonTransfers = table('jetton_transfers', {
  kind: 'event',
  key: ['account', 'tx_lt'],
  group: 'transactions',
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
  indexes: {
    destination: '(destination, tx_lt)',
    jetton: '(jetton, tx_lt)',
    lt: '(tx_lt)',
    mc_seqno: '(mc_seqno)',
    now: '(tx_now)',
    source: '(source, tx_lt)',
  },
})

/** Orders to burn, at the owner's wallet (`account`); those that failed too. */
export const jettonBurns = table('jetton_burns', {
  kind: 'event',
  key: ['account', 'tx_lt'],
  group: 'transactions',
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
  indexes: {
    jetton: '(jetton, tx_lt)',
    lt: '(tx_lt)',
    mc_seqno: '(mc_seqno)',
    now: '(tx_now)',
    owner: '(owner, tx_lt)',
  },
})
