import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import type { Tables } from '../../schema/tables.ts'
import { transactions } from '../../schema/transactions.ts'
import { isTimed, type ListParams } from '../conditions.ts'
import { type Order, orderOf } from '../order.ts'

export type TransactionRow = Tables['transactions']

export type TransactionParams = ListParams<'v3.transactions'>

/** Whether the parameters are about a message that the transaction received or sent. One message must match all of them. */
export const ofMessages = (params: TransactionParams): boolean =>
  (params.msg_hash ?? params.body_hash ?? params.opcode ?? params.source ?? params.destination) !== undefined

export const directionOf = ({ direction }: TransactionParams): number | undefined =>
  direction && (direction === 'in' ? DIRECTION_IN : DIRECTION_OUT)

/** Transactions of the same lt are ordered by account, always ascending. */
const tiesAscend = true
/** Ordered by masterchain block, then lt, so that new transactions always come after older ones. */
const BY_BLOCK = orderOf(transactions, 'm', ['mc_seqno', 'lt', 'account'], tiesAscend)
const BY_LT = orderOf(transactions, 'l', ['lt', 'account'], tiesAscend)
const BY_TIME = orderOf(transactions, 'n', ['now', 'lt', 'account'], tiesAscend)

export const orderOfFilter = (params: TransactionParams): Order<TransactionRow> => {
  if (isTimed(params)) return BY_TIME
  if (ofMessages(params)) return BY_LT
  const narrowed = params.account ?? params.hash ?? params.lt ?? params.start_lt ?? params.end_lt
  return narrowed === undefined ? BY_BLOCK : BY_LT
}
