import { endSteps } from '../../../server/base/yield.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { applyAccountSteps } from '../../../server/chain/local/collate/accounts/account-input.ts'

/** The account with the input applied, in one step. */
export const applyAccountInput = (...args: Parameters<typeof applyAccountSteps>): Cell => endSteps(applyAccountSteps(...args))
