import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { messageRow } from '../../../server/index/derive/rows/message.ts'
import { transactionRow } from '../../../server/index/derive/rows/transaction.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../../server/store/codes.ts'
import { accountKey } from '../../../server/store/row-keys.ts'
import { messages } from '../../../server/store/schema/messages.ts'
import { asRead } from '../../../server/store/schema/table.ts'
import { transactions } from '../../../server/store/schema/transactions.ts'
import type { Message } from '../../../server/tlb/message/message.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import { createContents } from '../../../server/v3/shapes/message.ts'
import { transaction as shape, type WireTransaction } from '../../../server/v3/shapes/transaction.ts'

/* Rows of v3 of any transaction, written by the code that the server answers with. */

export interface Place {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
  readonly mcSeqno: number
}
export const SOMEWHERE: Place = { workchain: 0, shard: 1n << 63n, seqno: 7, mcSeqno: 9 }

const bocOf = (cell: Cell): Buffer => Buffer.from(serializeBoc(cell))

export const wireRow = (root: Cell, { workchain, shard, seqno, mcSeqno }: Place = SOMEWHERE, version = 9): WireTransaction => {
  const transaction = loadTransaction(root)
  const account = accountKey(workchain, transaction.account)
  const contents = createContents()
  const row = (message: Message, direction: typeof DIRECTION_IN | typeof DIRECTION_OUT, index: number) => {
    const place = { account, lt: transaction.lt, direction, index, mcSeqno, listed: true, version }
    const read = asRead(messages, messageRow(message, place))
    return { row: { ...read, body_boc: bocOf(message.body), init_boc: message.initCell ? bocOf(message.initCell) : null }, contents }
  }
  const hash = root.hashKey()
  const of = { account, hash, traceId: hash, mcSeqno, workchain, shard, blockSeqno: seqno }
  const shown = shape.of({
    row: asRead(transactions, transactionRow(transaction, of, undefined)),
    received: transaction.inMsg === undefined ? null : row(transaction.inMsg, DIRECTION_IN, 0),
    sent: transaction.outMsgs.map((message, i) => row(message, DIRECTION_OUT, i)),
    before: undefined,
    external: undefined,
  })
  return JSON.parse(JSON.stringify(shown)) as WireTransaction
}
