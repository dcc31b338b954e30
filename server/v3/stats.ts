import type { stats } from '../../shared/v3/stats.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { richest } from '../store/queries/accounts.ts'
import { answer, type V3Index } from './answer/answer.ts'
import { address } from './shapes/wire.ts'

/** Figures over all accounts. */
export const statsHandlers = (index: V3Index): AnswerHandlers<keyof typeof stats> => ({
  'v3.topAccountsByBalance': (params, { signal }) =>
    answer(index, params, signal, async (view) => {
      const rows = await richest(view, params.limit, params.offset)
      return { body: rows.map((row) => ({ account: address(row.account), balance: row.balance })) }
    }),
})
