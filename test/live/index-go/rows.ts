import type { Client } from 'pg'
import { ACCOUNT_STATUSES, BOUNCE_TYPES, DESCR_TYPES, SKIP_REASONS, STATUS_CHANGES } from '../../../server/store/codes.ts'

/* Our rows copied into the tables of ton-index-go, which are in the schema `go` of the same database, by the database itself. */

const b64 = (column: string): string => `go.b64(${column})`
const adr = (column: string): string => `go.adr(${column})`
const word = (words: readonly string[], column: string, type: string): string =>
  `(array[${words.map((each) => `'${each}'`).join(', ')}])[${column} + 1]::go.${type}`
const coins = (column: string): string => `coalesce(${column}, '{}')::jsonb`

const FUNCTIONS: readonly string[] = [
  `create or replace function go.b64(bytea) returns text language sql immutable as $$ select replace(encode($1, 'base64'), E'\\n', '') $$`,
  `create or replace function go.adr(bytea) returns text language sql immutable as $$
    select (('x' || encode(substr($1, 1, 4), 'hex'))::bit(32)::integer)::text || ':' || upper(encode(substr($1, 5), 'hex')) $$`,
]

const STATEMENTS: readonly string[] = [
  `insert into go.blocks select workchain, shard, seqno, ${b64('root_hash')}, ${b64('file_hash')}, -1, -9223372036854775808, mc_seqno, global_id, version,
    after_merge, before_split, after_split, want_merge, want_split, key_block, vert_seqno_incr, flags, gen_utime, start_lt, end_lt, validator_list_hash_short,
    gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, vert_seqno, coalesce(master_ref_seqno, 0), ${b64('rand_seed')}, ${b64('created_by')}, tx_count,
    (select array_agg(row(workchain, s, n)::go.blockid) from unnest(prev_shards, prev_seqnos) as u(s, n)) from public.blocks`,
  `insert into go.shard_state select t.mc_seqno, b.workchain, b.shard, b.seqno from public.shard_tops t join public.blocks b using (shard_key, seqno)`,
  `insert into go.transactions select ${adr('account')}, ${b64('hash')}, lt, workchain, block_shard, block_seqno, mc_seqno, ${b64('trace_id')},
    ${b64('prev_trans_hash')}, prev_trans_lt, now, ${word(ACCOUNT_STATUSES, 'orig_status', 'account_status_type')},
    ${word(ACCOUNT_STATUSES, 'end_status', 'account_status_type')}, total_fees, ${coins('total_fees_extra')}, ${b64('state_hash_before')},
    ${b64('state_hash_after')}, ${word(DESCR_TYPES, 'descr', 'descr_type')}, aborted, destroyed, credit_first, is_tock, installed, storage_fees_collected,
    storage_fees_due, ${word(STATUS_CHANGES, 'storage_status_change', 'status_change_type')}, credit_due_fees_collected, credit,
    case when credit is not null then ${coins('credit_extra')} end,
    case when compute_skip_reason is not null then true when compute_success is not null then false end,
    ${word(SKIP_REASONS, 'compute_skip_reason', 'skipped_reason_type')}, compute_success, compute_msg_state_used, compute_account_activated, compute_gas_fees,
    compute_gas_used, compute_gas_limit, compute_gas_credit, compute_mode, compute_exit_code, compute_exit_arg, compute_vm_steps,
    ${b64('compute_vm_init_state_hash')}, ${b64('compute_vm_final_state_hash')}, action_success, action_valid, action_no_funds,
    ${word(STATUS_CHANGES, 'action_status_change', 'status_change_type')}, action_total_fwd_fees, action_total_action_fees, action_result_code,
    action_result_arg, action_tot_actions, action_spec_actions, action_skipped_actions, action_msgs_created, ${b64('action_list_hash')}, action_msg_cells,
    action_msg_bits, ${word(BOUNCE_TYPES, 'bounce', 'bounce_type')}, bounce_msg_cells, bounce_msg_bits, bounce_req_fwd_fees, bounce_msg_fees, bounce_fwd_fees,
    split_cur_shard_pfx_len, split_acc_split_depth, null, null from public.transactions`,
  `insert into go.messages (tx_hash, tx_lt, mc_seqno, msg_hash, msg_hash_norm, direction, trace_id, source, destination, value, value_extra_currencies, fwd_fee,
    ihr_fee, extra_flags, created_lt, created_at, opcode, ihr_disabled, bounce, bounced, import_fee, body_hash, init_state_hash)
    select ${b64('t.hash')}, m.tx_lt, m.mc_seqno, ${b64('m.msg_hash')}, ${b64('m.msg_hash_norm')}, (case when m.direction = 0 then 'in' else 'out' end)::go.msg_direction,
    ${b64('t.trace_id')}, ${adr('m.source')}, ${adr('m.destination')}, m.value, case when m.value is not null then ${coins('m.value_extra')} end, m.fwd_fee, m.ihr_fee,
    m.extra_flags, m.created_lt, m.created_at, m.opcode, m.ihr_disabled, m.bounce, m.bounced, m.import_fee, ${b64('m.body_hash')}, ${b64('m.init_hash')}
    from public.messages m join public.transactions t on t.account = m.tx_account and t.lt = m.tx_lt`,
  `insert into go.message_contents select ${b64('hash')}, ${b64('boc')} from public.cells`,
  `insert into go.account_states select ${b64('state_hash_after')}, ${adr('account')}, after_balance, ${coins('after_extra')},
    ${word(ACCOUNT_STATUSES, 'end_status', 'account_status_type')}, ${b64('after_frozen_hash')}, ${b64('after_data_hash')}, ${b64('after_code_hash')}
    from public.transactions where after_balance is not null on conflict do nothing`,
  `insert into go.latest_account_states (account, account_friendly, hash, balance, balance_extra_currencies, account_status, timestamp, last_trans_hash, last_trans_lt,
    frozen_hash, data_hash, code_hash, data_boc, code_boc)
    select ${adr('a.account')}, null, ${b64('a.state_hash')}, a.balance, ${coins('a.balance_extra')}, ${word(ACCOUNT_STATUSES, 'a.status', 'account_status_type')}, a.utime,
    ${b64('a.last_trans_hash')}, a.last_trans_lt, ${b64('a.frozen_hash')}, ${b64('a.data_hash')}, ${b64('a.code_hash')}, ${b64('a.data_boc')}, ${b64('c.boc')}
    from public.accounts a left join public.cells c on c.hash = a.code_hash`,
  `insert into go.traces (trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt, end_utime, state, pending_edges_, edges_,
    nodes_, classification_state) select ${b64('trace_id')}, ${b64('external_hash')}, ${b64('external_hash_norm')}, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt,
    end_utime, ${word(['pending', 'complete', 'broken'], 'state', 'trace_state')}, pending_edges, edges, nodes, 'unclassified' from public.traces`,
  `insert into go.contract_methods select ${b64('code_hash')}, methods::bigint[] from public.contract_codes`,
  `insert into go.jetton_masters (address, total_supply, mintable, admin_address, jetton_content, jetton_wallet_code_hash, last_transaction_lt, code_hash, data_hash)
    select ${adr('m.account')}, m.total_supply, m.mintable, ${adr('m.admin')}, m.content::jsonb, ${b64('m.wallet_code_hash')}, a.last_trans_lt, ${b64('a.code_hash')},
    ${b64('a.data_hash')} from public.jetton_masters m join public.accounts a using (account) order by m.first_lt, m.account`,
  `insert into go.jetton_wallets (address, balance, owner, jetton, last_transaction_lt, code_hash, data_hash)
    select ${adr('w.account')}, w.balance, ${adr('w.owner')}, ${adr('w.jetton')}, a.last_trans_lt, ${b64('a.code_hash')}, ${b64('a.data_hash')}
    from public.jetton_wallets w join public.accounts a using (account) order by w.account`,
  `insert into go.jetton_transfers select ${b64('tx_hash')}, tx_lt, tx_now, false, mc_seqno, query_id, amount, ${adr('source')}, ${adr('destination')}, ${adr('account')},
    ${adr('jetton')}, ${adr('response_destination')}, ${b64('custom_payload')}, forward_ton_amount, ${b64('forward_payload')}, ${b64('trace_id')} from public.jetton_transfers`,
  `insert into go.nft_collections (address, next_item_index, owner_address, collection_content, last_transaction_lt, code_hash, data_hash)
    select ${adr('n.account')}, n.next_item_index, ${adr('n.owner')}, n.content::jsonb, a.last_trans_lt, ${b64('a.code_hash')}, ${b64('a.data_hash')}
    from public.nft_collections n join public.accounts a using (account) order by n.first_lt, n.account`,
  `insert into go.nft_items (address, init, index, collection_address, owner_address, content, last_transaction_lt, code_hash, data_hash, real_owner)
    select ${adr('n.account')}, n.init, n.index, case when length(n.collection) > 0 then ${adr('n.collection')} end, ${adr('n.owner')}, n.content::jsonb, n.last_trans_lt,
    ${b64('a.code_hash')}, ${b64('a.data_hash')}, ${adr('n.real_owner')} from public.nft_items n join public.accounts a using (account) order by n.first_lt, n.account`,
  `insert into go.dns_entries select ${adr('d.account')}, ${adr('n.owner')}, d.domain, ${adr('d.next_resolver')}, ${adr('d.wallet')}, null, null, n.last_trans_lt
    from public.dns_entries d join public.nft_items n using (account)`,
  `insert into go.address_metadata (address, type, valid, name, symbol, description, image, extra)
    select ${adr('t.account')}, 'jetton_masters', true, t.content::json ->> 'name', t.content::json ->> 'symbol', t.content::json ->> 'description', t.content::json ->> 'image',
    t.content::jsonb - 'name' - 'symbol' - 'description' - 'image' from public.token_metadata t join public.jetton_masters m using (account) where t.content is not null`,
]

/** Copies our rows into the tables of its schema, which its own migration program has made, in place of what is there. */
export const copyRows = async (client: Client): Promise<void> => {
  await client.query('set synchronous_commit = off')
  await client.query('set search_path = go')
  const { rows } = await client.query<{ text: string }>(
    `select format('alter table go.%I drop constraint %I', conrelid::regclass::name, conname) as text from pg_constraint where contype = 'f' and connamespace = 'go'::regnamespace
     union all select format('drop trigger %I on go.%I', tgname, relname) from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not tgisinternal and relnamespace = 'go'::regnamespace
     union all select format('truncate go.%I', tablename) from pg_tables where schemaname = 'go' and tablename <> 'ton_db_version'`,
  )
  // Rows come table by table and nothing classifies them, so references and triggers only cost time. No read uses them.
  for (const { text } of rows) await client.query(text)
  for (const text of [...FUNCTIONS, ...STATEMENTS]) await client.query(text)
  await client.query('vacuum analyze')
}
