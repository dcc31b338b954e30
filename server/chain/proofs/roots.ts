import { cellsInBoc, parseBoc, parseBocRoot, parseBocRootSteps, parseBocSteps } from '../../cell/boc.ts'
import { MAX_ACCOUNT_CELLS } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { openProof } from '../../cell/merkle.ts'
import { must, proving } from './error.ts'

/*
 * An answer of 16 MiB can hold three million small cells. Their hashes take four seconds, and only then can the answer be checked. So each bag has a limit
 * that no valid answer reaches. Blocks have none: their file hash is checked first. What may be large all the same is read in steps.
 */

/** Cells of an account, a library or a configuration. An account has MAX_ACCOUNT_CELLS at most, and no configuration has more. */
export const MAX_ANSWER_CELLS = 2 * MAX_ACCOUNT_CELLS
/**
 * Cells of a proof. An answer has up to twelve, all checked in one turn of the event loop. The largest valid ones show a thousand validators, or the paths to
 * 256 transactions: five thousand cells.
 */
const MAX_PROOF_CELLS = 1 << 14
/** Cells of a list of transactions: those of a block of 4 MiB, the most that validators accept, with 8 bytes each. */
const MAX_LIST_CELLS = 1 << 19
/** Cells of a whole state: as many as a file of a state may have. An answer has room for 16 bytes each. */
const MAX_STATE_CELLS = 1 << 20

/** The root of the bag of an answer that is hashed before it is checked. */
export const answerRoot = (boc: Uint8Array): Cell => parseBocRoot(boc, { maxCells: MAX_ANSWER_CELLS })

/** The roots of several bags of one answer. Their cells have the limit of one together. */
export const answerRoots = (bocs: readonly Uint8Array[]): readonly Cell[] => {
  let maxCells = MAX_ANSWER_CELLS
  return bocs.map((boc) => {
    const root = parseBocRoot(boc, { maxCells })
    maxCells -= cellsInBoc(boc)
    return root
  })
}

/** The transactions of a list. */
export const listedRoots = (boc: Uint8Array): Generator<void, readonly Cell[]> => parseBocSteps(boc, { maxCells: MAX_LIST_CELLS })

/** The whole state of a shard. */
export const stateRoot = (boc: Uint8Array): Generator<void, Cell> => parseBocRootSteps(boc, { maxCells: MAX_STATE_CELLS })

/** The roots of a BoC. Throws unless there are exactly `count`. */
const bocRoots = (boc: Uint8Array, count: number, what: string, maxCells = MAX_PROOF_CELLS): readonly Cell[] => {
  const roots = proving(what, () => parseBoc(boc, { proofs: true, maxCells }))
  must(roots.length === count, what, () => `${roots.length} roots instead of ${count}`)
  return roots
}

/** The tree that a BoC of one Merkle proof proves. It has pruned branches, and its `hash(0)` is the proven hash. */
export const proofRoot = (boc: Uint8Array, what: string, maxCells?: number): Cell =>
  proving(what, () => openProof(bocRoots(boc, 1, what, maxCells)[0]!))

/** The trees that a BoC of two Merkle proofs proves: the block, then the state. */
export const twoProofRoots = (boc: Uint8Array, what: string): readonly [Cell, Cell] => {
  const [first, second] = bocRoots(boc, 2, what)
  return proving(what, () => [openProof(first!), openProof(second!)])
}

/** Throws if a tree has pruned branches. A part of a proof that is used or sent on must be complete. */
export const mustBeWhole = (root: Cell, what: string): Cell => {
  must(root.level === 0, what, 'parts of it are pruned')
  return root
}
