import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import type { balances } from '../../shared/v3/balance-changes.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { groupedWithPauses } from '../base/memory/grouped.ts'
import { runSteps } from '../base/yield.ts'
import { DIRECTION_IN } from '../store/codes.ts'
import { cellsOf } from '../store/queries/accounts.ts'
import { actionOfId } from '../store/queries/actions/of-traces.ts'
import { walletsAmong } from '../store/queries/jettons.ts'
import { rowsOfTransactions } from '../store/queries/messages-of-transactions.ts'
import { findTraces } from '../store/queries/traces.ts'
import { keysOfHashes, transactionsByKeys, transactionsOfTraces } from '../store/queries/transactions/by-key.ts'
import { sidesByHash } from '../store/queries/transactions/list.ts'
import { MAX_SIZE_OF_PAGE, sizeOfTrace } from '../store/queries/transactions/size.ts'
import { keyOfMessage, keyText, type TransactionRow } from '../store/queries/transactions/transaction-key.ts'
import type { View } from '../store/queries/view.ts'
import { distinct, nameOf } from '../store/row-keys.ts'
import { endpoint, type V3Index } from './answer/answer.ts'
import { bounded } from './answer/bounded.ts'
import { hashesOf } from './shapes/action.ts'
import {
  amountsIn,
  type BalanceChanges,
  changesInTrace,
  changesOfTransaction,
  mayMove,
  moveOf,
  type Wallet,
  type WithMessages,
  withoutFirst,
  writeChanges,
} from './shapes/balance-changes.ts'
import { PAGE_TEXT } from './shapes/trace.ts'
import { sidesOf } from './shapes/transaction.ts'

const relate = async (view: View, rows: readonly TransactionRow[]) => {
  const messagesOf = await groupedWithPauses(await rowsOfTransactions(view, rows), (message) => keyText(keyOfMessage(message)), view.signal)
  const transactions = rows.map((row): WithMessages => ({ row, ...sidesOf(messagesOf(keyText(row))) }))
  const moving = transactions.filter(mayMove)
  const found = await walletsAmong(view, distinct(moving.map(({ row }) => row.account)))
  const wallets = new Map(found.map((each) => [nameOf(each.account), each]))
  const walletOf = (account: Buffer): Wallet | undefined => wallets.get(nameOf(account))
  const hashes = moving.filter(({ row }) => walletOf(row.account)).map(({ received }) => received!.body_hash)
  const amounts = await runSteps(amountsIn(await cellsOf(view, hashes)), view.signal)
  return { transactions, walletOf, move: (of: WithMessages) => moveOf(of, walletOf(of.row.account), amounts) }
}

const ofTransaction = async (view: View, row: TransactionRow | undefined, missing: string): Promise<BalanceChanges> => {
  if (row === undefined) throw new TonError('NOT_FOUND', missing)
  const { transactions, move } = await relate(view, [row])
  return changesOfTransaction(transactions[0]!, move(transactions[0]!))
}

/** Undefined if no transaction received the message. */
const receiverOf = async (view: View, hash: Uint8Array): Promise<TransactionRow | undefined> => {
  const side = (await sidesByHash(view, [hash])).find(({ direction }) => direction === DIRECTION_IN)
  return side && (await transactionsByKeys(view, [keyOfMessage(side)]))[0]
}

/** `hashes`: hashes of the action's transactions; undefined for the whole trace. */
const ofTrace = async (view: View, id: Uint8Array, hashes?: readonly Buffer[]): Promise<BalanceChanges> => {
  const [trace] = (await findTraces(view, { trace_id: [id], limit: 1, offset: 0, sort: 'asc' })).rows
  if (trace === undefined) throw new TonError('NOT_FOUND', 'trace not found')
  if (sizeOfTrace(trace) > MAX_SIZE_OF_PAGE) throw new TonError('INVALID_PARAMS', `the trace has more than ${PAGE_TEXT}`)
  const { transactions, walletOf, move } = await relate(view, await transactionsOfTraces(view, [trace]))
  const covered = hashes && new Set(hashes.map(nameOf))
  const part = covered ? withoutFirst(transactions.filter(({ row }) => covered.has(nameOf(row.hash)))) : transactions
  return changesInTrace(transactions, part, walletOf, move)
}

const find = async (view: View, { trace_id, action_id, tx_hash, msg_hash }: Params<'v3.balanceChanges'>): Promise<BalanceChanges> => {
  if (tx_hash) return ofTransaction(view, (await transactionsByKeys(view, await keysOfHashes(view, [tx_hash])))[0], 'transaction not found')
  if (msg_hash) return ofTransaction(view, await receiverOf(view, msg_hash), 'receiving transaction not found')
  if (!action_id) return ofTrace(view, trace_id!)
  const action = await actionOfId(view, action_id)
  if (action === undefined || (trace_id && !action.trace_id.equals(trace_id))) throw new TonError('NOT_FOUND', 'action not found')
  return ofTrace(view, action.trace_id, hashesOf(action))
}

export const balanceHandlers = (index: V3Index): AnswerHandlers<keyof typeof balances> => ({
  'v3.balanceChanges': endpoint<'v3.balanceChanges'>(index, {
    read: async (view, params, { isLarge }) => ({ pieces: [writeChanges(await find(bounded(view, isLarge), params))] }),
  }),
})
