import type { messages } from '../../shared/v3/messages.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { type FullMessage, findMessages, transactionsOfMessages, withCells } from '../store/queries/messages.ts'
import type { MessageRow } from '../store/queries/messages-of-transactions.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { partsSubject } from './proofs/subject.ts'
import { createContents, type ListedMessage, listedMessage } from './shapes/message.ts'

export const messageHandlers = (index: V3Index): AnswerHandlers<keyof typeof messages> => ({
  'v3.messages': list(index, 'v3.messages', {
    find: (view, params) => findMessages(view, { ...params, msg_hash: params.msg_hash ?? (params.hash && [params.hash]) }, params),
    accounts: (rows) => rows.flatMap((row) => [row.source, row.destination]),
    proven: (view, rows) =>
      partsSubject(
        view,
        rows.map((row) => ({ account: row.tx_account, lt: row.tx_lt })),
      ),
    async writer(view, rows) {
      const [, transactions] = await Promise.all([withCells(view, rows), transactionsOfMessages(view, rows)])
      const contents = createContents()
      const listed = (row: MessageRow): ListedMessage => {
        const { received, sent } = transactions(row)
        return { row: row as FullMessage, contents, receivedBy: received, sentBy: sent }
      }
      return (out, row) => out.value(listedMessage.of(listed(row)))
    },
  }),
})
