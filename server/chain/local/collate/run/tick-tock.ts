import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Lane } from '../accounts/lanes.ts'

/** Those of the special accounts that are active and want a tick (or tock) transaction. */
export const wantsTickTock = (special: readonly Lane[], tick: boolean): Lane[] =>
  special.filter((lane) => {
    const state = exists(lane.now.accountCell) ? loadAccount(lane.now.accountCell)?.state : undefined
    const wants = state?.type === 'active' ? state.init.special : undefined
    return tick ? wants?.tick === true : wants?.tock === true
  })
