import { MULTISIG_ROLES } from '../codes.ts'
import { bool, bytea, code, int4, int8, nullable, numeric } from './column.ts'
import { contractTable } from './contract-table.ts'
import { table } from './table.ts'

export const multisigs = contractTable('multisigs', {
  next_order_seqno: numeric,
  threshold: int4,
})

/** Signers and proposers of multisigs, and signers of orders, each with its position in the contract's list. */
export const multisigMembers = table('multisig_members', {
  kind: 'state',
  key: ['account', 'role', 'place'],
  owner: 'account',
  group: 'transactions',
  columns: {
    account: bytea,
    role: code(MULTISIG_ROLES),
    place: int4,
    mc_seqno: int4,
    member: bytea,
  },
})

/** Orders whose multisig confirms them. Most columns are null until the order is initialized. */
export const multisigOrders = contractTable('multisig_orders', {
  multisig: bytea,
  order_seqno: numeric,
  threshold: nullable(int4),
  sent: nullable(bool),
  approvals_mask: nullable(numeric),
  approvals_num: nullable(int4),
  expiration_date: nullable(int8),
  order_boc: nullable(bytea),
})

export const vestings = contractTable('vestings', {
  start_time: int8,
  total_duration: int8,
  unlock_period: int8,
  cliff_duration: int8,
  total_amount: numeric,
  sender: bytea,
  owner: bytea,
})

export const vestingWhitelist = table('vesting_whitelist', {
  kind: 'state',
  key: ['account', 'wallet'],
  owner: 'account',
  group: 'transactions',
  columns: {
    account: bytea,
    wallet: bytea,
    mc_seqno: int4,
    place: int4,
  },
})
