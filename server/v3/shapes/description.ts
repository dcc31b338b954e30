import type { Result } from '../../../shared/registry.ts'
import { base64, either, flag, json, number, object, optional, type Shape, when, word } from '../../base/json/shape.ts'
import { BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../store/codes.ts'
import type { TransactionRow } from '../../store/queries/transactions/filter.ts'
import { accountKey } from '../../store/row-keys.ts'
import { addressAt } from './values.ts'

type Description = Result<'v3.transactions'>['transactions'][number]['description']
type Phase<Name extends keyof Description> = NonNullable<Description[Name]>
type Compute = Phase<'compute_ph'>
/** Shape of a value that is made from a transaction row. */
type RowShape<T> = Shape<TransactionRow, T>

/*
 * Formats the phases of a transaction, which are stored in columns. A phase took place if a column that it always sets is not null. Skipped phases and null
 * members are omitted.
 */

/** A decimal number, omitted if the column is null. */
const digits = (get: (row: TransactionRow) => string | null): RowShape<string> => optional(word(get))
const maybeFlag = (get: (row: TransactionRow) => boolean | null): RowShape<boolean> => optional(flag(get))
const maybeNumber = (get: (row: TransactionRow) => number | null): RowShape<number> => optional(number(get))
const statusChange = (get: (row: TransactionRow) => number | null): RowShape<(typeof STATUS_CHANGES)[number]> =>
  word((row) => STATUS_CHANGES[get(row) ?? 0]!)

const storage: RowShape<Phase<'storage_ph'>> = object({
  storage_fees_collected: word((row) => row.storage_fees_collected!),
  storage_fees_due: digits((row) => row.storage_fees_due),
  status_change: statusChange((row) => row.storage_status_change),
})

const credit: RowShape<Phase<'credit_ph'>> = object({
  due_fees_collected: digits((row) => row.credit_due_fees_collected),
  credit: word((row) => row.credit!),
  credit_extra_currencies: optional(json((row) => row.credit_extra)),
})

/** The VM state hash of a null column: validators may write a zero hash, which the index stores as null. */
const NO_HASH = Buffer.alloc(32)

const skipped: RowShape<Extract<Compute, { readonly skipped: true }>> = object({
  skipped: flag(() => true as const),
  reason: word((row) => SKIP_REASONS[row.compute_skip_reason!]!),
})

const ran: RowShape<Extract<Compute, { readonly skipped: false }>> = object({
  skipped: flag(() => false as const),
  success: flag((row) => row.compute_success!),
  msg_state_used: flag((row) => row.compute_msg_state_used!),
  account_activated: flag((row) => row.compute_account_activated!),
  gas_fees: word((row) => row.compute_gas_fees!),
  gas_used: word((row) => row.compute_gas_used!),
  gas_limit: word((row) => row.compute_gas_limit!),
  gas_credit: digits((row) => (row.compute_gas_credit === null ? null : String(row.compute_gas_credit))),
  mode: number((row) => row.compute_mode!),
  exit_code: number((row) => row.compute_exit_code!),
  exit_arg: maybeNumber((row) => row.compute_exit_arg),
  vm_steps: number((row) => Number(row.compute_vm_steps)),
  vm_init_state_hash: base64((row) => row.compute_vm_init_state_hash ?? NO_HASH),
  vm_final_state_hash: base64((row) => row.compute_vm_final_state_hash ?? NO_HASH),
})

const action: RowShape<Phase<'action'>> = object({
  success: flag((row) => row.action_success!),
  valid: flag((row) => row.action_valid!),
  no_funds: flag((row) => row.action_no_funds!),
  status_change: statusChange((row) => row.action_status_change),
  total_fwd_fees: digits((row) => row.action_total_fwd_fees),
  total_action_fees: digits((row) => row.action_total_action_fees),
  result_code: number((row) => row.action_result_code!),
  result_arg: maybeNumber((row) => row.action_result_arg),
  tot_actions: number((row) => row.action_tot_actions!),
  spec_actions: number((row) => row.action_spec_actions!),
  skipped_actions: number((row) => row.action_skipped_actions!),
  msgs_created: number((row) => row.action_msgs_created!),
  action_list_hash: base64((row) => row.action_list_hash!),
  tot_msg_size: object({ cells: word((row) => row.action_msg_cells!), bits: word((row) => row.action_msg_bits!) }),
})

const bounce: RowShape<Phase<'bounce'>> = object({
  type: word((row) => BOUNCE_TYPES[row.bounce!]!),
  msg_size: optional(
    when(
      (row) => row.bounce_msg_cells !== null,
      object({ cells: word((row: TransactionRow) => row.bounce_msg_cells!), bits: word((row: TransactionRow) => row.bounce_msg_bits!) }),
    ),
  ),
  req_fwd_fees: digits((row) => row.bounce_req_fwd_fees),
  msg_fees: digits((row) => row.bounce_msg_fees),
  fwd_fees: digits((row) => row.bounce_fwd_fees),
})

const split: RowShape<Phase<'split_info'>> = object({
  cur_shard_pfx_len: number((row) => row.split_cur_shard_pfx_len!),
  acc_split_depth: number((row) => row.split_acc_split_depth!),
  this_addr: addressAt((row) => accountKey(row.workchain, row.split_this_addr!)),
  sibling_addr: addressAt((row) => accountKey(row.workchain, row.split_sibling_addr!)),
})

/** A phase that is omitted if `column` is null. */
const phase = <T>(column: (row: TransactionRow) => unknown, shape: RowShape<T>): RowShape<NonNullable<T>> =>
  optional(when((row) => column(row) !== null, shape))

export const description: RowShape<Description> = object({
  type: word((row) => DESCR_TYPES[row.descr]!),
  aborted: maybeFlag((row) => row.aborted),
  destroyed: maybeFlag((row) => row.destroyed),
  credit_first: maybeFlag((row) => row.credit_first),
  is_tock: maybeFlag((row) => row.is_tock),
  installed: maybeFlag((row) => row.installed),
  storage_ph: phase((row) => row.storage_fees_collected, storage),
  credit_ph: phase((row) => row.credit, credit),
  compute_ph: phase(
    (row) => row.compute_skip_reason ?? row.compute_success,
    either<TransactionRow, Compute, Compute>((row) => row.compute_skip_reason !== null, skipped, ran),
  ),
  action: phase((row) => row.action_success, action),
  bounce: phase((row) => row.bounce, bounce),
  split_info: phase((row) => row.split_this_addr, split),
})
