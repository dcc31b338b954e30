import { absentCell, type DictPath } from '../../../cell/absent.ts'
import { bitAt, putBit } from '../../../cell/bitpath.ts'
import { spendCell } from '../../../cell/budget.ts'
import type { Cell } from '../../../cell/cell.ts'
import { compact, withRefs } from '../../../cell/copy-cells.ts'
import { checkFork, pathBuffer } from '../../../cell/hashmap.ts'
import { readLabel } from '../../../cell/label.ts'
import { skipDepthBalance } from '../../../tlb/state/shard-account.ts'
import { must } from '../../proofs/error.ts'
import type { FoundCell } from '../store/fetched-log.ts'
import { TREE } from './dictionary-paths.ts'

/* Converts the proof of a path in a dictionary with 256-bit keys into cells of level 0. Pruned branches become absent cells. */

const KEY_BITS = 256
const WHAT = 'fork'
/** Maximum number of dictionary nodes in one proof, including siblings. A proof contains the paths to 16 keys at most. */
const MAX_NODES = 2 * 17 * (KEY_BITS + 1)

const keyOfPath = (path: Uint8Array, count: number): string => {
  const key = Buffer.alloc(KEY_BITS / 8)
  for (let i = 0; i < count; i++) putBit(key, i, bitAt(path, i))
  return key.toString('latin1')
}

/** Copies a cell that is not a node of the dictionary. In the copy absent cells replace pruned branches. A cell that occurs several times is copied once. */
const graftOther = (cell: Cell, at: DictPath, made = new Map<string, Cell>()): Cell => {
  const hash = cell.hashKey(0)
  if (cell.level === 0) return compact(cell)
  if (cell.type === 'pruned') return absentCell(hash, cell.depth(0), at)
  const key = cell.hashKey()
  const grafted = made.get(key)
  if (grafted !== undefined) return grafted
  const refs = Array.from({ length: cell.refCount }, (_, i) => graftOther(cell.ref(i), at, made))
  const whole = withRefs(cell, refs, hash)
  made.set(key, whole)
  return whole
}

/** Path for cells that no key leads to: extra currencies of a sum, or the publishers of a library. */
const NOWHERE: DictPath = { tree: TREE.nowhere, key: '\0'.repeat(KEY_BITS / 8) }

export interface Grafted {
  readonly root: Cell
  readonly found: ReadonlyMap<string, FoundCell>
}

/**
 * Copies the part of a dictionary that a checked proof contains. In the copy absent cells replace pruned branches. The proof prunes the account or library
 * in each value. This cell is taken from `sent` by its hash; if it was not sent, it becomes an absent cell. Throws ProofError or CellError if the cells are
 * not a dictionary.
 */
export const graft = (root: Cell, tree: number, sent: ReadonlyMap<string, Cell>): Grafted => {
  const path = pathBuffer(KEY_BITS)
  const found = new Map<string, FoundCell>()
  const graftValue = (cell: Cell, at: DictPath): Cell => {
    const hash = cell.hashKey(0)
    const whole = sent.get(hash) ?? (cell.level === 0 ? cell : undefined)
    if (whole === undefined) return graftOther(cell, at)
    const compacted = compact(whole)
    found.set(hash, { cell: compacted, at })
    return compacted
  }
  const budget = { cells: MAX_NODES }
  const visit = (cell: Cell, at: number): Cell => {
    spendCell(budget)
    const hash = cell.hashKey(0)
    const where = { tree, key: keyOfPath(path, at) }
    if (cell.type === 'pruned') {
      must(cell.depth(0) > 0, WHAT, 'a node of a dictionary without references')
      return absentCell(hash, cell.depth(0), where)
    }
    const s = cell.slice()
    const end = at + readLabel(s, KEY_BITS - at, path, at)
    const refs: Cell[] = []
    if (end < KEY_BITS) {
      checkFork(s, false)
      for (const bit of [0, 1]) {
        putBit(path, end, bit)
        refs.push(visit(cell.ref(bit), end + 1))
      }
    } else {
      // depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection precedes the account.
      if (tree !== TREE.libraries) skipDepthBalance(s)
      const valueAt = cell.refCount - s.remainingRefs
      while (refs.length < valueAt) refs.push(graftOther(cell.ref(refs.length), NOWHERE))
      if (valueAt < cell.refCount) refs.push(graftValue(cell.ref(valueAt), { tree, key: keyOfPath(path, KEY_BITS) }))
    }
    while (refs.length < cell.refCount) refs.push(graftOther(cell.ref(refs.length), NOWHERE))
    const made = withRefs(cell, refs, hash)
    found.set(hash, { cell: made, at: where })
    return made
  }
  return { root: visit(root, 0), found }
}
