import type { Cell } from '../cell/cell.ts'

/*
 * Whether code may look at PREVBLOCKSINFO. The tuple is some 250 cells, which the emulator hashes anew in every run: three quarters of the time of a
 * small get-method, for something that hardly any contract reads. Instructions stand at any bit within the leaves of a method dictionary, so every
 * bit is tried; what is found by chance costs time only.
 */

/** PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100. */
const PREV_BLOCKS = [0xf83400, 0xf83401, 0xf83402]
/** PREVBLOCKSINFOTUPLE, which is GETPARAM 13. */
const PREV_BLOCKS_TUPLE = 0xf82d
/** Code of more cells than this is not searched. */
const MAX_CELLS = 4_096

const cellHasThem = (cell: Cell): boolean => {
  const data = cell.data()
  let window = 0
  for (let i = 0; i < cell.bits; i += 1) {
    window = ((window << 1) | ((data[i >>> 3]! >>> (7 - (i & 7))) & 1)) & 0xffffff
    if (i >= 15 && (window & 0xffff) === PREV_BLOCKS_TUPLE) return true
    if (i >= 23 && PREV_BLOCKS.includes(window)) return true
  }
  return false
}

/** Whether an instruction that reads PREVBLOCKSINFO stands anywhere in a tree of cells. */
export const mayReadPrevBlocks = (code: Cell): boolean => {
  const seen = new Set<string>()
  const stack = [code]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const key = cell.hashKey()
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > MAX_CELLS || cellHasThem(cell)) return true
    for (let i = 0; i < cell.refCount; i += 1) stack.push(cell.ref(i))
  }
  return false
}
