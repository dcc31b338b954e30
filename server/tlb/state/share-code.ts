import { Lru } from '../../base/memory/lru.ts'
import type { Cell } from '../../cell/cell.ts'
import { compact, withRefs } from '../../cell/rebuild.ts'
import { loadAccount } from './account.ts'

/** Largest number of codes that are shared, and bytes of the accounts that brought them. A code of a wallet has a few hundred bytes, but anybody can deploy megabytes. */
const CODES = 1_024
const BYTES = 8 * 1024 * 1024
/** Bytes of the largest account whose code is shared. To copy a code of 60,000 cells takes 0.1 s, and no two accounts have it. */
const MAX_ACCOUNT_BYTES = 256 * 1024

/**
 * Returns a function that gives accounts with the same code the same cells of it. Each account that is parsed has its own copy, and most accounts are wallets of
 * a few versions. The account must have all of its cells. `bytes`: its length as a BoC, for accounts that anybody may have made.
 */
export const createShareCode = (): ((account: Cell, bytes?: number) => Cell) => {
  const codes = new Lru<string, Cell>({ max: CODES, maxSize: BYTES })
  const shared = (code: Cell, size: number): Cell => {
    const key = code.hashKey()
    let cached = codes.get(key)
    if (cached === undefined) {
      cached = compact(code)
      codes.set(key, cached, { size })
    }
    return cached
  }
  return (account, bytes = 1) => {
    if (bytes > MAX_ACCOUNT_BYTES) return account
    const state = loadAccount(account)?.state
    const code = state?.type === 'active' ? state.init.code : undefined
    if (code === undefined) return account
    const refs = Array.from({ length: account.refCount }, (_, i) => (account.ref(i) === code ? shared(code, bytes) : account.ref(i)))
    return withRefs(account, refs, account.hashKey())
  }
}
