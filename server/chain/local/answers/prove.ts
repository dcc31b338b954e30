import { serializeBoc } from '../../../cell/boc.ts'
import type { Cell } from '../../../cell/cell.ts'
import { recordUsage } from '../../../cell/merkle.ts'
import { loadBlock } from '../../../tlb/block/block.ts'
import { type BlockInfo, loadBlockInfo } from '../../../tlb/block/block-info.ts'

/* Proofs by recording what is read: the cost is that of the cells on the way, whatever hangs below them. */

/** Reads a tree and proves what was read. Cells in the answer still record: take hashes and values, not cells to be read later. */
export const prove = <T>(root: Cell, read: (root: Cell) => T): { readonly proof: Cell; readonly value: T } => {
  const usage = recordUsage(root)
  const value = read(usage.root)
  return { proof: usage.proof(), value }
}

/** Reads all of a tree. */
export const readAll = (cell: Cell, seen = new Set<string>()): void => {
  const key = cell.hashKey()
  if (seen.has(key)) return
  seen.add(key)
  for (let i = 0; i < cell.refCount; i += 1) readAll(cell.ref(i), seen)
}

/** Reads what a header check needs: the block, its info with the references to other blocks, and where the state update leads. */
export const readHeader = (root: Cell): BlockInfo => {
  const block = loadBlock(root)
  const info = loadBlockInfo(block.info)
  void [info.prev, info.masterRef, info.prevVert]
  void block.stateUpdate.ref(1)
  return info
}

/** Block -> hash of the state after it. */
export const proveHeader = (blockRoot: Cell): Cell => prove(blockRoot, readHeader).proof

/** BoC as a lite-server sends it. */
export const boc = (roots: Cell | readonly Cell[]): Uint8Array => serializeBoc(roots, { crc32c: false })

export const NO_BYTES = new Uint8Array(0)
