import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Lane } from '../accounts/lanes.ts'

/** The special accounts that are active and have their tick (or tock) flag set. */
export const wantsTickTock = (special: readonly Lane[], tick: boolean): Lane[] =>
  special.filter((lane) => {
    const state = exists(lane.now.accountCell) ? loadAccount(lane.now.accountCell)?.state : undefined
    const wants = state?.type === 'active' ? state.init.special : undefined
    return tick ? wants?.tick === true : wants?.tock === true
  })
