import { Lru } from '../../../../base/memory/lru.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { compact, withRefs } from '../../../../cell/rebuild.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Keep } from './block-accounts.ts'

/** Largest number of codes kept for sharing between new accounts. */
const CODES = 1024

/**
 * Prepares accounts to stay in the state. Cells that come from a BoC are copied out of it, so that the state does not hold the whole BoC in memory.
 * New accounts with the same code share its cells, also across blocks. Cells that a transaction does not change stay the same objects.
 */
export const createKeep = (): Keep => {
  const codes = new Lru<string, Cell>({ max: CODES })
  const known = (code: Cell): Cell => {
    const key = code.hashKey()
    let shared = codes.get(key)
    if (shared === undefined) {
      shared = compact(code)
      codes.set(key, shared)
    }
    return shared
  }
  return (account, before) => {
    // Code that other accounts may share comes in only when an account without a state gets one.
    if (!exists(account) || before.refCount > 0) return compact(account)
    const state = loadAccount(account)?.state
    const code = state?.type === 'active' ? state.init.code : undefined
    if (code === undefined) return compact(account)
    const refs = Array.from({ length: account.refCount }, (_, i) => (account.ref(i) === code ? known(code) : account.ref(i)))
    return compact(withRefs(account, refs, account.hashKey()))
  }
}
