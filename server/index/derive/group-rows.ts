import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../store/codes.ts'
import { createRows, type RowBytes } from '../../store/rows/rows.ts'
import { accountSets } from '../../store/schema/accounts.ts'
import { blocks, shardTops } from '../../store/schema/blocks.ts'
import { type cells, messages } from '../../store/schema/messages.ts'
import type { WriteRow } from '../../store/schema/table.ts'
import { transactions, txByHash } from '../../store/schema/transactions.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { Message } from '../../tlb/message/message.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { MasterBlock } from '../follow/source.ts'
import type { AccountFacts } from './account-facts.ts'
import { accountSetRow, cellRow } from './rows/account.ts'
import { blockRow, shardTopRow } from './rows/block.ts'
import { type MessagePlace, messageRow } from './rows/message.ts'
import { transactionRow } from './rows/transaction.ts'
import type { TraceChange } from './traces.ts'

/* The rows of a group of consecutive masterchain blocks. Hashes as keys are 32 one-byte characters. */

/** The last state of an account in a group; `cells` are those of its data and code as each block of the group shows them, oldest first. */
export interface AccountChange {
  /** 36 bytes. */
  readonly key: Buffer
  readonly facts: AccountFacts
  readonly mcSeqno: number
  readonly master: BlockId
  readonly utime: number
  readonly lastTransHash: Uint8Array | undefined
  readonly lastTransLt: bigint
  /**
   * Where the index sees the account for the first time: the lt of its first transaction in the group, or the lt of the last transaction that its
   * state names if there is none in the group. A row that is stored already keeps its own.
   */
  readonly firstLt: bigint
  readonly cells: readonly Cell[]
}

/** A transaction and where it stands; hashes as 32 one-byte characters. */
export interface Placed {
  readonly tx: Transaction
  readonly hash: string
  readonly block: SourceBlock
  /** Key of the account, 36 bytes. */
  readonly key: Buffer
  /** The account as the block leaves it; of its last transaction in the block, where all of it is known. */
  readonly after: AccountFacts | undefined
  /** Set once the transaction is put to its trace. */
  traceId: string
  /** Whether it begins a trace whose true begin lies before the index. Set with `traceId`. */
  isCutOff: boolean
}

/** What one masterchain block of a group holds. */
export interface GroupBlock {
  readonly of: MasterBlock
  /** By lt, then account. */
  readonly placed: readonly Placed[]
  /** Accounts after the block. */
  readonly changes: readonly AccountChange[]
}

/** Rows of cells by hash. */
export type CellRows = Map<string, WriteRow<typeof cells>>

export interface GroupRows {
  readonly first: number
  readonly last: MasterBlock
  readonly blocks: RowBytes
  readonly shardTops: RowBytes
  readonly transactions: RowBytes
  readonly txByHash: RowBytes
  readonly messages: RowBytes
  readonly cells: CellRows
  /** By key, as 36 one-byte characters. */
  readonly accounts: ReadonlyMap<string, AccountChange>
  readonly accountSets: RowBytes
  readonly traces: readonly TraceChange[]
  readonly parts: readonly GroupBlock[]
}

/** Rows that are there as soon as their block is derived. */
export const createGroupRows = () => {
  const rows = {
    blocks: createRows(blocks),
    shardTops: createRows(shardTops),
    transactions: createRows(transactions),
    txByHash: createRows(txByHash),
    messages: createRows(messages),
    accountSets: createRows(accountSets),
    cells: new Map() as CellRows,
  }
  /** Keeps a cell with the first block that shows it. */
  const keep = (cell: Cell, mcSeqno: number): void => {
    const key = cell.hashKey()
    if (!rows.cells.has(key)) rows.cells.set(key, cellRow(cell, mcSeqno))
  }
  const putMessage = (message: Message, place: MessagePlace): void => {
    rows.messages.add(messageRow(message, place))
    const { listed, mcSeqno } = place
    if (!listed) return
    keep(message.body, mcSeqno)
    if (message.initCell !== undefined) keep(message.initCell, mcSeqno)
  }
  return {
    rows,
    keep,
    /** `transactions`: how many the block has, wanted or not. */
    putBlock(block: SourceBlock, mcSeqno: number, transactions: number): void {
      rows.blocks.add(blockRow(block, mcSeqno, transactions))
    },
    /** The shard configuration of a masterchain block, and the block itself. */
    putTops(tops: MasterBlock['tops'], mcSeqno: number): void {
      for (const top of tops) rows.shardTops.add(shardTopRow(top, mcSeqno))
      rows.shardTops.add(shardTopRow({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: mcSeqno }, mcSeqno))
    },
    /** A transaction with its messages. `hasSender`: whether the sender of its in-message is indexed; then that message is listed there. */
    putTransaction({ tx, hash, traceId, block, key, after }: Placed, mcSeqno: number, hasSender: boolean, version: number): void {
      const { workchain, shard, seqno: blockSeqno } = block.id
      const { lt } = tx
      rows.transactions.add(transactionRow(tx, { account: key, hash, traceId, mcSeqno, workchain, shard, blockSeqno }, after))
      rows.txByHash.add({ hash, account: key, lt })
      if (tx.inMsg !== undefined)
        putMessage(tx.inMsg, { account: key, lt, direction: DIRECTION_IN, index: 0, mcSeqno, listed: !hasSender, version })
      for (const [index, message] of tx.outMsgs.entries())
        putMessage(message, { account: key, lt, direction: DIRECTION_OUT, index, mcSeqno, listed: true, version })
    },
    putAccountSet(change: AccountChange): void {
      rows.accountSets.add(accountSetRow(change))
    },
  }
}
