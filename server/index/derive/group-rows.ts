import { type Pause, runSteps } from '../../base/yield.ts'
import { bocSteps } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../store/codes.ts'
import { Rows } from '../../store/rows/copy-rows.ts'
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
import { cellRow } from './rows/account.ts'
import { shardTopRow } from './rows/block.ts'
import { type MessagePosition, messageRow } from './rows/message.ts'
import { transactionRow } from './rows/transaction.ts'
import type { TraceChange } from './traces.ts'

/* Hashes as map keys are strings of 32 one-byte characters. */

/** The last state of an account in a group of blocks. `cells`: the account's data and code cells in each block of the group, oldest first. */
export interface AccountChange {
  readonly key: Buffer
  readonly facts: AccountFacts
  readonly mcSeqno: number
  readonly master: BlockId
  readonly utime: number
  readonly lastTransHash: Uint8Array | undefined
  readonly lastTransLt: bigint
  /**
   * The lt at which the index first sees the account: the lt of its first transaction in the group of blocks, or the last lt in its state if it has none. A
   * stored row keeps its value.
   */
  readonly firstLt: bigint
  readonly cells: readonly Cell[]
}

/** A transaction with its block and trace. Hashes are strings of 32 one-byte characters. */
export interface Placed {
  readonly tx: Transaction
  readonly hash: string
  readonly block: SourceBlock
  readonly key: Buffer
  /** State of the account after the block. Only for the account's last transaction in the block, and only if the state was read in full. */
  readonly after: AccountFacts | undefined
  /** Set when the transaction gets its trace. */
  traceId: string
  /** True for the first indexed transaction of a trace that began before the first indexed block. Set together with `traceId`. */
  isCutOff: boolean
}

export interface GroupBlock {
  readonly of: MasterBlock
  /** Sorted by lt, then by account. */
  readonly placed: readonly Placed[]
  readonly changes: readonly AccountChange[]
}

export interface GroupRows extends Readonly<ReturnType<typeof createGroupRows>['rows']> {
  readonly first: number
  readonly last: MasterBlock
  readonly accounts: ReadonlyMap<string, AccountChange>
  readonly traces: readonly TraceChange[]
  /** Number of parts that are missing in the rows because a reader would refuse their size. */
  readonly leftOut: number
  readonly parts: readonly GroupBlock[]
}

export const createGroupRows = () => {
  let leftOut = 0
  const leaveOut = (): void => {
    leftOut += 1
  }
  const rows = {
    blocks: new Rows(blocks),
    shardTops: new Rows(shardTops),
    transactions: new Rows(transactions),
    txByHash: new Rows(txByHash),
    messages: new Rows(messages),
    accountSets: new Rows(accountSets),
    cells: new Map<string, WriteRow<typeof cells>>(),
  }
  /** Stores a cell with the seqno of the first block that contains it. */
  const addCell = async (cell: Cell, mcSeqno: number): Promise<void> => {
    const key = cell.hashKey()
    if (!rows.cells.has(key)) rows.cells.set(key, cellRow(cell, await runSteps(bocSteps([cell])), mcSeqno))
  }
  const putMessage = async (message: Message, place: MessagePosition): Promise<void> => {
    rows.messages.add(messageRow(message, place, leaveOut))
    const { listed, mcSeqno } = place
    if (!listed) return
    await addCell(message.body, mcSeqno)
    if (message.initCell !== undefined) await addCell(message.initCell, mcSeqno)
  }
  return {
    rows,
    addCell,
    leftOut: () => leftOut,
    /** Adds the newest block of each shard, and the masterchain block itself. */
    putTops(tops: MasterBlock['tops'], mcSeqno: number): void {
      for (const top of tops) rows.shardTops.add(shardTopRow(top, mcSeqno))
      rows.shardTops.add(shardTopRow({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: mcSeqno }, mcSeqno))
    },
    /**
     * Adds a transaction with its messages. `hasSender`: the sender of the in-message is indexed, so lists show the sender's row of the message instead of
     * this one. Yields between messages, because a transaction can have 255 messages with thousands of cells each.
     */
    async putTransaction(
      { tx, hash, traceId, block, key, after }: Placed,
      {
        mcSeqno,
        hasSender,
        version,
        pause,
      }: { readonly mcSeqno: number; readonly hasSender: boolean; readonly version: number; readonly pause: Pause },
    ): Promise<void> {
      const { workchain, shard, seqno: blockSeqno } = block.id
      const { lt } = tx
      rows.transactions.add(transactionRow(tx, { account: key, hash, traceId, mcSeqno, workchain, shard, blockSeqno }, after, leaveOut))
      rows.txByHash.add({ hash, account: key, lt, in_msg_hash: tx.inMsg?.root, out_msg_hashes: tx.outMsgs.map(({ root }) => root) })
      if (tx.inMsg !== undefined)
        await putMessage(tx.inMsg, { account: key, lt, direction: DIRECTION_IN, index: 0, mcSeqno, listed: !hasSender, version })
      for (const [index, message] of tx.outMsgs.entries()) {
        await pause()
        await putMessage(message, { account: key, lt, direction: DIRECTION_OUT, index, mcSeqno, listed: true, version })
      }
    },
  }
}
