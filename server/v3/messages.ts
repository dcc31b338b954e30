import type { messages } from '../../shared/v3/messages.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import { findMessages, transactionsOfMessages, withCells } from '../store/queries/messages.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { createContents, toMessage } from './shapes/message.ts'
import { base64, withoutNulls } from './shapes/values.ts'

/** Messages of the index. Each stands once, with the transactions that sent and received it. */
export const messageHandlers = (index: V3Index): AnswerHandlers<keyof typeof messages> => ({
  'v3.messages': list(index, 'v3.messages', {
    find: (view, params) => findMessages(view, { ...params, msg_hash: params.msg_hash ?? (params.hash && [params.hash]) }, params),
    accounts: (rows) => rows.flatMap((row) => [row.source, row.destination]),
    async rows(view, rows) {
      const [full, transactions] = await Promise.all([withCells(view, rows), transactionsOfMessages(view, rows)])
      const contents = createContents()
      return await inTurns(
        full,
        (row) => {
          const { received, sent } = transactions(row)
          const ofTransactions = withoutNulls({ in_msg_tx_hash: received && base64(received), out_msg_tx_hash: sent && base64(sent) })
          return { ...toMessage(row, contents), ...ofTransactions }
        },
        view.signal,
      )
    },
  }),
})
