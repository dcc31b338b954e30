import type { Cell } from '../../../../cell/cell.ts'
import { compact, dataOf, withRefs } from '../../../../cell/copy.ts'
import { SOLID } from '../../../../cell/layout.ts'
import { loadAccount } from '../../../../tlb/state/account.ts'
import { exists, type Keep } from './lanes.ts'

/** Codes that new accounts are likely to share. */
const CODES = 1024

/**
 * `cell` with everything in it that stands at the same place in `old` taken from there. Small accounts come as cells without hashes and are compared by
 * their data, so that an unchanged code is not even hashed; large ones come with all their hashes.
 */
const shareWith = (root: Cell, before: Cell): Cell => {
  const done = new Map<Cell | string, Cell>()
  const visit = (cell: Cell, old: Cell): Cell => {
    const hashed = (cell.meta & SOLID) === 0
    const key = hashed ? cell.hashKey() : cell
    if (hashed && key === old.hashKey()) return old
    const known = done.get(key)
    if (known !== undefined) return known
    const refs: Cell[] = []
    let same = cell.refCount === old.refCount
    let changed = false
    for (let i = 0; i < cell.refCount; i++) {
      const ref = cell.ref(i)
      const other = i < old.refCount ? old.ref(i) : undefined
      const kept = other === undefined ? ref : visit(ref, other)
      if (kept !== ref) changed = true
      if (kept !== other) same = false
      refs.push(kept)
    }
    const equal = same && cell.bits === old.bits && cell.type === old.type && dataOf(cell) === dataOf(old)
    const result = equal ? old : changed ? withRefs(cell, refs, hashed ? cell.hashKey() : undefined) : cell
    done.set(key, result)
    return result
  }
  return visit(root, before)
}

/**
 * Makes accounts fit to stay in the state: copied out of the bags they came in, what did not change since before as the very same cells, and accounts of
 * one code sharing it, also across blocks.
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
    if (exists(before)) return compact(shareWith(account, before))
    const state = exists(account) ? loadAccount(account)?.state : undefined
    const code = state?.type === 'active' ? state.init.code : undefined
    if (code === undefined) return compact(account)
    const refs = Array.from({ length: account.refCount }, (_, i) => (account.ref(i) === code ? known(code) : account.ref(i)))
    return compact(withRefs(account, refs))
  }
}
