import { Lru } from '../../base/memory/lru.ts'
import type { Cell } from '../../cell/cell.ts'
import { compact, withRefs } from '../../cell/copy-cells.ts'
import { loadAccount } from './account.ts'

/**
 * Maximum number of shared codes, and their maximum total size: each code counts as the whole first account that had it. A wallet's code has
 * a few hundred bytes, but anybody can deploy megabytes.
 */
const CODES = 1_024
const BYTES = 8 * 1024 * 1024
/** Maximum size of an account whose code is shared. A code of 60,000 cells takes 0.1 s to copy, and hardly two accounts have the same one. */
const MAX_ACCOUNT_BYTES = 256 * 1024

/**
 * Returns a function that replaces the code of an account by the shared cells of an equal code. Each parsed account has its own copy of its code, but most
 * accounts are wallets of a few versions, so sharing saves memory. The account must have all of its cells. `bytes` is its estimated memory. It is
 * needed for accounts that an attacker may have made, because the code of a large account is not shared.
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
