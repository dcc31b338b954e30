import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Lane, type Lanes } from '../accounts/lanes.ts'

/** Those of the special accounts that are active and want a tick (or tock) transaction. */
export const wantsTickTock = (lanes: Lanes, special: readonly Lane[], tick: boolean): Lane[] =>
  special.filter((lane) => {
    lanes.settle(lane)
    const state = exists(lane.account) ? loadAccount(lane.account)?.state : undefined
    const wants = state?.type === 'active' ? state.init.special : undefined
    return tick ? wants?.tick === true : wants?.tock === true
  })
