import type { AccountId } from '../../../tlb/ids.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../codes.ts'
import type { Tables } from '../../schema/tables.ts'
import { transactions } from '../../schema/transactions.ts'
import { isTimed, type WindowFilter } from '../conditions.ts'
import { type Order, orderOf } from '../order.ts'

export type TransactionRow = Tables['transactions']

export interface TransactionFilter extends WindowFilter {
  readonly workchain?: number | undefined
  /** The shard prefix as a signed 64-bit integer. */
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly mc_seqno?: number | undefined
  readonly account?: readonly AccountId[] | undefined
  readonly exclude_account?: readonly AccountId[] | undefined
  readonly hash?: readonly Uint8Array[] | undefined
  readonly lt?: bigint | undefined
  /** The fields below are about a message that the transaction received or sent. One message must match all of them. */
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly body_hash?: Uint8Array | undefined
  readonly opcode?: number | undefined
  readonly source?: AccountId | undefined
  readonly destination?: AccountId | undefined
  readonly direction?: 'in' | 'out' | undefined
}

export const ofMessages = (filter: TransactionFilter): boolean =>
  (filter.msg_hash ?? filter.body_hash ?? filter.opcode ?? filter.source ?? filter.destination) !== undefined

export const directionOf = ({ direction }: TransactionFilter): number | undefined =>
  direction && (direction === 'in' ? DIRECTION_IN : DIRECTION_OUT)

/** Transactions of the same lt are ordered by account, always ascending. */
const tiesAscend = true
/** Ordered by masterchain block, then lt, so that new transactions always come after older ones. */
const BY_BLOCK = orderOf(transactions, 'm', ['mc_seqno', 'lt', 'account'], tiesAscend)
const BY_LT = orderOf(transactions, 'l', ['lt', 'account'], tiesAscend)
const BY_TIME = orderOf(transactions, 'n', ['now', 'lt', 'account'], tiesAscend)

export const orderOfFilter = (filter: TransactionFilter): Order<TransactionRow> => {
  if (isTimed(filter)) return BY_TIME
  if (ofMessages(filter)) return BY_LT
  const narrowed = filter.account ?? filter.hash ?? filter.lt ?? filter.start_lt ?? filter.end_lt
  return narrowed === undefined ? BY_BLOCK : BY_LT
}
