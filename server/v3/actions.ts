import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import type { actions } from '../../shared/v3/actions.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import type { ActionRow } from '../store/queries/actions/filter.ts'
import { findActions } from '../store/queries/actions/find.ts'
import { keysOfHashes } from '../store/queries/transactions/by-hash.ts'
import { transactionsByKeys } from '../store/queries/transactions/by-key.ts'
import type { View } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { accountsNamed, hashesOf, toWireActions } from './shapes/action.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'
import { MAX_NODES_OF_PAGE } from './shapes/trace.ts'
import { accountsAround, BYTES_OF_TRANSACTION, readAround, toTransactions } from './shapes/transaction.ts'
import { base64 } from './shapes/values.ts'

/** Throws NOT_FOUND for a masterchain block that is not indexed. */
const checkBlock = ({ first, head }: View, seqno: number | undefined): void => {
  if (seqno !== undefined && (seqno < first || seqno > head)) throw new TonError('NOT_FOUND', `masterchain block ${seqno} not found`)
}

const loadTransactions = async (view: View, rows: readonly ActionRow[]) => {
  const hashes = new Map(rows.flatMap((row) => hashesOf(row).map((hash) => [base64(hash), hash] as const)))
  if (hashes.size > MAX_NODES_OF_PAGE)
    throw new TonError('INVALID_PARAMS', `the actions of this page have more than ${MAX_NODES_OF_PAGE} transactions: ask for fewer`, {
      issues: [{ param: 'limit', message: 'the page has too many transactions' }],
    })
  const found = await transactionsByKeys(view, await keysOfHashes(view, [...hashes.values()]))
  return { found, around: await readAround(view, found) }
}

const loadActions = async (view: View, rows: readonly ActionRow[], params: Params<'v3.actions'>) => {
  // Each action repeats its transactions, even if several actions of the page share them.
  if (params.include_transactions) view.expectBytes(rows.reduce((sum, row) => sum + hashesOf(row).length, 0) * BYTES_OF_TRANSACTION)
  const [wireActions, transactions] = await Promise.all([
    toWireActions(view, rows, params.include_accounts),
    params.include_transactions ? loadTransactions(view, rows) : undefined,
  ])
  return { wireActions, transactions }
}

export const actionHandlers = (index: V3Index): AnswerHandlers<keyof typeof actions> => ({
  'v3.actions': list(index, 'v3.actions', {
    find(view, params) {
      checkBlock(view, params.mc_seqno)
      return findActions(view, params, actionTypesOf(params), params)
    },
    load: loadActions,
    accounts: (_, { wireActions, transactions }) => [
      ...accountsNamed(wireActions),
      ...(transactions ? accountsAround(transactions.found, transactions.around) : []),
    ],
    async rows(view, _, { wireActions, transactions }) {
      if (transactions === undefined) return wireActions
      const whole = await toTransactions(view, transactions.found, transactions.around)
      const byHash = new Map(whole.map((transaction) => [transaction.hash, transaction]))
      return wireActions.map((action) => ({ ...action, transactions_full: action.transactions.flatMap((hash) => byHash.get(hash) ?? []) }))
    },
  }),
})
