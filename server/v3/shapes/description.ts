import { formatRaw } from '../../../shared/fields/address.ts'
import type { Result } from '../../../shared/registry.ts'
import { BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../store/codes.ts'
import type { TransactionRow } from '../../store/queries/transactions.ts'
import { base64, withoutNulls } from './values.ts'

type Description = Result<'v3.transactions'>['transactions'][number]['description']

/* The phases of a transaction are stored in columns. A phase is there if the column that it always has is not null. */

const storage = (row: TransactionRow): Description['storage_ph'] =>
  row.storage_fees_collected === null
    ? undefined
    : {
        storage_fees_collected: row.storage_fees_collected,
        ...withoutNulls({ storage_fees_due: row.storage_fees_due }),
        status_change: STATUS_CHANGES[row.storage_status_change ?? 0]!,
      }

const credit = (row: TransactionRow): Description['credit_ph'] =>
  row.credit === null
    ? undefined
    : {
        ...withoutNulls({ due_fees_collected: row.credit_due_fees_collected }),
        credit: row.credit,
        ...withoutNulls({ credit_extra_currencies: row.credit_extra }),
      }

const compute = (row: TransactionRow): Description['compute_ph'] => {
  if (row.compute_skip_reason !== null) return { skipped: true, reason: SKIP_REASONS[row.compute_skip_reason]! }
  if (row.compute_success === null) return undefined
  return {
    skipped: false,
    success: row.compute_success,
    msg_state_used: row.compute_msg_state_used!,
    account_activated: row.compute_account_activated!,
    gas_fees: row.compute_gas_fees!,
    gas_used: row.compute_gas_used!,
    gas_limit: row.compute_gas_limit!,
    ...withoutNulls({ gas_credit: row.compute_gas_credit?.toString() }),
    mode: row.compute_mode!,
    exit_code: row.compute_exit_code!,
    ...withoutNulls({ exit_arg: row.compute_exit_arg }),
    vm_steps: Number(row.compute_vm_steps),
    vm_init_state_hash: base64(row.compute_vm_init_state_hash ?? NO_HASH),
    vm_final_state_hash: base64(row.compute_vm_final_state_hash ?? NO_HASH),
  }
}

/** The value that validators write today. */
const NO_HASH = Buffer.alloc(32)

const action = (row: TransactionRow): Description['action'] =>
  row.action_success === null
    ? undefined
    : {
        success: row.action_success,
        valid: row.action_valid!,
        no_funds: row.action_no_funds!,
        status_change: STATUS_CHANGES[row.action_status_change ?? 0]!,
        ...withoutNulls({ total_fwd_fees: row.action_total_fwd_fees, total_action_fees: row.action_total_action_fees }),
        result_code: row.action_result_code!,
        ...withoutNulls({ result_arg: row.action_result_arg }),
        tot_actions: row.action_tot_actions!,
        spec_actions: row.action_spec_actions!,
        skipped_actions: row.action_skipped_actions!,
        msgs_created: row.action_msgs_created!,
        action_list_hash: base64(row.action_list_hash!),
        tot_msg_size: { cells: row.action_msg_cells!, bits: row.action_msg_bits! },
      }

const bounce = (row: TransactionRow): Description['bounce'] =>
  row.bounce === null
    ? undefined
    : {
        type: BOUNCE_TYPES[row.bounce]!,
        ...(row.bounce_msg_cells !== null && { msg_size: { cells: row.bounce_msg_cells, bits: row.bounce_msg_bits! } }),
        ...withoutNulls({ req_fwd_fees: row.bounce_req_fwd_fees, msg_fees: row.bounce_msg_fees, fwd_fees: row.bounce_fwd_fees }),
      }

const split = (row: TransactionRow): Description['split_info'] =>
  row.split_this_addr === null
    ? undefined
    : {
        cur_shard_pfx_len: row.split_cur_shard_pfx_len!,
        acc_split_depth: row.split_acc_split_depth!,
        this_addr: formatRaw({ workchain: row.workchain, hash: row.split_this_addr }, 'upper'),
        sibling_addr: formatRaw({ workchain: row.workchain, hash: row.split_sibling_addr! }, 'upper'),
      }

/** The description of a transaction, from its columns (v3.md 4, description). */
export const toDescription = (row: TransactionRow): Description => ({
  type: DESCR_TYPES[row.descr]!,
  ...withoutNulls({
    aborted: row.aborted,
    destroyed: row.destroyed,
    credit_first: row.credit_first,
    is_tock: row.is_tock,
    installed: row.installed,
    storage_ph: storage(row),
    credit_ph: credit(row),
    compute_ph: compute(row),
    action: action(row),
    bounce: bounce(row),
    split_info: split(row),
  }),
})
