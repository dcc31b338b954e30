import { createSorted } from '../../../base/sorted.ts'
import { MAX_BAG_CELLS, uniqueCells } from '../../../cell/budget.ts'
import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { storeOutMsg } from '../../../tlb/block/out-msg.ts'
import { loadMessageInfo } from '../../../tlb/message/message-info.ts'
import { usedCellsOf } from '../../../tlb/state/account.ts'
import type { MadeTransaction } from '../../../tvm/make-transaction.ts'
import { keyOf, laterLt } from '../hash-keys.ts'
import type { PrintedTransaction } from '../model.ts'
import { type BlockAccount, commitTo } from './accounts/block-accounts.ts'
import type { LimitStatus } from './limits.ts'
import type { Enqueued } from './queue.ts'

/** An entry of InMsgDescr or OutMsgDescr: the hash of its message as the key, and the record as a separate cell. */
export type Described = readonly [key: bigint, record: Cell]

/** A message that a transaction of this block sent, and that is not yet delivered or queued. */
export interface Fresh extends Pick<Enqueued, 'lt' | 'hash' | 'msg' | 'info'> {
  readonly transaction: Cell
}

const compareFresh = (a: Fresh, b: Fresh): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)
const byKey = (a: Described, b: Described): number => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)

/** Number of bytes of a BoC without its cells. */
const BAG_BYTES = 17
/** Estimated number of bytes of a transaction in the block. Each distinct cell counts its data, two descriptor bytes and one byte per reference. */
const sizeOf = (root: Cell): number => {
  let bytes = BAG_BYTES
  for (const { bits, refCount } of uniqueCells([root], { cells: MAX_BAG_CELLS })) bytes += 2 + ((bits + 7) >> 3) + refCount
  return bytes
}

/** The transactions of a block so far, the records of its messages, and its messages that are not yet delivered or queued. */
export const createJournal = (p: { readonly limits: LimitStatus; readonly minEndLt: bigint }) => {
  const { limits } = p
  const inMsgs: Described[] = []
  const outMsgs: Described[] = []
  const fresh = createSorted<Fresh>(compareFresh)
  const printed: PrintedTransaction[] = []
  let endLt = p.minEndLt
  let lastProcessed: { readonly lt: bigint; readonly hash: string } | undefined

  const addOut = (msg: Cell, record: Cell): void => {
    outMsgs.push([keyOf(msg.hash()), record])
  }
  const register = (msg: Cell, transaction: Cell, lt: bigint): void => {
    limits.message()
    const info = loadMessageInfo(msg.slice())
    if (info.type === 'internal') fresh.push({ lt, hash: msg.hashKey(), msg, info, transaction })
    else addOut(msg, storeOutMsg(beginCell(), { type: 'export-ext', msg, transaction }).end())
  }

  return {
    printed,
    /** Undelivered messages of this block; `pop` takes the smallest (lt, hash). */
    fresh,
    commit: (blockAccount: BlockAccount, made: MadeTransaction): void => {
      const { transaction, lt, outMsgs: sent } = made
      commitTo(blockAccount, { root: transaction, lt, endLt: made.endLt }, made.shardAccount)
      limits.transaction(Number(made.gasUsed), sizeOf(transaction), made.endLt, usedCellsOf(made.shardAccount.accountCell))
      endLt = laterLt(endLt, made.endLt)
      if (made.debug !== undefined) printed.push({ hashKey: transaction.hashKey(), texts: made.debug })
      for (const [i, msg] of sent.entries()) register(msg, transaction, lt + 1n + BigInt(i))
    },
    addIn: (msg: Cell, record: Cell): void => {
      inMsgs.push([keyOf(msg.hash()), record])
      limits.message()
    },
    /** Does not add to the estimated size, because `register` has counted the message. */
    addOut,
    /** Adds the OutMsg of a message that leaves the queue, because the neighbouring chain has delivered it. */
    describeOut: (described: Described): void => {
      outMsgs.push(described)
      limits.message()
    },
    processed: (lt: bigint, hash: string): void => {
      lastProcessed = { lt, hash }
    },
    get endLt() {
      return endLt
    },
    get lastProcessed() {
      return lastProcessed
    },
    inMsgs: (): Described[] => inMsgs.sort(byKey),
    outMsgs: (): Described[] => outMsgs.sort(byKey),
  }
}
export type Journal = ReturnType<typeof createJournal>
