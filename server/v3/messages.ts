import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import type { Reader } from '../store/postgres/pool.ts'
import { cellsOf } from '../store/queries/accounts.ts'
import { findMessages, transactionsOfMessages } from '../store/queries/messages.ts'
import { answer, nextCursor } from './answer.ts'
import { beside } from './beside.ts'
import { cellHashes, createContents, toMessage } from './message.ts'
import { base64, present } from './wire.ts'

/** Messages as they are indexed: one of each, with the transactions that sent and received it. */
export const messageHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<'v3.messages'> => ({
  'v3.messages': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findMessages(
        view,
        { ...params, msg_hash: params.msg_hash ?? (params.hash && [params.hash]) },
        params,
      )
      next(cursor)
      const parties = rows.flatMap((row) => [row.source, row.destination])
      const [bocs, transactions, book] = await Promise.all([
        cellsOf(view, cellHashes(rows)),
        transactionsOfMessages(view, rows),
        beside(view, parties),
      ])
      const contents = createContents(bocs)
      const messages = await inTurns(
        rows,
        (row) => {
          const { received, sent } = transactions(row)
          return {
            ...toMessage(row, contents),
            ...present({ in_msg_tx_hash: received && base64(received), out_msg_tx_hash: sent && base64(sent) }),
          }
        },
        signal,
      )
      return { messages, ...book, ...nextCursor(params, cursor) }
    }),
})
