import type { Cell } from '../../../../cell/cell.ts'
import { compact, withRefs } from '../../../../cell/copy.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Keep } from './lanes.ts'

/** Codes that new accounts are likely to share. */
const CODES = 1024

/**
 * Makes accounts fit to stay in the state: what came in a bag of cells is copied out of it, and new accounts of one code share it, also across blocks.
 * (What a transaction does not change stays the very same cell.)
 */
export const createKeep = (): Keep => {
  const codes = new Map<string, Cell>()
  const known = (code: Cell): Cell => {
    const key = code.hashKey()
    const shared = codes.get(key) ?? compact(code)
    codes.delete(key)
    codes.set(key, shared)
    if (codes.size > CODES) codes.delete(codes.keys().next().value!)
    return shared
  }
  return (account, before) => {
    // Only an account that had no state can have got one with a code of somewhere else.
    if (!exists(account) || before.refCount > 0) return compact(account)
    const state = loadAccount(account)?.state
    const code = state?.type === 'active' ? state.init.code : undefined
    if (code === undefined) return compact(account)
    const refs = Array.from({ length: account.refCount }, (_, i) => (account.ref(i) === code ? known(code) : account.ref(i)))
    return compact(withRefs(account, refs, account.hashKey()))
  }
}
