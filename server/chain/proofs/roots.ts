import { parseBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { openProof } from '../../cell/merkle.ts'
import { must, proving } from './error.ts'

/** The roots of a BoC. Throws unless there are exactly `count`. */
const bocRoots = (boc: Uint8Array, count: number, what: string): readonly Cell[] => {
  const roots = proving(what, () => parseBoc(boc, { proofs: true }))
  must(roots.length === count, what, () => `${roots.length} roots instead of ${count}`)
  return roots
}

/** The tree that a BoC of one Merkle proof proves. It has pruned branches, and its `hash(0)` is the proven hash. */
export const proofRoot = (boc: Uint8Array, what: string): Cell => proving(what, () => openProof(bocRoots(boc, 1, what)[0]!))

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
