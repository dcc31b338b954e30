import { Lru } from '../../base/memory/lru.ts'
import { countAtMost } from '../../cell/budget.ts'
import type { ByteString, Cell } from '../../cell/cell.ts'
import { compact } from '../../cell/copy-cells.ts'
import { LIBRARY, typeOf } from '../../cell/meta-word.ts'
import type { Slice } from '../../cell/slice.ts'
import { Block, decoded } from './decoded-code.ts'
import { forgetMethods } from './method-cache.ts'

/**
 * Maximum number of code cells that are cached by hash, and of all cells below them. The least recently used cell is removed first. A decoded cell takes at
 * most a few kilobytes.
 */
const MAX_BLOCKS = 1024
const MAX_CELLS = 65_536
/** Maximum number of cells of a tree that is copied for the cache. For 126 gas (CTOS BLESS) any cell becomes code, even with 60,000 cells below it. */
const MAX_COPIED = 256
/**
 * Maximum size of decoded code, about 40 MB, before the caches are emptied. An account may have 60,000 cells of code. Decoded, they take up to three hundred
 * times as much and stay in memory with the account, and a run for each of them costs little gas.
 */
const MAX_DECODED = 500_000

/*
 * Decoded code of whole cells. The first cache is by cell object: it is fast, and its entries are freed with the cells. The second cache is by hash and
 * version, for small code that is parsed again each time.
 */
let byCell = new WeakMap<Cell, Block>()
const byHash = new Lru<ByteString, Block>({ max: MAX_BLOCKS, maxSize: MAX_CELLS })

/** Empties the caches. Must be called when an embedded chain is closed, because cached cells can still read from its closed log. */
export const forgetCode = (): void => {
  byCell = new WeakMap()
  byHash.clear()
  forgetMethods()
  decoded.size = 0
}

/** `slice` must be the whole slice of `cell`. */
export const blockOfCell = (cell: Cell, slice: Slice, version: number): Block => {
  const cached = byCell.get(cell)
  if (cached !== undefined && cached.version === version) return cached
  if (decoded.size > MAX_DECODED) forgetCode()
  const key = `${cell.hashKey()}${String.fromCharCode(version)}`
  let block = byHash.get(key)
  if (block === undefined) {
    const size = countAtMost([cell], MAX_COPIED)
    const isCached = size <= MAX_COPIED && cell.levelMask === 0
    // The block has a copy of the code, so that the BoC of the cell can be freed.
    block = new Block(isCached ? compact(cell).slice() : slice, version)
    if (isCached) byHash.set(key, block, { size })
  }
  byCell.set(cell, block)
  return block
}

/** The code of whole cells is cached; the code of other slices is decoded each time. */
export const blockOfSlice = (slice: Slice, version: number): Block => {
  const cell = slice.base
  const whole = slice.remainingBits === cell.bits && slice.remainingRefs === cell.refCount && typeOf(cell.meta) !== LIBRARY
  return whole && !cell.exotic ? blockOfCell(cell, slice, version) : new Block(slice, version)
}

/** A part of a decoded cell, such as the body of PUSHCONT. Its code is decoded at its first run. */
export class CodePart {
  readonly code: Slice
  readonly version: number
  private made: Block | undefined
  constructor(code: Slice, version: number) {
    this.code = code
    this.version = version
  }
  get block(): Block {
    this.made ??= new Block(this.code, this.version)
    return this.made
  }
}
