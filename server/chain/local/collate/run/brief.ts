import type { Cell } from '../../../../cell/cell.ts'
import { dictEntries } from '../../../../cell/dict.ts'
import type { Slice } from '../../../../cell/slice.ts'
import { type CurrencyCollection, loadCurrency } from '../../../../tlb/currency.ts'

/** What a collator needs of a transaction, read without decoding its phases. */
export interface TransactionBrief {
  readonly root: Cell
  readonly lt: bigint
  /** lt of the next thing that may happen to the account: after the transaction and its out messages. */
  readonly endLt: bigint
  readonly totalFees: CurrencyCollection
  readonly gasUsed: number
  /** Message Any cells in the order of their lt. */
  readonly outMsgs: readonly Cell[]
}

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 outmsg_cnt:uint15
//   orig_status:AccountStatus end_status:AccountStatus ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
//   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
/** Reads a transaction that the emulator made. */
export const briefTransaction = (root: Cell): TransactionBrief => {
  const s = root.slice()
  s.skip(4 + 256)
  const lt = s.loadUintBig(64)
  s.skip(256 + 64 + 32)
  const count = s.loadUint(15)
  s.skip(4)
  const messages = s.loadRef().slice()
  const totalFees = loadCurrency(s)
  s.loadRef()
  const outMsgs: Cell[] = []
  if (count > 0) {
    messages.loadMaybeRef()
    for (const [, value] of dictEntries(messages.loadMaybeRef(), 15)) outMsgs.push(value.loadRef())
  }
  return { root, lt, endLt: lt + 1n + BigInt(count), totalFees, gasUsed: gasUsed(s.loadRef().slice()), outMsgs }
}

const skipCurrency = (s: Slice): void => {
  s.loadCoins()
  s.loadMaybeRef()
}
const skipMaybeCoins = (s: Slice): void => {
  if (s.loadBit()) s.loadCoins()
}
// tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase;
const skipStorage = (s: Slice): void => {
  s.loadCoins()
  skipMaybeCoins(s)
  if (s.loadBit()) s.loadBit()
}

// trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase ...
// trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase ...
// tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams ^[ gas_used:(VarUInteger 7) ... ]
const gasUsed = (s: Slice): number => {
  if (s.loadUint(3) === 1) {
    s.skip(1)
    skipStorage(s)
  } else {
    s.skip(2)
    if (s.loadBit()) skipStorage(s)
    if (s.loadBit()) {
      skipMaybeCoins(s)
      skipCurrency(s)
    }
  }
  if (!s.loadBit()) return 0
  s.skip(3)
  s.loadCoins()
  return Number(s.loadRef().slice().loadVarUint(3))
}
