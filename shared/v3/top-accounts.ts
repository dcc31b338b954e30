import * as z from 'zod'
import { paged } from '../fields/v3/page.ts'
import { patience } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import { topAccounts } from '../models/v3/accounts.ts'
import { reads } from './common.ts'

const read = reads('Stats')

export const stats = {
  'v3.topAccountsByBalance': method({
    ...read,
    page: { rows: 'accounts', max: 1024 },
    summary: 'Accounts by balance, the richest first.',
    examples: [{ title: 'the richest', params: { limit: 5 } }],
    params: z.object({ ...paged(1024), ...patience }),
    result: topAccounts,
  }),
}
