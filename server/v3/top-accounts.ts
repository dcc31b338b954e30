import type { stats } from '../../shared/v3/top-accounts.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { richest } from '../store/queries/accounts.ts'
import type { V3Index } from './answer/answer.ts'
import { lookup } from './answer/lookup.ts'
import { address } from './shapes/values.ts'

export const statsHandlers = (index: V3Index): AnswerHandlers<keyof typeof stats> => ({
  'v3.topAccountsByBalance': lookup(index, 'v3.topAccountsByBalance', async (view, { limit, offset }) => {
    const rows = await richest(view, limit, offset)
    return { body: rows.map((row) => ({ account: address(row.account), balance: row.balance })) }
  }),
})
