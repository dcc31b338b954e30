import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import type { actions } from '../../shared/v3/actions.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { findActions } from '../store/queries/actions/find.ts'
import type { ActionRow } from '../store/queries/actions/of-traces.ts'
import { keysOfHashes, transactionsByKeys } from '../store/queries/transactions/by-key.ts'
import { sizeOfTransactions } from '../store/queries/transactions/size.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsNamed, hashesOf, toWireActions, type WireAction } from './shapes/action.ts'
import { roomOfTransaction } from './shapes/message.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'
import { checkPage } from './shapes/trace.ts'
import { BYTES_OF_TRANSACTION, relateTransactions } from './shapes/transaction.ts'
import { base64 } from './shapes/values.ts'

/** Throws NOT_FOUND for a masterchain block that is not indexed. */
const checkBlock = ({ first, head }: View, seqno: number | undefined): void => {
  if (seqno !== undefined && (seqno < first || seqno > head)) throw new TonError('NOT_FOUND', `masterchain block ${seqno} not found`)
}

const relateFullTransactions = async (view: View, rows: readonly ActionRow[]) => {
  const hashes = new Map(rows.flatMap((row) => hashesOf(row).map((hash) => [base64(hash), hash] as const)))
  checkPage(hashes.size, 'actions')
  const found = await transactionsByKeys(view, await keysOfHashes(view, [...hashes.values()]))
  checkPage(sizeOfTransactions(found), 'actions')
  return { found, related: await relateTransactions(view, found) }
}

const relate = async (view: View, rows: readonly ActionRow[], params: Params<'v3.actions'>) => {
  // Each action repeats its transactions, even if several actions of the page share them.
  if (params.include_transactions) view.expectBytes(rows.reduce((sum, row) => sum + hashesOf(row).length, 0) * BYTES_OF_TRANSACTION)
  const [wireActions, full] = await Promise.all([
    toWireActions(view, rows, params.include_accounts),
    params.include_transactions ? relateFullTransactions(view, rows) : undefined,
  ])
  const byRow = new Map(rows.map((row, i) => [row, wireActions[i]!]))
  const withTransactions = async () => {
    const toTransaction = await full?.related.format
    const byHash = new Map(full?.found.map((transaction) => [base64(transaction.hash), transaction]))
    return (row: ActionRow): WireAction => {
      const action = byRow.get(row)!
      if (!toTransaction) return action
      // An action's JSON is written in one step, so its transactions share the room of one.
      const room = roomOfTransaction()
      const whole = action.transactions.flatMap((hash) => byHash.get(hash) ?? [])
      return { ...action, transactions_full: whole.map((transaction) => toTransaction(transaction, room)) }
    }
  }
  return { accounts: [...accountsNamed(wireActions), ...(full?.related.accounts ?? [])], format: withTransactions() }
}

export const actionHandlers = (index: V3Index): AnswerHandlers<keyof typeof actions> => ({
  'v3.actions': list(index, 'v3.actions', {
    find(view, params) {
      checkBlock(view, params.mc_seqno)
      return findActions(view, params, actionTypesOf(params))
    },
    relate,
  }),
})
