import { parseBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { openProof } from '../../cell/merkle.ts'
import { must, proving } from './error.ts'

/** The roots of a BoC that must have exactly `count` of them. */
const bocRoots = (boc: Uint8Array, count: number, what: string): readonly Cell[] => {
  const roots = proving(what, () => parseBoc(boc, { proofs: true }))
  must(roots.length === count, what, () => `${roots.length} roots instead of ${count}`)
  return roots
}

/** What a BoC of one Merkle proof proves: the tree with pruned branches, whose `hash(0)` is the proven hash. */
export const proofRoot = (boc: Uint8Array, what: string): Cell => proving(what, () => openProof(bocRoots(boc, 1, what)[0]!))

/** What a BoC of two Merkle proofs proves (block first, then state). */
export const twoProofRoots = (boc: Uint8Array, what: string): readonly [Cell, Cell] => {
  const [first, second] = bocRoots(boc, 2, what)
  return proving(what, () => [openProof(first!), openProof(second!)])
}

/** Throws unless nothing was cut out of a tree: what is taken out of a proof to be used or sent on must be all there. */
export const mustBeWhole = (root: Cell, what: string): Cell => {
  must(root.level === 0, what, 'parts of it are pruned')
  return root
}
