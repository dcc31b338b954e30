import type { ClientConfig } from 'pg'
import type { TestServer } from './database.ts'

/*
 * A database with many made-up rows, for tests of plans and speed: transactions with two messages each, every third with a reply, one busy account
 * among many quiet ones, a masterchain block for every 50 transactions. Written by SQL with all indexes on.
 */

const account = (n: string): string => `'\\x00000000'::bytea || sha256(('account ' || (${n}))::bytea)`
/** The busy account sends one transaction in fifty. */
const sender = (i: string): string => account(`case when ${i} % 50 = 0 then 0 else ${i}::bigint * 7919 % 5003 end`)
const receiver = (i: string): string => account(`(${i}::bigint * 104729 + 1) % 5003`)

const statements = (from: number, to: number): readonly string[] => {
  const series = `generate_series(${from}, ${to - 1}) as i`
  const master = `generate_series(${Math.ceil(from / 50)}, ${Math.ceil(to / 50) - 1}) as b`
  const seqno = '1 + i / 50'
  const lt = '1000000 + i::bigint * 1000'
  const now = '1700000000 + i / 50'
  return [
    `insert into transactions (account, lt, hash, trace_id, mc_seqno, workchain, block_shard, block_seqno, now, prev_trans_hash, prev_trans_lt,
       orig_status, end_status, total_fees, state_hash_before, state_hash_after, after_balance, after_code_hash, after_data_hash, descr, aborted,
       destroyed, credit_first, storage_fees_collected, storage_status_change, credit, compute_success, compute_msg_state_used,
       compute_account_activated, compute_gas_fees, compute_gas_used, compute_gas_limit, compute_mode, compute_exit_code, compute_vm_steps,
       action_success, action_valid, action_no_funds, action_status_change, action_total_fwd_fees, action_total_action_fees, action_result_code,
       action_tot_actions, action_spec_actions, action_skipped_actions, action_msgs_created, action_list_hash, action_msg_cells, action_msg_bits)
     select ${sender('i')}, ${lt}, sha256(('tx ' || i)::bytea), sha256(('tx ' || i - i % 3)::bytea), ${seqno}, 0, -9223372036854775808, ${seqno},
       ${now}, sha256(('tx ' || i - 1)::bytea), ${lt} - 1000, 2, 2, 3000000 + i % 1000, sha256(('state ' || i)::bytea), sha256(('state ' || i + 1)::bytea),
       1000000000 + i, sha256('code'), sha256(('data ' || i)::bytea), 0, false, false, false, 12, 0, 100000000 + i, true, false, false, 1200000, 3000,
       1000000, 0, 0, 61, true, true, false, 0, 400000, 133331, 0, 1, 0, 0, 1, sha256(('list ' || i)::bytea), 1, 705
     from ${series}`,
    `insert into tx_by_hash (hash, account, lt, in_msg_hash, out_msg_hashes)
     select hash, account, lt, sha256(('message ' || (lt - 1000000) / 1000)::bytea), sha256(('message ' || (lt - 1000000) / 1000 + 1)::bytea) from transactions where mc_seqno between 1 + ${from} / 50 and 1 + ${to - 1} / 50
       and lt >= 1000000 + ${from}::bigint * 1000 and lt < 1000000 + ${to}::bigint * 1000`,
    `insert into messages (tx_account, tx_lt, direction, msg_index, msg_hash, msg_hash_norm, mc_seqno, listed, source, destination, value, fwd_fee,
       ihr_fee, created_lt, created_at, opcode, ihr_disabled, bounce, bounced, body_hash)
     select ${sender('i')}, ${lt}, d, 0, sha256(('message ' || i + d)::bytea), case when d = 0 and i % 3 = 0 then sha256(('norm ' || i)::bytea) end, ${seqno},
       d = 1 or i % 3 = 0, case when d = 1 then ${sender('i')} when i % 3 <> 0 then ${receiver('i')} end, case when d = 1 then ${receiver('i')} else ${sender('i')} end,
       case when d = 1 or i % 3 <> 0 then 100000000 + i end, 266669, 0, case when d = 1 or i % 3 <> 0 then ${lt} + d end, case when d = 1 or i % 3 <> 0 then ${now} end,
       (i % 97) * 1000003, true, true, false, sha256(('body ' || i)::bytea)
     from ${series}, generate_series(0, 1) as d order by i, d`,
    `insert into cells (hash, mc_seqno, boc) select sha256(('body ' || i)::bytea), ${seqno}, decode('b5ee9c720101010100260000480f8a7ea5', 'hex') || sha256(i::text::bytea)
     from ${series}`,
    `insert into traces (trace_id, external_hash, external_hash_norm, state, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt, end_utime, edges, pending_edges, nodes)
     select sha256(('tx ' || i)::bytea), sha256(('message ' || i)::bytea), sha256(('norm ' || i)::bytea), 1, ${seqno}, 1 + (i + 2) / 50, ${lt}, ${now}, ${lt} + 2000,
       1700000000 + (i + 2) / 50, 4, 0, 3 from ${series} where i % 3 = 0`,
    `insert into blocks (shard_key, seqno, workchain, shard, root_hash, file_hash, mc_seqno, global_id, version, after_merge, before_split, after_split,
       want_merge, want_split, key_block, vert_seqno_incr, flags, gen_utime, start_lt, end_lt, validator_list_hash_short, gen_catchain_seqno,
       min_ref_mc_seqno, prev_key_block_seqno, vert_seqno, master_ref_seqno, rand_seed, created_by, tx_count, prev_shards, prev_seqnos)
     select decode(case when w = 0 then '00000000' else 'ffffffff' end || '8000000000000000', 'hex'), 1 + b, w, -9223372036854775808,
       sha256(('root ' || w || b)::bytea), sha256(('file ' || w || b)::bytea), 1 + b, -3, 0, false, false, false, true, false, false, false, 1,
       1700000000 + b, 1000000 + b::bigint * 50000, 1000000 + b::bigint * 50000 + 49999, 0, 0, b, 0, 0, b, sha256('seed'), sha256('by'), 50,
       array[-9223372036854775808], array[b] from ${master}, generate_series(-1, 0) as w`,
    `insert into shard_tops (shard_key, mc_seqno, seqno) select shard_key, mc_seqno, seqno from blocks where mc_seqno > ${Math.ceil(from / 50)}`,
  ]
}

