import { base64Of } from '../bytes.ts'
import { readCurrency } from './account.ts'
import { type Expected, type ExpectedMembers as Members, record } from './compare.ts'
import { fail, must } from './error.ts'
import { type Reader, readWhole } from './reader.ts'

/* The description of a transaction, with the names of v3. Members that it does not have are undefined. */

const coins = (r: Reader): string => String(r.coins())
const maybeCoins = (r: Reader): string | undefined => r.maybe(coins)
const hash = (r: Reader): string => base64Of(r.bytes(32))

/** acst_unchanged$0 = AccStatusChange;  acst_frozen$10 = AccStatusChange;  acst_deleted$11 = AccStatusChange; */
const statusChange = (r: Reader): string => (!r.flag() ? 'unchanged' : r.flag() ? 'deleted' : 'frozen')

/** storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed; */
const size = (r: Reader): Expected => ({ cells: String(r.varUint(3)), bits: String(r.varUint(3)) })

/** tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase; */
const storagePhase = (r: Reader): Expected => ({
  storage_fees_collected: coins(r),
  storage_fees_due: maybeCoins(r),
  status_change: statusChange(r),
})

/** tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase; */
const creditPhase = (r: Reader): Expected => {
  const due = maybeCoins(r)
  const { grams, other } = readCurrency(r)
  const extra = Object.keys(other).length === 0 ? undefined : record(other)
  return { due_fees_collected: due, credit: String(grams), credit_extra_currencies: extra }
}

/** cskip_no_state$00  cskip_bad_state$01  cskip_no_gas$10  cskip_suspended$110 = ComputeSkipReason; */
const skipReason = (r: Reader): string => {
  const reason = ['no_state', 'bad_state', 'no_gas'][r.uint(2)]
  return reason ?? (r.flag() ? fail('no ComputeSkipReason') : 'suspended')
}

/*
 * tr_phase_compute_skipped$0 reason:ComputeSkipReason = TrComputePhase;
 * tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
 *   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
 *   exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
 */
const computePhase = (r: Reader): Expected => {
  if (!r.flag()) return { skipped: true, reason: skipReason(r) }
  const flags = { success: r.flag(), msg_state_used: r.flag(), account_activated: r.flag(), gas_fees: coins(r) }
  const rest = readWhole(r.next(), (inner) => ({
    gas_used: String(inner.varUint(3)),
    gas_limit: String(inner.varUint(3)),
    gas_credit: inner.maybe(() => String(inner.varUint(2))),
    mode: inner.int(8),
    exit_code: inner.int(32),
    exit_arg: inner.maybe(() => inner.int(32)),
    vm_steps: inner.uint(32),
    vm_init_state_hash: hash(inner),
    vm_final_state_hash: hash(inner),
  }))
  return { skipped: false, ...flags, ...rest }
}

/*
 * tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange
 *   total_fwd_fees:(Maybe Grams) total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16
 *   spec_actions:uint16 skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
 */
const actionPhase = (outer: Reader): Expected =>
  readWhole(outer.next(), (r) => ({
    success: r.flag(),
    valid: r.flag(),
    no_funds: r.flag(),
    status_change: statusChange(r),
    total_fwd_fees: maybeCoins(r),
    total_action_fees: maybeCoins(r),
    result_code: r.int(32),
    result_arg: r.maybe(() => r.int(32)),
    tot_actions: r.uint(16),
    spec_actions: r.uint(16),
    skipped_actions: r.uint(16),
    msgs_created: r.uint(16),
    action_list_hash: hash(r),
    tot_msg_size: size(r),
  }))

/*
 * tr_phase_bounce_negfunds$00 = TrBouncePhase;
 * tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams = TrBouncePhase;
 * tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
 */
const bouncePhase = (r: Reader): Expected => {
  if (r.flag()) return { type: 'ok', msg_size: size(r), req_fwd_fees: undefined, msg_fees: coins(r), fwd_fees: coins(r) }
  const none = { msg_fees: undefined, fwd_fees: undefined }
  if (r.flag()) return { type: 'nofunds', msg_size: size(r), req_fwd_fees: coins(r), ...none }
  return { type: 'negfunds', msg_size: undefined, req_fwd_fees: undefined, ...none }
}

/** All members of descriptions, absent. Each type of description overrides the members that it has. */
const NONE = {
  aborted: undefined,
  destroyed: undefined,
  credit_first: undefined,
  is_tock: undefined,
  installed: undefined,
  storage_ph: undefined,
  credit_ph: undefined,
  compute_ph: undefined,
  action: undefined,
  bounce: undefined,
  split_info: undefined,
}

type Description = { readonly [name in keyof typeof NONE | 'type']?: Expected }

/*
 * trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase)
 *   compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase) destroyed:Bool = TransactionDescr;
 */
const ordinary = (r: Reader): Description => ({
  type: 'ord',
  credit_first: r.flag(),
  storage_ph: r.maybe(storagePhase),
  credit_ph: r.maybe(creditPhase),
  compute_ph: computePhase(r),
  action: r.maybe(actionPhase),
  aborted: r.flag(),
  bounce: r.maybe(bouncePhase),
  destroyed: r.flag(),
})

/*
 * trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase action:(Maybe ^TrActionPhase)
 *   aborted:Bool destroyed:Bool = TransactionDescr;
 */
const tickTock = (r: Reader): Description => ({
  type: 'tick_tock',
  is_tock: r.flag(),
  storage_ph: storagePhase(r),
  compute_ph: computePhase(r),
  action: r.maybe(actionPhase),
  aborted: r.flag(),
  destroyed: r.flag(),
})

/**
 * The description of a transaction. The other types of block.tlb (storage, split and merge) are refused, as every validator does: check_one_transaction
 * of the C++ node refuses any block with one.
 */
export const readDescription = (r: Reader): Members => {
  const kind = r.uint(3)
  if (kind === 0 && !r.flag()) return { ...NONE, ...ordinary(r) }
  must(kind === 1, 'a storage, split or merge transaction, which no validator accepts')
  return { ...NONE, ...tickTock(r) }
}
