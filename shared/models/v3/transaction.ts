import * as z from 'zod'
import { base64, decimal, hash44, rawUpper } from '../wire.ts'
import { nextCursor, withBook } from './book.ts'
import { v3Message } from './message.ts'
import { extraCurrencies, v3BlockId, v3Status } from './values.ts'

/** An account before or after a transaction: its hash, and the rest where it is known (the state after the last transaction of a block). */
const accountStateAt = z
  .strictObject({
    hash: hash44(),
    balance: decimal().nullable(),
    extra_currencies: extraCurrencies.nullable(),
    account_status: v3Status.nullable(),
    frozen_hash: hash44().nullable(),
    data_hash: hash44().nullable(),
    code_hash: hash44().nullable(),
    data_boc: base64().optional(),
    code_boc: base64().optional(),
  })
  .meta({ id: 'V3AccountState' })

const statusChange = z.enum(['unchanged', 'frozen', 'deleted'])

const storagePhase = z
  .strictObject({ storage_fees_collected: decimal(), storage_fees_due: decimal().optional(), status_change: statusChange })
  .meta({ id: 'V3StoragePhase' })

const creditPhase = z
  .strictObject({ due_fees_collected: decimal().optional(), credit: decimal(), credit_extra_currencies: extraCurrencies.optional() })
  .meta({ id: 'V3CreditPhase' })

const computePhase = z
  .discriminatedUnion('skipped', [
    z.strictObject({ skipped: z.literal(true), reason: z.enum(['no_state', 'bad_state', 'no_gas', 'suspended']) }),
    z.strictObject({
      skipped: z.literal(false),
      success: z.boolean(),
      msg_state_used: z.boolean(),
      account_activated: z.boolean(),
      gas_fees: decimal(),
      gas_used: decimal(),
      gas_limit: decimal(),
      gas_credit: decimal().optional(),
      mode: z.int(),
      exit_code: z.int32(),
      exit_arg: z.int32().optional(),
      vm_steps: z.int(),
      vm_init_state_hash: hash44(),
      vm_final_state_hash: hash44(),
    }),
  ])
  .meta({ id: 'V3ComputePhase' })

const messageSize = z.strictObject({ cells: decimal(), bits: decimal() }).meta({ id: 'V3MessageSize' })

const actionPhase = z
  .strictObject({
    success: z.boolean(),
    valid: z.boolean(),
    no_funds: z.boolean(),
    status_change: statusChange,
    total_fwd_fees: decimal().optional(),
    total_action_fees: decimal().optional(),
    result_code: z.int32(),
    result_arg: z.int32().optional(),
    tot_actions: z.int(),
    spec_actions: z.int(),
    skipped_actions: z.int(),
    msgs_created: z.int(),
    action_list_hash: hash44(),
    tot_msg_size: messageSize,
  })
  .meta({ id: 'V3ActionPhase' })

const bouncePhase = z
  .strictObject({
    type: z.enum(['negfunds', 'nofunds', 'ok']),
    msg_size: messageSize.optional(),
    req_fwd_fees: decimal().optional(),
    msg_fees: decimal().optional(),
    fwd_fees: decimal().optional(),
  })
  .meta({ id: 'V3BouncePhase' })

const splitInfo = z
  .strictObject({ cur_shard_pfx_len: z.int(), acc_split_depth: z.int(), this_addr: rawUpper(), sibling_addr: rawUpper() })
  .meta({ id: 'V3SplitInfo' })

/** What a phase or flag does not have is left out. */
const description = z
  .strictObject({
    type: z.enum(['ord', 'storage', 'tick_tock', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install']),
    aborted: z.boolean().optional(),
    destroyed: z.boolean().optional(),
    credit_first: z.boolean().optional(),
    is_tock: z.boolean().optional(),
    installed: z.boolean().optional(),
    storage_ph: storagePhase.optional(),
    credit_ph: creditPhase.optional(),
    compute_ph: computePhase.optional(),
    action: actionPhase.optional(),
    bounce: bouncePhase.optional(),
    split_info: splitInfo.optional(),
  })
  .meta({ id: 'V3TransactionDescr' })

export const v3Transaction = z
  .strictObject({
    account: rawUpper(),
    hash: hash44(),
    lt: decimal(),
    now: z.int(),
    mc_block_seqno: z.int(),
    trace_id: hash44().optional(),
    trace_external_hash: hash44().optional(),
    prev_trans_hash: hash44(),
    prev_trans_lt: decimal(),
    orig_status: v3Status,
    end_status: v3Status,
    total_fees: decimal(),
    total_fees_extra_currencies: extraCurrencies,
    description,
    block_ref: v3BlockId,
    in_msg: v3Message.nullable(),
    out_msgs: z.array(v3Message),
    account_state_before: accountStateAt,
    account_state_after: accountStateAt,
    emulated: z.boolean(),
    finality: z.enum(['pending', 'confirmed', 'finalized']),
  })
  .meta({ id: 'V3Transaction' })

export const v3Transactions = z
  .strictObject({ transactions: z.array(v3Transaction), ...withBook, ...nextCursor })
  .meta({ id: 'V3Transactions' })