/** One transfer in each trace, listed under the accounts of its transactions. For an index whose traces are filled. */
export const ACTION_STATEMENTS: readonly string[] = [
  `insert into trace_classifications (trace_id, mc_seqno, facts_seqno, version, state, facts)
    select trace_id, mc_seqno_end, mc_seqno_end, 1, 0, null from traces`,
  `insert into actions (trace_id, action_id, mc_seqno, type, start_lt, end_lt, start_utime, end_utime, trace_end_lt, trace_end_utime, success,
      initiator, parent_id, ancestors, tx_hashes, content)
    select t.trace_id, sha256(t.trace_id), t.mc_seqno_end, 'ton_transfer', t.start_lt, t.end_lt, t.start_utime, t.end_utime, t.end_lt, t.end_utime,
      true, null, null, null, t.trace_id, '{"source":"0:' || upper(encode(substr(x.account, 5), 'hex')) || '","destination":"0:'
      || upper(encode(t.trace_id, 'hex')) || '","value":"1000000","data":{"content":"a comment","encrypted":false}}'
    from traces t join transactions x on x.hash = t.trace_id`,
  `insert into action_accounts (account, trace_end_lt, trace_id, action_end_lt, action_id, trace_end_utime, mc_seqno)
    select distinct x.account, t.end_lt, t.trace_id, t.end_lt, sha256(t.trace_id), t.end_utime, t.mc_seqno_end
    from transactions x join traces t on t.trace_id = x.trace_id`,
]

/** Adds transactions `from` to `to` (multiples of 150) to a filled index. The planner's statistics are not updated. */
export const grow = async (server: TestServer, connection: ClientConfig, from: number, to: number): Promise<void> => {
  for (let at = from; at < to; at += 30_000)
    for (const statement of statements(at, Math.min(to, at + 30_000))) await server.run(connection, statement)
  await server.run(connection, 'update published_head set mc_seqno = $1', [to / 50])
}

/** Fills an empty index with `count` transactions (a multiple of 150) and 5,003 accounts, and updates the planner's statistics. */
export const fill = async (server: TestServer, connection: ClientConfig, count: number): Promise<void> => {
  const run = (text: string): Promise<unknown[]> => server.run(connection, text)
  await run(`insert into accounts (account, mc_seqno, state_hash, status, balance, utime, last_trans_hash, last_trans_lt, first_lt, code_hash, data_hash, data_boc)
    select ${account('a')}, 1, sha256(a::text::bytea), 2, 1000000000::numeric * a, 1700000000, sha256('t'), 1000000, 1000000, sha256(('code ' || a % 50)::bytea), sha256(a::text::bytea),
      decode('b5ee9c72010101010002000000', 'hex') from generate_series(0, 5002) as a`)
  for (let from = 0; from < count; from += 30_000) {
    for (const statement of statements(from, Math.min(count, from + 30_000))) await run(statement)
  }
  // On a Citus cluster these statements join groups, as the service never does. Elsewhere nothing reads the setting.
  for (const statement of ACTION_STATEMENTS) await run(`set citus.enable_repartition_joins = on; ${statement}`)
  const last = count / 50
  await run(`insert into index_checkpoint values (1, 'test', sha256('zero'), 1, ${last}, sha256('root'), sha256('file'))`)
  await run(`insert into published_head values (1, ${last}, 1700000000, 0)`)
  await run('vacuum analyze')
}
