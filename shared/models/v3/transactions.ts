import * as z from 'zod'
import { base64, decimal, flag, hash44, int, int32, lt, many, model, nanotons, rawUpper, utime, words } from '../value-formats.ts'
import { bookOfPage } from './book.ts'
import { v3Message } from './messages.ts'
import { withProof } from './proofs.ts'
import { extraCurrencies, v3BlockId, v3Status } from './values.ts'

/**
 * State of an account before or after a transaction. Only `hash` is always present: the index has the other members only for the state after the last
 * transaction of a block.
 */
export const accountStateAt = model('V3AccountState', {
  hash: hash44('Hash of the state.'),
  balance: nanotons('Balance of the account; null if it is not known.').nullable(),
  extra_currencies: extraCurrencies.nullable(),
  account_status: v3Status.nullable(),
  frozen_hash: hash44('Hash of the state that a frozen account had.').nullable(),
  data_hash: hash44('Hash of the data; null if it is not known.').nullable(),
  code_hash: hash44('Hash of the code; null if it is not known.').nullable(),
  data_boc: base64('The data, as a BoC.').optional(),
  code_boc: base64('The code, as a BoC.').optional(),
})

const statusChange = words('What became of the account: nothing (unchanged), frozen, or deleted.', ['unchanged', 'frozen', 'deleted'])

const storagePhase = model('V3StoragePhase', {
  storage_fees_collected: nanotons('Fees for storage that were paid.'),
  storage_fees_due: nanotons('Fees for storage that the account still owes.').optional(),
  status_change: statusChange,
})

const creditPhase = model('V3CreditPhase', {
  due_fees_collected: nanotons('Owed fees that were paid.').optional(),
  credit: nanotons('What the message brought.'),
  credit_extra_currencies: extraCurrencies.optional(),
})

const computePhase = z
  .discriminatedUnion('skipped', [
    z.strictObject({
      skipped: z.literal(true).describe('The code did not run.'),
      reason: words('Why it did not run: no code, a wrong StateInit, no money for gas, or the account is suspended.', [
        'no_state',
        'bad_state',
        'no_gas',
        'suspended',
      ]),
    }),
    z.strictObject({
      skipped: z.literal(false).describe('The code ran.'),
      success: flag('Whether the code ended well.'),
      msg_state_used: flag('Whether the StateInit of the message was used.'),
      account_activated: flag('Whether the account became active by it.'),
      gas_fees: nanotons('Fee for the gas.'),
      gas_used: decimal('Gas that was used.', '3308'),
      gas_limit: decimal('Gas that could be used.', '1000000'),
      gas_credit: decimal('Gas that could be used before the message was accepted.', '10000').optional(),
      mode: int('Mode of the run.', 0),
      exit_code: int32('Exit code of the TVM; 0 and 1 are success.', 0),
      exit_arg: int32('Argument of the exception.', 0).optional(),
      vm_steps: int('How many instructions ran.', 66),
      vm_init_state_hash: hash44('Hash of the state of the TVM at the beginning.'),
      vm_final_state_hash: hash44('Hash of the state of the TVM at the end.'),
    }),
  ])
  .meta({ id: 'V3ComputePhase' })

const messageSize = model('V3MessageSize', { cells: decimal('How many cells.', '1'), bits: decimal('How many bits.', '697') })

const actionPhase = model('V3ActionPhase', {
  success: flag('Whether all actions were carried out.'),
  valid: flag('Whether the list of actions was well formed.'),
  no_funds: flag('Whether it failed for lack of money.'),
  status_change: statusChange,
  total_fwd_fees: nanotons('All fees for forwarding.').optional(),
  total_action_fees: nanotons('The part of them that was paid in this phase.').optional(),
  result_code: int32('Result of the phase; 0 is success.', 0),
  result_arg: int32('Number of the action that failed.', 0).optional(),
  tot_actions: int('How many actions there were.'),
  spec_actions: int('How many of them changed code or libraries, or reserved coins.', 0),
  skipped_actions: int('How many of them were skipped.', 0),
  msgs_created: int('How many messages were sent.'),
  action_list_hash: hash44('Hash of the list of actions.'),
  tot_msg_size: messageSize.describe('Size of the messages that were sent.'),
})

