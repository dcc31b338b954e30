import { loadAccount } from '../../../../tlb/state/account.ts'
import { type BlockAccount, exists } from '../accounts/block-accounts.ts'

/** The special accounts that are active and have their tick (or tock) flag set. */
export const wantsTickTock = (special: readonly BlockAccount[], tick: boolean): BlockAccount[] =>
  special.filter((blockAccount) => {
    const state = exists(blockAccount.now.accountCell) ? loadAccount(blockAccount.now.accountCell)?.state : undefined
    const wants = state?.type === 'active' ? state.init.special : undefined
    return tick ? wants?.tick === true : wants?.tock === true
  })
