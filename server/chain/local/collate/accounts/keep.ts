import { compact } from '../../../../cell/rebuild.ts'
import { createShareCode } from '../../../../tlb/state/share-code.ts'
import { exists, type Keep } from './block-accounts.ts'

/**
 * Prepares accounts to stay in the state. Cells that come from a BoC are copied out of it, so that the state does not hold the whole BoC in memory.
 * New accounts with the same code share its cells, also across blocks. Cells that a transaction does not change stay the same objects.
 */
export const createKeep = (): Keep => {
  const shareCode = createShareCode()
  // Code that other accounts may share comes in only when an account without a state gets one.
  return (account, before) => compact(exists(account) && before.refCount === 0 ? shareCode(account) : account)
}