const bouncePhase = model('V3BouncePhase', {
  type: words('How it went: sent back (ok), or the money did not suffice.', ['negfunds', 'nofunds', 'ok']),
  msg_size: messageSize.describe('Size of the message that was sent back.').optional(),
  req_fwd_fees: nanotons('Fee for forwarding that it would have taken.').optional(),
  msg_fees: nanotons('Fee for it that was paid at once.').optional(),
  fwd_fees: nanotons('Fee for it that is left for the next validators.').optional(),
})

const splitInfo = model('V3SplitInfo', {
  cur_shard_pfx_len: int('Length of the prefix of the shard, in bits.', 1),
  acc_split_depth: int('Depth at which the account is split.', 4),
  this_addr: rawUpper('The account.'),
  sibling_addr: rawUpper('Its sibling in the other shard.'),
})

/** Phases that the transaction does not have, and members that do not apply, are omitted. */
const description = model('V3TransactionDescr', {
  type: words('Kind of the transaction.', [
    'ord',
    'storage',
    'tick_tock',
    'split_prepare',
    'split_install',
    'merge_prepare',
    'merge_install',
  ]),
  aborted: flag('Whether the transaction failed.').optional(),
  destroyed: flag('Whether the account was deleted.').optional(),
  credit_first: flag('Whether the coins of the message came before the fees for storage.').optional(),
  is_tock: flag('Of a tick-tock transaction: whether it came at the end of the block.').optional(),
  installed: flag('Of a split or merge: whether it was carried out.').optional(),
  storage_ph: storagePhase.describe('Storage phase: fees for storage.').optional(),
  credit_ph: creditPhase.describe('Credit phase: the coins of the message.').optional(),
  compute_ph: computePhase.describe('Compute phase: the run of the code.').optional(),
  action: actionPhase.describe('Action phase: what the code asked for.').optional(),
  bounce: bouncePhase.describe('Bounce phase: the message that was sent back.').optional(),
  split_info: splitInfo.describe('Of a split or merge: which accounts.').optional(),
})

export const v3Transaction = model('V3Transaction', {
  account: rawUpper('The account of the transaction.'),
  hash: hash44('Hash of the transaction.'),
  lt: lt('Logical time of the transaction.'),
  now: utime('When the transaction was made.'),
  mc_block_seqno: int('Number of the masterchain block that commits it.', 1000),
  trace_id: hash44('Id of its trace: the hash of the first transaction.').optional(),
  trace_external_hash: hash44('Hash of the message that began its trace. Absent if the trace began without a message.').optional(),
  prev_trans_hash: hash44('Hash of the transaction of the account before it; zeros if there is none.'),
  prev_trans_lt: lt('Logical time of the transaction of the account before it; 0 if there is none.'),
  orig_status: v3Status.describe('Status of the account before.'),
  end_status: v3Status.describe('Status of the account after.'),
  total_fees: nanotons('All fees of the transaction.'),
  total_fees_extra_currencies: extraCurrencies,
  description: description.describe('What happened, phase by phase.'),
  block_ref: v3BlockId.describe('The block of the transaction.'),
  in_msg: v3Message.describe('The message that it received; null if it is a tick or a tock.').nullable(),
  out_msgs: many('The messages that it sent.', v3Message),
  account_state_before: accountStateAt.describe('The account before it.'),
  account_state_after: accountStateAt.describe('The account after it.'),
  emulated: flag('Whether it is only expected, and in no block yet.'),
  finality: words('How sure it is.', ['pending', 'confirmed', 'finalized']),
})

export const v3Transactions = model('V3Transactions', {
  transactions: many('The transactions that were found.', v3Transaction),
  ...bookOfPage,
  ...withProof,
})

/** A pending transaction is not in a block, so it cannot have a proof. */
export const v3PendingTransactions = v3Transactions.omit({ proof: true, proof_missing: true }).meta({ id: 'V3PendingTransactions' })
