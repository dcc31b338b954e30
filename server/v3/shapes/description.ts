import type { Result } from '../../../shared/registry.ts'
import { BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../store/codes.ts'
import type { TransactionRow } from '../../store/queries/transactions/transaction-key.ts'
import { accountKey } from '../../store/row-keys.ts'
import { address, base64, optional } from './values.ts'

type Description = Result<'v3.transactions'>['transactions'][number]['description']
type Phase<Name extends keyof Description> = NonNullable<Description[Name]>

/*
 * Formats the phases of a transaction, which are stored in columns. A phase took place if a column that it always sets is not null. Skipped phases and null
 * members are omitted.
 */

const statusChange = (code: number | null) => STATUS_CHANGES[code ?? 0]!

const storage = (row: TransactionRow): Phase<'storage_ph'> => ({
  storage_fees_collected: row.storage_fees_collected!,
  storage_fees_due: optional(row.storage_fees_due),
  status_change: statusChange(row.storage_status_change),
})

const credit = (row: TransactionRow): Phase<'credit_ph'> => ({
  due_fees_collected: optional(row.credit_due_fees_collected),
  credit: row.credit!,
  credit_extra_currencies: optional(row.credit_extra),
})

/** The VM state hash of a null column: validators may write a zero hash, which the index stores as null. */
const NO_HASH = Buffer.alloc(32)

const compute = (row: TransactionRow): Phase<'compute_ph'> => {
  if (row.compute_skip_reason !== null) return { skipped: true, reason: SKIP_REASONS[row.compute_skip_reason]! }
  return {
    skipped: false,
    success: row.compute_success!,
    msg_state_used: row.compute_msg_state_used!,
    account_activated: row.compute_account_activated!,
    gas_fees: row.compute_gas_fees!,
    gas_used: row.compute_gas_used!,
    gas_limit: row.compute_gas_limit!,
    gas_credit: optional(row.compute_gas_credit === null ? null : String(row.compute_gas_credit)),
    mode: row.compute_mode!,
    exit_code: row.compute_exit_code!,
    exit_arg: optional(row.compute_exit_arg),
    vm_steps: Number(row.compute_vm_steps),
    vm_init_state_hash: base64(row.compute_vm_init_state_hash ?? NO_HASH),
    vm_final_state_hash: base64(row.compute_vm_final_state_hash ?? NO_HASH),
  }
}

const action = (row: TransactionRow): Phase<'action'> => ({
  success: row.action_success!,
  valid: row.action_valid!,
  no_funds: row.action_no_funds!,
  status_change: statusChange(row.action_status_change),
  total_fwd_fees: optional(row.action_total_fwd_fees),
  total_action_fees: optional(row.action_total_action_fees),
  result_code: row.action_result_code!,
  result_arg: optional(row.action_result_arg),
  tot_actions: row.action_tot_actions!,
  spec_actions: row.action_spec_actions!,
  skipped_actions: row.action_skipped_actions!,
  msgs_created: row.action_msgs_created!,
  action_list_hash: base64(row.action_list_hash!),
  tot_msg_size: { cells: row.action_msg_cells!, bits: row.action_msg_bits! },
})

const bounce = (row: TransactionRow): Phase<'bounce'> => ({
  type: BOUNCE_TYPES[row.bounce!]!,
  msg_size: optional(row.bounce_msg_cells === null ? null : { cells: row.bounce_msg_cells, bits: row.bounce_msg_bits! }),
  req_fwd_fees: optional(row.bounce_req_fwd_fees),
  msg_fees: optional(row.bounce_msg_fees),
  fwd_fees: optional(row.bounce_fwd_fees),
})

const split = (row: TransactionRow): Phase<'split_info'> => ({
  cur_shard_pfx_len: row.split_cur_shard_pfx_len!,
  acc_split_depth: row.split_acc_split_depth!,
  this_addr: address(accountKey(row.workchain, row.split_this_addr!)),
  sibling_addr: address(accountKey(row.workchain, row.split_sibling_addr!)),
})

/** A phase that is omitted if `column` is null. */
const phase = <T>(column: unknown, of: (row: TransactionRow) => T, row: TransactionRow): NonNullable<T> | undefined =>
  optional(column === null ? null : of(row))

export const description = (row: TransactionRow): Description => ({
  type: DESCR_TYPES[row.descr]!,
  aborted: optional(row.aborted),
  destroyed: optional(row.destroyed),
  credit_first: optional(row.credit_first),
  is_tock: optional(row.is_tock),
  installed: optional(row.installed),
  storage_ph: phase(row.storage_fees_collected, storage, row),
  credit_ph: phase(row.credit, credit, row),
  compute_ph: phase(row.compute_skip_reason ?? row.compute_success, compute, row),
  action: phase(row.action_success, action, row),
  bounce: phase(row.bounce, bounce, row),
  split_info: phase(row.split_this_addr, split, row),
})
