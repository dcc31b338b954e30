/* The columns of each table in the order that rows are written in. */

export const COLUMNS = {
  blocks:
    'shard_key seqno workchain shard root_hash file_hash mc_seqno global_id version after_merge before_split after_split want_merge want_split key_block vert_seqno_incr flags gen_utime start_lt end_lt validator_list_hash_short gen_catchain_seqno min_ref_mc_seqno prev_key_block_seqno vert_seqno master_ref_seqno rand_seed created_by tx_count prev_shards prev_seqnos',
  shard_tops: 'shard_key mc_seqno seqno',
  transactions:
    'account lt hash trace_id mc_seqno workchain block_shard block_seqno now prev_trans_hash prev_trans_lt orig_status end_status total_fees total_fees_extra state_hash_before state_hash_after after_balance after_extra after_code_hash after_data_hash after_frozen_hash descr aborted destroyed credit_first is_tock installed storage_fees_collected storage_fees_due storage_status_change credit_due_fees_collected credit credit_extra compute_skip_reason compute_success compute_msg_state_used compute_account_activated compute_gas_fees compute_gas_used compute_gas_limit compute_gas_credit compute_mode compute_exit_code compute_exit_arg compute_vm_steps compute_vm_init_state_hash compute_vm_final_state_hash action_success action_valid action_no_funds action_status_change action_total_fwd_fees action_total_action_fees action_result_code action_result_arg action_tot_actions action_spec_actions action_skipped_actions action_msgs_created action_list_hash action_msg_cells action_msg_bits bounce bounce_msg_cells bounce_msg_bits bounce_req_fwd_fees bounce_msg_fees bounce_fwd_fees split_cur_shard_pfx_len split_acc_split_depth split_this_addr split_sibling_addr',
  tx_by_hash: 'hash account lt',
  messages:
    'tx_account tx_lt direction msg_index msg_hash msg_hash_norm mc_seqno listed source destination value value_extra fwd_fee ihr_fee extra_flags import_fee created_lt created_at opcode ihr_disabled bounce bounced body_hash init_hash',
  cells: 'hash mc_seqno boc',
  accounts:
    'account mc_seqno state_hash status balance balance_extra utime last_trans_hash last_trans_lt first_lt code_hash data_hash frozen_hash data_boc',
  account_sets: 'account mc_seqno utime',
  traces:
    'trace_id external_hash external_hash_norm state mc_seqno_start mc_seqno_end start_lt start_utime end_lt end_utime edges pending_edges nodes',
} as const

export type TableName = keyof typeof COLUMNS
export const TABLE_NAMES = Object.keys(COLUMNS) as readonly TableName[]

/** Column names of a table, as SQL lists them. */
export const columnList = (table: TableName): string => COLUMNS[table].replaceAll(' ', ', ')
export const columnNames = (table: TableName): readonly string[] => COLUMNS[table].split(' ')

/** A table of an extension of the index (server/index/extension.ts). */
export interface TableDef {
  readonly name: string
  /** In the order that rows are written in, with spaces between; `mc_seqno` among them unless the table is `outside`. */
  readonly columns: string
  /** Columns of the primary key, the distribution column first. */
  readonly key: readonly string[]
  /** What a revert does to the rows. */
  readonly kind: 'event' | 'state' | 'outside'
  /** Of a `state` table: the column with the account (36 bytes) that rows belong to. */
  readonly owner?: string
}

/** Columns of each table's key. */
export const KEY_COLUMNS: Readonly<Record<TableName, readonly string[]>> = {
  blocks: ['shard_key', 'seqno'],
  shard_tops: ['shard_key', 'mc_seqno'],
  transactions: ['account', 'lt'],
  tx_by_hash: ['hash'],
  messages: ['tx_account', 'tx_lt', 'direction', 'msg_index'],
  cells: ['hash'],
  accounts: ['account'],
  account_sets: ['account', 'mc_seqno'],
  traces: ['trace_id'],
}
