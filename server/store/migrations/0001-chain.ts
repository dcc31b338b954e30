import { distribute, migration } from './statements.ts'

/*
 * Tables of blocks, transactions, messages, accounts and traces. Rules for all tables:
 * - Each large table has one bytea distribution column, which is part of the primary key and of every unique index.
 * - Hashes of transactions are unique in a separate table (tx_by_hash).
 * - There are no triggers, foreign keys or sequences, and each query is one statement.
 * - Look-ups by hash alone use hash indexes, which take a third of the space of a btree.
 * - An index for a list has only the columns that order most of the rows. PostgreSQL sorts rows that are equal in these columns while it reads them
 *   (incremental sort).
 */

export const chainMigration = migration([
  `create table blocks (
    shard_key bytea not null, seqno integer not null,
    workchain integer not null, shard bigint not null,
    root_hash bytea not null, file_hash bytea not null,
    mc_seqno integer not null, global_id integer not null, version integer not null,
    after_merge boolean not null, before_split boolean not null, after_split boolean not null,
    want_merge boolean not null, want_split boolean not null, key_block boolean not null, vert_seqno_incr boolean not null,
    flags smallint not null,
    gen_utime bigint not null, start_lt bigint not null, end_lt bigint not null,
    validator_list_hash_short integer not null, gen_catchain_seqno bigint not null,
    min_ref_mc_seqno bigint not null, prev_key_block_seqno integer not null, vert_seqno integer not null, master_ref_seqno integer,
    rand_seed bytea not null, created_by bytea not null, tx_count integer not null,
    prev_shards bigint[] not null, prev_seqnos integer[] not null,
    primary key (shard_key, seqno))`,
  // Blocks of the same second are ordered by their masterchain block, so that new blocks are always inserted at the end of the list.
  'create index blocks_gen_utime on blocks (gen_utime, mc_seqno, workchain, shard, seqno)',
  'create index blocks_mc_seqno on blocks (mc_seqno, workchain, shard, seqno)',
  'create index blocks_seqno on blocks (seqno, workchain)',
  'create index blocks_start_lt on blocks (start_lt)',
  'create index blocks_root_hash on blocks using hash (root_hash)',
  'create index blocks_file_hash on blocks using hash (file_hash)',

  `create table shard_tops (
    shard_key bytea not null, mc_seqno integer not null, seqno integer not null,
    primary key (shard_key, mc_seqno))`,
  'create index shard_tops_mc_seqno on shard_tops (mc_seqno)',

  // Columns of fixed width come first, the widest first, so that PostgreSQL adds no padding between them.
  `create table transactions (
    lt bigint not null, block_shard bigint not null, now bigint not null, prev_trans_lt bigint not null,
    compute_gas_used bigint, compute_gas_limit bigint, compute_vm_steps bigint, action_msg_cells bigint, action_msg_bits bigint,
    bounce_msg_cells bigint, bounce_msg_bits bigint,
    mc_seqno integer not null, workchain integer not null, block_seqno integer not null,
    compute_gas_credit integer, compute_exit_code integer, compute_exit_arg integer, action_result_code integer, action_result_arg integer,
    action_tot_actions integer, action_spec_actions integer, action_skipped_actions integer, action_msgs_created integer,
    orig_status smallint not null, end_status smallint not null, descr smallint not null, storage_status_change smallint,
    compute_skip_reason smallint, compute_mode smallint, action_status_change smallint, bounce smallint,
    split_cur_shard_pfx_len smallint, split_acc_split_depth smallint,
    aborted boolean, destroyed boolean, credit_first boolean, is_tock boolean, installed boolean,
    compute_success boolean, compute_msg_state_used boolean, compute_account_activated boolean,
    action_success boolean, action_valid boolean, action_no_funds boolean,
    account bytea not null, hash bytea not null, trace_id bytea not null, prev_trans_hash bytea not null,
    state_hash_before bytea not null, state_hash_after bytea not null,
    after_balance numeric, after_extra jsonb, after_code_hash bytea, after_data_hash bytea, after_frozen_hash bytea,
    total_fees numeric not null, total_fees_extra jsonb, storage_fees_collected numeric, storage_fees_due numeric,
    credit_due_fees_collected numeric, credit numeric, credit_extra jsonb, compute_gas_fees numeric,
    compute_vm_init_state_hash bytea, compute_vm_final_state_hash bytea,
    action_total_fwd_fees numeric, action_total_action_fees numeric, action_list_hash bytea,
    bounce_req_fwd_fees numeric, bounce_msg_fees numeric, bounce_fwd_fees numeric, split_this_addr bytea, split_sibling_addr bytea,
    primary key (account, lt))`,
  'create index transactions_mc_seqno on transactions (mc_seqno, lt, account)',
  'create index transactions_lt on transactions (lt)',
  'create index transactions_now on transactions (now)',
  'create index transactions_block on transactions (block_seqno, workchain, block_shard)',
  'create index transactions_trace on transactions using hash (trace_id)',

  'create table tx_by_hash (hash bytea not null primary key, account bytea not null, lt bigint not null)',

  `create table messages (
    tx_lt bigint not null, created_lt bigint, created_at bigint, mc_seqno integer not null, opcode integer,
    direction smallint not null, msg_index smallint not null, listed boolean not null, ihr_disabled boolean, bounce boolean, bounced boolean,
    tx_account bytea not null, msg_hash bytea not null, msg_hash_norm bytea, source bytea, destination bytea,
    body_hash bytea not null, init_hash bytea,
    value numeric, value_extra jsonb, fwd_fee numeric, ihr_fee numeric, extra_flags numeric, import_fee numeric,
    primary key (tx_account, tx_lt, direction, msg_index))`,
  'create index messages_hash on messages using hash (msg_hash)',
  'create index messages_hash_norm on messages using hash (msg_hash_norm) where msg_hash_norm is not null',
  'create index messages_body on messages using hash (body_hash) where listed',
  // External messages have no created_lt. Lists order them by the lt of the transaction that received them.
  'create index messages_lt on messages ((coalesce(created_lt, tx_lt))) where listed',
  'create index messages_created_at on messages (created_at) where listed',
  'create index messages_source on messages (source, (coalesce(created_lt, tx_lt))) where listed',
  'create index messages_destination on messages (destination, (coalesce(created_lt, tx_lt))) where listed',
  'create index messages_opcode on messages (opcode, (coalesce(created_lt, tx_lt))) where listed',

  'create table cells (hash bytea not null primary key, mc_seqno integer not null, boc bytea not null)',

  `create table accounts (
    account bytea not null primary key, mc_seqno integer not null,
    state_hash bytea not null, status smallint not null, balance numeric not null, balance_extra jsonb,
    utime bigint not null, last_trans_hash bytea, last_trans_lt bigint not null,
    code_hash bytea, data_hash bytea, frozen_hash bytea, data_boc bytea)`,
  'create index accounts_balance on accounts (balance, account)',
  'create index accounts_code_hash on accounts (code_hash, account)',

  `create table traces (
    trace_id bytea not null primary key, external_hash bytea, external_hash_norm bytea,
    state smallint not null, mc_seqno_start integer not null, mc_seqno_end integer not null,
    start_lt bigint not null, start_utime bigint not null, end_lt bigint not null, end_utime bigint not null,
    edges integer not null, pending_edges integer not null, nodes integer not null)`,
  'create index traces_end_lt on traces (end_lt)',
  'create index traces_end_utime on traces (end_utime)',
  'create index traces_mc_seqno_end on traces (mc_seqno_end, end_lt)',
  'create index traces_external_hash on traces using hash (external_hash) where external_hash is not null',
  'create index traces_external_hash_norm on traces using hash (external_hash_norm) where external_hash_norm is not null',

  `create table index_checkpoint (
    id smallint not null primary key, network text not null, zero_hash bytea not null, first_mc_seqno integer not null,
    mc_seqno integer not null, root_hash bytea not null, file_hash bytea not null)`,
  'create table published_head (id smallint not null primary key, mc_seqno integer not null, utime bigint not null, epoch bigint not null)',

  // With Citus the large tables are distributed before they have rows. Tables that are distributed by account form one colocation group.
  distribute(
    ['transactions', 'account'],
    ['messages', 'tx_account', 'transactions'],
    ['accounts', 'account', 'transactions'],
    ['tx_by_hash', 'hash', 'none'],
    ['cells', 'hash', 'tx_by_hash'],
    ['traces', 'trace_id', 'none'],
    ['blocks', 'shard_key', 'none'],
    ['shard_tops', 'shard_key', 'blocks'],
  ),
])
