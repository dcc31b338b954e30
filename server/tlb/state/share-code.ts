import { Lru } from '../../base/memory/lru.ts'
import type { Cell } from '../../cell/cell.ts'
import { compact, withRefs } from '../../cell/rebuild.ts'
import { loadAccount } from './account.ts'

/** Largest number of codes that are shared. */
const CODES = 1_024

/**
 * Returns a function that gives accounts with the same code the same cells of it. Each account that is parsed has its own copy, and most accounts are wallets of
 * a few versions. The account must have all of its cells.
 */
export const createShareCode = (): ((account: Cell) => Cell) => {
  const codes = new Lru<string, Cell>({ max: CODES })
  const shared = (code: Cell): Cell => {
    const key = code.hashKey()
    let known = codes.get(key)
    if (known === undefined) {
      known = compact(code)
      codes.set(key, known)
    }
    return known
  }
  return (account) => {
    const state = loadAccount(account)?.state
    const code = state?.type === 'active' ? state.init.code : undefined
    if (code === undefined) return account
    const refs = Array.from({ length: account.refCount }, (_, i) => (account.ref(i) === code ? shared(code) : account.ref(i)))
    return withRefs(account, refs, account.hashKey())
  }
}
