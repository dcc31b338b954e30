import { createPauses, endSteps, runSteps } from '../../../base/yield.ts'
import { serializeBoc, serializeBocInTurns } from '../../../cell/boc.ts'
import { uniqueCells, WHOLE_STATE } from '../../../cell/budget.ts'
import type { Cell } from '../../../cell/cell.ts'
import { recordUsage } from '../../../cell/merkle.ts'
import { loadBlock } from '../../../tlb/block/block.ts'
import { type BlockInfo, loadBlockInfo } from '../../../tlb/block/block-info.ts'

/* Makes proofs by recording which cells are read. The cost depends on the number of cells read, not on the size of the tree. */

/**
 * Runs `read` and proves the cells that `read` visits. Cells that `read` returns would still record reads, so it must return hashes, values, or `untracked`
 * cells.
 */
export const prove = <T>(root: Cell, read: (root: Cell) => T): { readonly proof: Cell; readonly value: T } => {
  const usage = recordUsage(root)
  const value = read(usage.root)
  return { proof: usage.proof(), value }
}

/** Like `prove`, with pauses between the steps of `read`, for cells that can be as many as an account's. */
export const proveInTurns = async (root: Cell, read: (root: Cell) => Generator<void, void>, signal: AbortSignal): Promise<Uint8Array> => {
  const usage = recordUsage(root)
  await runSteps(read(usage.root), signal)
  return bocInTurns(await runSteps(usage.proofSteps(), signal), signal)
}

/** Reads all cells, one in each step. */
export function* readAllSteps(cell: Cell): Generator<void, void> {
  for (const _ of uniqueCells([cell], { cells: WHOLE_STATE })) yield
}

export const readAll = (cell: Cell): void => endSteps(readAllSteps(cell))

/** Reads the cells that a header check needs: the block, its info with references to other blocks, and the new state's side of the state update. */
export const readHeader = (root: Cell): BlockInfo => {
  const block = loadBlock(root)
  const info = loadBlockInfo(block.info)
  void [info.prev, info.masterRef, info.prevVert]
  void block.stateUpdate.ref(1)
  return info
}

export const proveHeader = (blockRoot: Cell): Cell => prove(blockRoot, readHeader).proof

export const boc = (roots: Cell | readonly Cell[]): Uint8Array => serializeBoc(roots, { crc32c: false })

/**
 * Serializes an account, a state or transactions with pauses. Rejects with CellError `budget` if there are more than `maxCells` cells.
 */
export const bocInTurns = async (roots: Cell | readonly Cell[], signal: AbortSignal, maxCells?: number): Promise<Uint8Array> => {
  const bytes = await serializeBocInTurns([roots].flat(), signal, { crc32c: false, maxCells })
  // Yields, because a client in the same process parses the answer synchronously.
  await createPauses()()
  return bytes
}

export const NO_BYTES = new Uint8Array(0)
