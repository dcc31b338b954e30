import { Client, type ClientConfig } from 'pg'
import type { Store } from '../../server/store/store.ts'
import { ACTION_STATEMENTS } from '../kit/index/filled.ts'

/* An index of many rows, made by the database itself: each transaction of a trace sends to the next, one account is busy with a fiftieth of them. */

export interface FilledSize {
  readonly transactions: number
  readonly accounts: number
  /** Transactions of a trace; three unless given. */
  readonly ofTrace?: number
}

const MESSAGE = `tx_account, tx_lt, direction, msg_index, msg_hash, msg_hash_norm, mc_seqno, listed, source, destination, value, value_extra,
  fwd_fee, ihr_fee, extra_flags, import_fee, created_lt, created_at, opcode, ihr_disabled, bounce, bounced, body_hash, init_hash`

const h = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`
/** The masterchain block of a transaction: 50 in each. */
const block = (i: string): string => `(${i}) / 50 + 1`

/** Masterchain and basechain blocks, and an index that has read them all. */
const blockStatements = ({ transactions }: FilledSize): readonly string[] => {
  const masters = Math.ceil(transactions / 50) + 1
  return [
    `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'filled', ${h("'zero'")}, 1, ${masters}, ${h("'root'")}, ${h("'file'")})`,
    `insert into published_head (id, mc_seqno, utime, epoch) values (1, ${masters}, 1700000000, 1)`,
    `insert into blocks (shard_key, seqno, workchain, shard, root_hash, file_hash, mc_seqno, global_id, version, after_merge, before_split,
        after_split, want_merge, want_split, key_block, vert_seqno_incr, flags, gen_utime, start_lt, end_lt, validator_list_hash_short,
        gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, vert_seqno, master_ref_seqno, rand_seed, created_by, tx_count,
        prev_shards, prev_seqnos)
      select decode(case when w = -1 then 'ffffffff8000000000000000' else '000000008000000000000000' end, 'hex'), m, w, -9223372036854775808,
        ${h("'root' || w || '/' || m")}, ${h("'file' || w || '/' || m")}, m, -3, 0, false, false, false, false, false, false, false,
        1, 1700000000 + m, m::bigint * 1000000 + w, m::bigint * 1000000 + 900000, 0, 1, m - 1, 1, 0, case when w = 0 then m - 1 end,
        ${h("'seed'")}, ${h("'creator'")}, 50, array[-9223372036854775808], array[m - 1]
      from generate_series(1, ${masters}) m, (values (-1), (0)) shards (w)`,
    `insert into shard_tops (shard_key, mc_seqno, seqno)
      select decode(case when w = -1 then 'ffffffff8000000000000000' else '000000008000000000000000' end, 'hex'), m, m
      from generate_series(1, ${masters}) m, (values (-1), (0)) shards (w)`,
  ]
}

/**
 * Transactions with their messages, accounts and traces, in the database's own terms; `i` counts transactions. `seqno` (of `i`): the masterchain block
 * that a row is said to be of.
 */
const rowStatements = ({ transactions, accounts, ofTrace = 3 }: FilledSize, seqno = block): readonly string[] => {
  const key = (n: string): string => `(decode('00000000', 'hex') || ${h(`'account' || (${n})`)})`
  const account = (i: string): string => key(`case when (${i}) % 50 = 0 then 0 else (${i}) % ${accounts} end`)
  /** Place of a transaction in its trace. */
  const step = `(i % ${ofTrace})`
  const last = ofTrace - 1
  return [
    `insert into transactions (account, lt, hash, trace_id, mc_seqno, workchain, block_shard, block_seqno, now, prev_trans_hash, prev_trans_lt,
        orig_status, end_status, total_fees, state_hash_before, state_hash_after, after_balance, after_code_hash, after_data_hash, descr, aborted,
        destroyed, credit_first, storage_fees_collected, storage_status_change, credit, compute_success, compute_msg_state_used,
        compute_account_activated, compute_gas_fees, compute_gas_used, compute_gas_limit, compute_mode, compute_exit_code, compute_vm_steps,
        action_success, action_valid, action_no_funds, action_status_change, action_result_code, action_tot_actions, action_spec_actions,
        action_skipped_actions, action_msgs_created, action_list_hash, action_msg_cells, action_msg_bits)
      select ${account('i')}, (${block('i')})::bigint * 1000000 + i % 50, ${h("'tx' || i")}, ${h(`'tx' || (i - ${step})`)}, ${seqno('i')}, 0,
        -9223372036854775808, ${block('i')}, 1700000000 + ${block('i')}, ${h("'tx' || (i - 1)")}, 1, 2, 2, 400000 + i % 1000,
        ${h("'before' || i")}, ${h("'after' || i")}, 1000000000 + i, ${h("'code' || i % 20")}, ${h("'data' || i")}, 0, false, false, true,
        12, 0, 1000000000, true, false, false, 400000, 1000, 1000000, 0, 0, 40, true, true, false, 0, 0, 1, 0, 0, 1, ${h("'actions'")}, 1, 705
      from generate_series(0, ${transactions - 1}) i`,
    `insert into tx_by_hash (hash, account, lt, in_msg_hash, out_msg_hashes)
      select ${h("'tx' || i")}, ${account('i')}, (${block('i')})::bigint * 1000000 + i % 50, ${h("'message' || i")},
        case when ${step} < ${last} and i < ${transactions - 1} then ${h("'message' || (i + 1)")} else '' end
      from generate_series(0, ${transactions - 1}) i`,
    // What each received: the first of a trace from outside, the others from the one before.
    `insert into messages (${MESSAGE})
      select ${account('i')}, (${block('i')})::bigint * 1000000 + i % 50, 0, 0, ${h("'message' || i")},
        case when ${step} = 0 then ${h("'norm' || i")} end, ${seqno('i')}, ${step} = 0, case when ${step} > 0 then ${account('i - 1')} end, ${account('i')},
        case when ${step} > 0 then 1000000 end, null, case when ${step} > 0 then 44446 end, case when ${step} > 0 then 0 end, null,
        case when ${step} = 0 then 0 end, case when ${step} > 0 then (${block('i - 1')})::bigint * 1000000 + (i - 1) % 50 + 1 end,
        case when ${step} > 0 then 1700000000 + ${block('i - 1')} end, i % 1000, case when ${step} > 0 then true end,
        case when ${step} > 0 then true end, case when ${step} > 0 then false end, ${h("'body' || i % 5000")}, null
      from generate_series(0, ${transactions - 1}) i`,
    `insert into messages (${MESSAGE})
      select ${account('i')}, (${block('i')})::bigint * 1000000 + i % 50, 1, 0, ${h("'message' || (i + 1)")}, null, ${seqno('i')}, true,
        ${account('i')}, ${account('i + 1')}, 1000000, null, 44446, 0, null, null, (${block('i')})::bigint * 1000000 + i % 50 + 1,
        1700000000 + ${block('i')}, (i + 1) % 1000, true, true, false, ${h("'body' || (i + 1) % 5000")}, null
      from generate_series(0, ${transactions - 2}) i where ${step} < ${last}`,
    `insert into cells (hash, mc_seqno, boc) select ${h("'body' || i")}, 1, decode('b5ee9c7201010101002600004800000000', 'hex') || convert_to(md5(i::text), 'UTF8') from generate_series(0, 4999) i`,
    `insert into accounts (account, mc_seqno, state_hash, status, balance, balance_extra, utime, last_trans_hash, last_trans_lt, first_lt,
        code_hash, data_hash, frozen_hash, data_boc)
      select ${key('i')}, 1, ${h("'state' || i")}, 2, i * 1000000007::bigint % 1000000000000, null, 1700000000, ${h("'tx' || i")}, 1000000, 1000000,
        ${h("'code' || i % 2000")}, ${h("'data' || i")}, null, null
      from generate_series(0, ${accounts - 1}) i`,
    `insert into traces (trace_id, external_hash, external_hash_norm, state, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt,
        end_utime, edges, pending_edges, nodes)
      select ${h("'tx' || i")}, ${h("'message' || i")}, ${h("'norm' || i")}, 1, ${seqno('i')}, ${seqno(`i + ${last}`)},
        (${block('i')})::bigint * 1000000 + i % 50, 1700000000 + ${block('i')}, (${block(`i + ${last}`)})::bigint * 1000000 + (i + ${last}) % 50,
        1700000000 + ${block(`i + ${last}`)}, ${ofTrace}, 0, ${ofTrace}
      from generate_series(0, ${transactions - ofTrace}, ${ofTrace}) i`,
  ]
}

/**
 * Puts transactions, messages, accounts and traces into the index of a service that runs: as if they were of its block 1, or `each` fifty of the block that
 * they name.
 */
export const addRows = async (connection: ClientConfig, size: FilledSize, blocks: 'first' | 'each' = 'first'): Promise<void> => {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('set synchronous_commit = off')
    const seqno = blocks === 'first' ? () => '1' : block
    for (const statement of rowStatements(size, seqno)) await client.query(statement)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Fills an empty index. */
export const fillIndex = async (store: Store, size: FilledSize): Promise<void> => {
  const client = new Client(store.connection)
  await client.connect()
  try {
    // Indexes are made over what is there: several times faster than row by row.
    const { rows } = await client.query<{ name: string; text: string }>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
       where not i.indisprimary and c.relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of rows) await client.query(`drop index ${name}`)
    await client.query('set synchronous_commit = off')
    await client.query("set maintenance_work_mem = '256MB'")
    for (const statement of [...blockStatements(size), ...rowStatements(size), ...ACTION_STATEMENTS]) await client.query(statement)
    for (const { text } of rows) await client.query(text)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
