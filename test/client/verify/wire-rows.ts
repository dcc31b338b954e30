import type { TokenList } from '../../../client/verify/request.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { messageRow } from '../../../server/index/derive/rows/message.ts'
import { transactionRow } from '../../../server/index/derive/rows/transaction.ts'
import { jettonEvents } from '../../../server/index/topics/jettons/events.ts'
import { nftEvents } from '../../../server/index/topics/nfts/events.ts'
import type { BlockView, PlacedTransaction, TopicContext } from '../../../server/index/topics/topic.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../../server/store/codes.ts'
import { accountKey, nameOf } from '../../../server/store/row-keys.ts'
import { jettonBurns, jettonTransfers } from '../../../server/store/schema/jettons.ts'
import { messages } from '../../../server/store/schema/messages.ts'
import { nftTransfers } from '../../../server/store/schema/nfts.ts'
import { asRead } from '../../../server/store/schema/table.ts'
import { transactions } from '../../../server/store/schema/transactions.ts'
import type { Message } from '../../../server/tlb/message/message.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import { toJettonBurn, toJettonTransfer } from '../../../server/v3/jettons.ts'
import { toNftTransfer } from '../../../server/v3/nfts.ts'
import { createBodyDecoder } from '../../../server/v3/shapes/decoded.ts'
import { createMessageFormat } from '../../../server/v3/shapes/message.ts'
import { toTransaction, type WireTransaction } from '../../../server/v3/shapes/transaction.ts'

/* Rows of v3 of any transaction or request, written by the code that the server answers with. */

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
  const row = (message: Message, direction: typeof DIRECTION_IN | typeof DIRECTION_OUT, index: number) => {
    const place = { account, lt: transaction.lt, direction, index, mcSeqno, listed: true, version }
    const read = asRead(messages, messageRow(message, place))
    return { ...read, body_boc: bocOf(message.body), init_boc: message.initCell ? bocOf(message.initCell) : null }
  }
  const hash = root.hashKey()
  const place = { account, hash, traceId: hash, mcSeqno, workchain, shard, blockSeqno: seqno }
  const of = {
    row: asRead(transactions, transactionRow(transaction, place, undefined)),
    received: transaction.inMsg && row(transaction.inMsg, DIRECTION_IN, 0),
    sent: transaction.outMsgs.map((message, i) => row(message, DIRECTION_OUT, i)),
    before: undefined,
    external: undefined,
  }
  return JSON.parse(JSON.stringify(toTransaction(of, createMessageFormat()))) as WireTransaction
}

/** What the index has of the wallet or item that received a request. */
export interface Token {
  readonly owner: Buffer
  readonly jetton: Buffer
  readonly collection: Buffer
}

/** The row of the request that a transaction received; undefined if the index makes none of it. */
export const wireRequest = async (list: TokenList, root: Cell, token: Token): Promise<object | undefined> => {
  const tx = loadTransaction(root)
  const hash = root.hashKey()
  const placed = { tx, hash, traceId: hash, account: accountKey(0, tx.account) } as unknown as PlacedTransaction
  const block = { transactions: [placed], mcSeqno: SOMEWHERE.mcSeqno } as unknown as BlockView
  const context = {
    accountRows: async (_: unknown, keys: readonly Buffer[]) => new Map(keys.map((key) => [nameOf(key), [token]])),
  } as unknown as TopicContext
  const show = createBodyDecoder()
  const shown = async (): Promise<(object | undefined)[]> => {
    if (list === 'nft_transfers') return (await nftEvents(block, [], context)).map((row) => toNftTransfer(asRead(nftTransfers, row), show))
    const { transfers, burns } = await jettonEvents(block, [], context)
    if (list === 'jetton_burns') return burns.map((row) => toJettonBurn(asRead(jettonBurns, row), show))
    return transfers.map((row) => toJettonTransfer(asRead(jettonTransfers, row), show))
  }
  const [row] = await shown()
  return row && (JSON.parse(JSON.stringify(row)) as object)
}
