import type { ColumnType } from 'kysely'
import type { AssetsTables } from './assets-tables.ts'
import type { StakingTables } from './staking-tables.ts'
import type { ValidatorTables } from './validator-tables.ts'
import type { WalletsTables } from './wallets-tables.ts'

/*
 * The tables as kysely sees them; the columns are explained in migrations/0001-chain.ts. `bigint` and `numeric` columns come back as decimal
 * strings (what the wire wants) and are written from strings or bigints; `bytea` as Buffer. Codes (smallint) are the places in codes.ts.
 */

type Int8 = ColumnType<string, string | bigint | number, string | bigint | number>
type Numeric = ColumnType<string, string | bigint, string | bigint>
type NullableNumeric = ColumnType<string | null, string | bigint | null, string | bigint | null>
type NullableInt8 = ColumnType<string | null, string | bigint | number | null, string | bigint | number | null>
/** Extra currencies: currency id in decimal -> amount in decimal; null when there are none. */
type Extra = ColumnType<Record<string, string> | null, string | null, string | null>

export interface BlocksTable {
  shard_key: Buffer
  seqno: number
  workchain: number
  /** Signed, as on the wire. */
  shard: Int8
  root_hash: Buffer
  file_hash: Buffer
  mc_seqno: number
  global_id: number
  version: number
  after_merge: boolean
  before_split: boolean
  after_split: boolean
  want_merge: boolean
  want_split: boolean
  key_block: boolean
  vert_seqno_incr: boolean
  flags: number
  gen_utime: Int8
  start_lt: Int8
  end_lt: Int8
  validator_list_hash_short: number
  gen_catchain_seqno: Int8
  min_ref_mc_seqno: Int8
  prev_key_block_seqno: number
  vert_seqno: number
  master_ref_seqno: number | null
  rand_seed: Buffer
  created_by: Buffer
  tx_count: number
  /** One, or two after a merge; the workchain is the block's. */
  prev_shards: ColumnType<string[], readonly string[], readonly string[]>
  prev_seqnos: ColumnType<number[], readonly number[], readonly number[]>
}

export interface ShardTopsTable {
  shard_key: Buffer
  mc_seqno: number
  seqno: number
}

export interface TransactionsTable {
  account: Buffer
  lt: Int8
  hash: Buffer
  trace_id: Buffer
  mc_seqno: number
  workchain: number
  block_shard: Int8
  block_seqno: number
  now: Int8
  prev_trans_hash: Buffer
  prev_trans_lt: Int8
  orig_status: number
  end_status: number
  total_fees: Numeric
  total_fees_extra: Extra
  state_hash_before: Buffer
  state_hash_after: Buffer
  after_balance: NullableNumeric
  after_extra: Extra
  after_code_hash: Buffer | null
  after_data_hash: Buffer | null
  after_frozen_hash: Buffer | null
  descr: number
  aborted: boolean | null
  destroyed: boolean | null
  credit_first: boolean | null
  is_tock: boolean | null
  installed: boolean | null
  storage_fees_collected: NullableNumeric
  storage_fees_due: NullableNumeric
  storage_status_change: number | null
  credit_due_fees_collected: NullableNumeric
  credit: NullableNumeric
  credit_extra: Extra
  compute_skip_reason: number | null
  compute_success: boolean | null
  compute_msg_state_used: boolean | null
  compute_account_activated: boolean | null
  compute_gas_fees: NullableNumeric
  compute_gas_used: NullableInt8
  compute_gas_limit: NullableInt8
  compute_gas_credit: number | null
  compute_mode: number | null
  compute_exit_code: number | null
  compute_exit_arg: number | null
  compute_vm_steps: NullableInt8
  compute_vm_init_state_hash: Buffer | null
  compute_vm_final_state_hash: Buffer | null
  action_success: boolean | null
  action_valid: boolean | null
  action_no_funds: boolean | null
  action_status_change: number | null
  action_total_fwd_fees: NullableNumeric
  action_total_action_fees: NullableNumeric
  action_result_code: number | null
  action_result_arg: number | null
  action_tot_actions: number | null
  action_spec_actions: number | null
  action_skipped_actions: number | null
  action_msgs_created: number | null
  action_list_hash: Buffer | null
  action_msg_cells: NullableInt8
  action_msg_bits: NullableInt8
  bounce: number | null
  bounce_msg_cells: NullableInt8
  bounce_msg_bits: NullableInt8
  bounce_req_fwd_fees: NullableNumeric
  bounce_msg_fees: NullableNumeric
  bounce_fwd_fees: NullableNumeric
  split_cur_shard_pfx_len: number | null
  split_acc_split_depth: number | null
  split_this_addr: Buffer | null
  split_sibling_addr: Buffer | null
}

export interface TxByHashTable {
  hash: Buffer
  account: Buffer
  lt: Int8
}

export interface MessagesTable {
  tx_account: Buffer
  tx_lt: Int8
  direction: number
  msg_index: number
  msg_hash: Buffer
  msg_hash_norm: Buffer | null
  mc_seqno: number
  listed: boolean
  source: Buffer | null
  destination: Buffer | null
  value: NullableNumeric
  value_extra: Extra
  fwd_fee: NullableNumeric
  ihr_fee: NullableNumeric
  extra_flags: NullableNumeric
  import_fee: NullableNumeric
  created_lt: NullableInt8
  created_at: NullableInt8
  opcode: number | null
  ihr_disabled: boolean | null
  bounce: boolean | null
  bounced: boolean | null
  body_hash: Buffer
  init_hash: Buffer | null
}

export interface CellsTable {
  hash: Buffer
  mc_seqno: number
  boc: Buffer
}

export interface AccountsTable {
  account: Buffer
  mc_seqno: number
  state_hash: Buffer
  status: number
  balance: Numeric
  balance_extra: Extra
  utime: Int8
  last_trans_hash: Buffer | null
  last_trans_lt: Int8
  first_lt: Int8
  code_hash: Buffer | null
  data_hash: Buffer | null
  frozen_hash: Buffer | null
  data_boc: Buffer | null
}

export interface TracesTable {
  trace_id: Buffer
  external_hash: Buffer | null
  external_hash_norm: Buffer | null
  state: number
  mc_seqno_start: number
  mc_seqno_end: number
  start_lt: Int8
  start_utime: Int8
  end_lt: Int8
  end_utime: Int8
  edges: number
  pending_edges: number
  nodes: number
}

/** Accounts that changed without a transaction, by the masterchain block that holds the change. */
export interface AccountSetsTable {
  account: Buffer
  mc_seqno: number
  utime: Int8
}

/** Which extensions made the rows that are stored. */
export interface IndexExtensionsTable {
  name: string
  version: number
}

/** One row. */
export interface IndexCheckpointTable {
  id: number
  network: string
  zero_hash: Buffer
  first_mc_seqno: number
  mc_seqno: number
  root_hash: Buffer
  file_hash: Buffer
}

/** One row, written after the checkpoint's commit: readers never look above it. */
export interface PublishedHeadTable {
  id: number
  mc_seqno: number
  utime: Int8
  /** Grows with every revert of the chain. */
  epoch: Int8
}

export interface Tables extends AssetsTables, ValidatorTables, StakingTables, WalletsTables {
  blocks: BlocksTable
  shard_tops: ShardTopsTable
  transactions: TransactionsTable
  tx_by_hash: TxByHashTable
  messages: MessagesTable
  cells: CellsTable
  accounts: AccountsTable
  account_sets: AccountSetsTable
  traces: TracesTable
  index_extensions: IndexExtensionsTable
  index_checkpoint: IndexCheckpointTable
  published_head: PublishedHeadTable
}
