import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictFromEntries } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag, storeHash } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { loadMessage, type Message } from '../message/message.ts'
import { visitLeaves } from '../visit-leaves.ts'
import { loadTransactionDescr, storeTransactionDescr, type TransactionDescr } from './transaction-descr.ts'

/*
 * acc_state_uninit$00  acc_state_frozen$01  acc_state_active$10  acc_state_nonexist$11 = AccountStatus;
 * transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32 outmsg_cnt:uint15
 *   orig_status:AccountStatus end_status:AccountStatus
 *   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
 *   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account) description:^TransactionDescr = Transaction;
 * update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
 */

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

export interface HashUpdate {
  readonly oldHash: Uint8Array
  readonly newHash: Uint8Array
}

/** @internal */
export const loadHashUpdate = (cell: Cell): HashUpdate => {
  const s = cell.slice()
  expectTag(s, 8, 0x72, 'HASH_UPDATE')
  const update = { oldHash: s.loadBytes(32), newHash: s.loadBytes(32) }
  s.end()
  return update
}

export const storeHashUpdate = (update: HashUpdate): Cell =>
  storeHash(storeHash(beginCell().storeUint(0x72, 8), update.oldHash), update.newHash).end()

export interface Transaction {
  /** Account id, 32 bytes. The workchain is that of the block. */
  readonly account: Uint8Array
  readonly lt: bigint
  readonly prevTransHash: Uint8Array
  readonly prevTransLt: bigint
  /** Unix seconds. */
  readonly now: number
  readonly outMsgCount: number
  readonly origStatus: AccountStatus
  readonly endStatus: AccountStatus
  readonly inMsg?: Message | undefined
  /** In the order in which they were sent (their created_lt). */
  readonly outMsgs: readonly Message[]
  readonly totalFees: CurrencyCollection
  readonly stateUpdate: HashUpdate
  readonly description: TransactionDescr
  readonly root: Cell
}

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

const loadAccountStatus = (s: Slice): AccountStatus => STATUSES[s.loadUint(2)]!
const storeAccountStatus = (b: Builder, status: AccountStatus): Builder => b.storeUint(STATUSES.indexOf(status), 2)

/** Maximum number of cells on all paths of a transaction, without the bodies of messages (`Transaction::serialize` of transaction.cpp). */
const MAX_TRANSACTION_CELLS = 4096

const loadOutMsgs = (root: Cell | undefined): Message[] => {
  const messages: Message[] = []
  visitLeaves(root, 15, { cells: MAX_TRANSACTION_CELLS }, (leaf) => messages.push(loadMessage(leaf.loadRef())))
  return messages
}

export const loadTransaction = (root: Cell): Transaction => {
  const s = root.slice()
  expectTag(s, 4, 7, 'Transaction')
  const messages = s.loadRef().slice()
  const transaction: Transaction = {
    account: s.loadBytes(32),
    lt: s.loadUintBig(64),
    prevTransHash: s.loadBytes(32),
    prevTransLt: s.loadUintBig(64),
    now: s.loadUint(32),
    outMsgCount: s.loadUint(15),
    origStatus: loadAccountStatus(s),
    endStatus: loadAccountStatus(s),
    inMsg: messages.loadBit() ? loadMessage(messages.loadRef()) : undefined,
    outMsgs: loadOutMsgs(messages.loadMaybeRef()),
    totalFees: loadCurrency(s),
    stateUpdate: loadHashUpdate(s.loadRef()),
    description: loadTransactionDescr(s.loadRef()),
    root,
  }
  messages.end()
  s.end()
  return transaction
}

export const storeTransaction = (
  p: Omit<Transaction, 'root' | 'inMsg' | 'outMsgs' | 'outMsgCount'> & {
    readonly inMsg: Cell | undefined
    readonly outMsgs: readonly Cell[]
  },
): Cell => {
  const outMsgs = p.outMsgs.map((message, i) => [BigInt(i), beginCell().storeRef(message)] as const)
  const messages = beginCell().storeMaybeRef(p.inMsg).storeMaybeRef(dictFromEntries(15, outMsgs))
  const b = storeHash(beginCell().storeUint(7, 4), p.account).storeUint(p.lt, 64)
  storeHash(b, p.prevTransHash).storeUint(p.prevTransLt, 64)
  b.storeUint(p.now, 32).storeUint(outMsgs.length, 15)
  storeAccountStatus(storeAccountStatus(b, p.origStatus), p.endStatus)
  storeCurrency(b.storeRef(messages.end()), p.totalFees)
  return b.storeRef(storeHashUpdate(p.stateUpdate)).storeRef(storeTransactionDescr(p.description)).end()
}

/** Reads only total_fees, which is the extra of a transaction in its account block. */
export const loadTotalFees = (root: Cell): CurrencyCollection => {
  const s = root.slice()
  expectTag(s, 4, 7, 'Transaction')
  s.skip(256 + 64 + 256 + 64 + 32 + 15 + 2 + 2).loadRef()
  return loadCurrency(s)
}
