import { bool, bytea, int8, nullable, numeric, text } from './column.ts'
import { contractTable, transferTable } from './contract-table.ts'

export const jettonMasters = contractTable('jetton_masters', {
  total_supply: numeric,
  mintable: bool,
  admin: nullable(bytea),
  /** JSON in a text column, because contracts can return characters that jsonb refuses. */
  content: text,
  wallet_code_hash: bytea,
  /** Copy of accounts.first_lt, because lists are ordered by this column. */
  first_lt: int8,
})

/** Jetton wallets whose master confirms them. */
export const jettonWallets = contractTable('jetton_wallets', {
  balance: numeric,
  owner: bytea,
  jetton: bytea,
  /** True if the mintless allocation was claimed; null if the wallet has none. */
  claimed: nullable(bool),
})

/** Transfer requests that a sender's wallet (`account`) received, without failed ones. */
export const jettonTransfers = transferTable('jetton_transfers', {
  amount: numeric,
  source: bytea,
  destination: nullable(bytea),
  jetton: bytea,
  forward_ton_amount: nullable(numeric),
  forward_payload: nullable(bytea),
})

/** Burn requests that an owner's wallet (`account`) received, including failed ones. */
export const jettonBurns = transferTable('jetton_burns', {
  aborted: bool,
  amount: numeric,
  owner: bytea,
  jetton: bytea,
})
