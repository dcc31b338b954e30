import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { storeOutMsg } from '../../../tlb/block/out-msg.ts'
import { type InternalMessageInfo, loadMessageInfo } from '../../../tlb/message/message-info.ts'
import type { MadeTransaction } from '../../../tvm/make-transaction.ts'
import { keyOf, laterLt } from '../bytes.ts'
import { commitTo, type Lane } from './accounts/lanes.ts'
import type { LimitStatus } from './limits.ts'
import { createHeap } from './run/heap.ts'

/** A record of InMsgDescr or OutMsgDescr: the hash of its message as a key, and the record in a cell of its own. */
export type Described = readonly [key: bigint, record: Cell]

/** A message that came out of a transaction of this block and has not been dealt with. */
export interface Fresh {
  readonly lt: bigint
  /** hashKey of the message. */
  readonly hash: string
  readonly msg: Cell
  readonly info: InternalMessageInfo
  /** The transaction that sent it. */
  readonly transaction: Cell
}

const compareFresh = (a: Fresh, b: Fresh): number => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)
const byKey = (a: Described, b: Described): number => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)

/** Bytes of a bag of cells besides its cells. */
const BAG_BYTES = 17
/** About what a transaction takes in the block: each distinct cell with two descriptors and a byte for each reference. */
const sizeOf = (root: Cell): number => {
  const seen = new Set<string>()
  let bytes = BAG_BYTES
  const visit = (cell: Cell): void => {
    const key = cell.hashKey()
    if (seen.has(key)) return
    seen.add(key)
    const { bits, refCount } = cell
    bytes += 2 + ((bits + 7) >> 3) + refCount
    for (let i = 0; i < refCount; i++) visit(cell.ref(i))
  }
  visit(root)
  return bytes
}

/** What has happened in a block so far: its transactions, the records of its messages, the messages that are still to be dealt with. */
export const createJournal = (p: {
  readonly limits: LimitStatus
  /** Lowest end_lt of the block. */
  readonly minEndLt: bigint
}) => {
  const { limits } = p
  const inMsgs: Described[] = []
  const outMsgs: Described[] = []
  const fresh = createHeap<Fresh>(compareFresh)
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
    /** Messages made in this block, the next to be dealt with first. */
    fresh,
    /** Takes a finished transaction into the block, with the messages that it sent. */
    commit: (lane: Lane, made: MadeTransaction): void => {
      const { transaction, lt, outMsgs: sent } = made
      commitTo(lane, { root: transaction, lt, endLt: made.endLt }, made.shardAccount)
      limits.transaction(Number(made.gasUsed), sizeOf(transaction), made.endLt)
      endLt = laterLt(endLt, made.endLt)
      for (const [i, msg] of sent.entries()) register(msg, transaction, lt + 1n + BigInt(i))
    },
    /** A record of InMsgDescr. */
    addIn: (msg: Cell, record: Cell): void => {
      inMsgs.push([keyOf(msg.hash()), record])
      limits.message()
    },
    /** A record of OutMsgDescr of a message of this block's. */
    addOut,
    /** A record that a message of the own queue was delivered by a neighbour. */
    describeOut: (described: Described): void => {
      outMsgs.push(described)
      limits.message()
    },
    /** Notes the message that was delivered last. */
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
