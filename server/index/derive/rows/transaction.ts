import type { DESCR_TYPES } from '../../../store/codes.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import type { transactions } from '../../../store/schema/transactions.ts'
import { readableExtra } from '../../../tlb/currency.ts'
import type { ComputePhase } from '../../../tlb/transaction/tr-compute.ts'
import type { ActionPhase, BouncePhase, CreditPhase, StoragePhase } from '../../../tlb/transaction/tr-phases.ts'
import type { Transaction } from '../../../tlb/transaction/transaction.ts'
import type { SplitMergeInfo, TransactionDescr } from '../../../tlb/transaction/transaction-descr.ts'
import type { AccountFacts } from '../account-facts.ts'

const TYPES: { readonly [T in TransactionDescr['type']]: (typeof DESCR_TYPES)[number] } = {
  ordinary: 'ord',
  storage: 'storage',
  'tick-tock': 'tick_tock',
  'split-prepare': 'split_prepare',
  'split-install': 'split_install',
  'merge-prepare': 'merge_prepare',
  'merge-install': 'merge_install',
}

/** TransactionDescr of any type. Members that the type does not have are undefined. */
interface AnyDescr {
  readonly aborted?: boolean
  readonly destroyed?: boolean
  readonly creditFirst?: boolean
  readonly isTock?: boolean
  readonly installed?: boolean
  readonly storage?: StoragePhase | undefined
  readonly credit?: CreditPhase | undefined
  readonly compute?: ComputePhase
  readonly action?: ActionPhase | undefined
  readonly bounce?: BouncePhase | undefined
  readonly split?: SplitMergeInfo
}

/** Validators may set this hash to zero, which is stored as null. */
const stateHash = (hash: Uint8Array | undefined): Uint8Array | undefined => {
  if (hash === undefined) return undefined
  for (let i = 0; i < hash.length; i++) if (hash[i] !== 0) return hash
  return undefined
}

export interface TransactionContext {
  readonly account: Buffer
  /** 32 one-byte characters, like `traceId`. */
  readonly hash: string
  readonly traceId: string
  readonly mcSeqno: number
  readonly workchain: number
  readonly shard: bigint
  readonly blockSeqno: number
}

/**
 * Creates a row of transactions: one object literal, so that V8 gives all rows the same shape. `after`: the account after the block, only for its last
 * transaction in the block. `leaveOut` is called for each part that is too large and is not in the row.
 */
export const transactionRow = (
  tx: Transaction,
  place: TransactionContext,
  after: AccountFacts | undefined,
  leaveOut?: () => void,
): WriteRow<typeof transactions> => {
  const descr: AnyDescr = tx.description
  const { storage, credit, compute, action, bounce, split } = descr
  const vm = compute?.type === 'vm' ? compute : undefined
  const noFunds = bounce?.type === 'nofunds' ? bounce : undefined
  const bounced = bounce?.type === 'ok' ? bounce : undefined
  const bounceSize = (noFunds ?? bounced)?.msgSize
  return {
    account: place.account,
    lt: tx.lt,
    hash: place.hash,
    trace_id: place.traceId,
    mc_seqno: place.mcSeqno,
    workchain: place.workchain,
    block_shard: BigInt.asIntN(64, place.shard),
    block_seqno: place.blockSeqno,
    now: tx.now,
    prev_trans_hash: tx.prevTransHash,
    prev_trans_lt: tx.prevTransLt,
    orig_status: tx.origStatus,
    end_status: tx.endStatus,
    total_fees: tx.totalFees.grams,
    total_fees_extra: readableExtra(tx.totalFees, leaveOut),
    state_hash_before: tx.stateUpdate.oldHash,
    state_hash_after: tx.stateUpdate.newHash,
    after_balance: after?.balance,
    after_extra: after?.extra,
    after_code_hash: after?.codeHash,
    after_data_hash: after?.dataHash,
    after_frozen_hash: after?.frozenHash,
    descr: TYPES[tx.description.type],
    aborted: descr.aborted,
    destroyed: descr.destroyed,
    credit_first: descr.creditFirst,
    is_tock: descr.isTock,
    installed: descr.installed,
    storage_fees_collected: storage?.feesCollected,
    storage_fees_due: storage?.feesDue,
    storage_status_change: storage?.statusChange,
    credit_due_fees_collected: credit?.dueFeesCollected,
    credit: credit?.credit.grams,
    credit_extra: credit && readableExtra(credit.credit, leaveOut),
    compute_skip_reason: compute?.type === 'skipped' ? compute.reason : undefined,
    compute_success: vm?.success,
    compute_msg_state_used: vm?.msgStateUsed,
    compute_account_activated: vm?.accountActivated,
    compute_gas_fees: vm?.gasFees,
    compute_gas_used: vm?.gasUsed,
    compute_gas_limit: vm?.gasLimit,
    compute_gas_credit: vm?.gasCredit,
    compute_mode: vm?.mode,
    compute_exit_code: vm?.exitCode,
    compute_exit_arg: vm?.exitArg,
    compute_vm_steps: vm?.vmSteps,
    compute_vm_init_state_hash: stateHash(vm?.vmInitStateHash),
    compute_vm_final_state_hash: stateHash(vm?.vmFinalStateHash),
    action_success: action?.success,
    action_valid: action?.valid,
    action_no_funds: action?.noFunds,
    action_status_change: action?.statusChange,
    action_total_fwd_fees: action?.totalFwdFees,
    action_total_action_fees: action?.totalActionFees,
    action_result_code: action?.resultCode,
    action_result_arg: action?.resultArg,
    action_tot_actions: action?.totActions,
    action_spec_actions: action?.specActions,
    action_skipped_actions: action?.skippedActions,
    action_msgs_created: action?.msgsCreated,
    action_list_hash: action?.actionListHash,
    action_msg_cells: action?.totMsgSize.cells,
    action_msg_bits: action?.totMsgSize.bits,
    bounce: bounce?.type,
    bounce_msg_cells: bounceSize?.cells,
    bounce_msg_bits: bounceSize?.bits,
    bounce_req_fwd_fees: noFunds?.reqFwdFees,
    bounce_msg_fees: bounced?.msgFees,
    bounce_fwd_fees: bounced?.fwdFees,
    split_cur_shard_pfx_len: split?.curShardPfxLen,
    split_acc_split_depth: split?.accSplitDepth,
    split_this_addr: split?.thisAddr,
    split_sibling_addr: split?.siblingAddr,
  }
}
