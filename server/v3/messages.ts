import type { messages } from '../../shared/v3/messages.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { type FullMessage, findMessages, transactionsOfMessages, withCells } from '../store/queries/messages.ts'
import type { MessageRow } from '../store/queries/messages-of-transactions.ts'
import { keyOfMessage } from '../store/queries/transactions/transaction-key.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { partsSubject } from './proofs/subject.ts'
import { createMessageFormat, roomOfTransaction, type WireMessage } from './shapes/message.ts'

const messageFormat = async (view: View, rows: readonly MessageRow[]): Promise<(row: MessageRow) => WireMessage> => {
  const [, transactionsOf] = await Promise.all([withCells(view, rows), transactionsOfMessages(view, rows)])
  const toMessage = createMessageFormat()
  return (row) => toMessage(row as FullMessage, roomOfTransaction(), transactionsOf(row))
}

export const messageHandlers = (index: V3Index): AnswerHandlers<keyof typeof messages> => ({
  'v3.messages': list(index, 'v3.messages', {
    find: (view, params) => findMessages(view, { ...params, msg_hash: params.msg_hash ?? (params.hash && [params.hash]) }),
    proven: (view, rows) => partsSubject(view, rows.map(keyOfMessage)),
    relate: (view, rows) => ({ accounts: rows.flatMap((row) => [row.source, row.destination]), format: messageFormat(view, rows) }),
  }),
})
