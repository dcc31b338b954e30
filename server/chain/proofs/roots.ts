import { endSteps } from '../../base/yield.ts'
import { parseBocRootSteps, parseBocSteps } from '../../cell/boc.ts'
import { type Budget, MAX_ACCOUNT_CELLS } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { openProof } from '../../cell/merkle.ts'
import { must, proving, provingSteps } from './error.ts'

/*
 * Limits the number of cells of each BoC to what no valid answer reaches. An answer of 16 MiB can contain three million small cells, and hashing them
 * before the check would take four seconds. Blocks have no limit, because their file hash is checked first. Accounts, lists, configurations and states, which
 * may be large, are parsed in steps.
 */

/**
 * Maximum number of cells of an account, a library or a configuration. No valid account has more than MAX_ACCOUNT_CELLS, and no configuration has more than
 * this limit.
 */
export const MAX_ANSWER_CELLS = 2 * MAX_ACCOUNT_CELLS
/** A cell of an account has at most three hashes, because at most two Merkle cells are above it. */
const MAX_ANSWER_HASHES = 3 * MAX_ACCOUNT_CELLS
/**
 * Maximum number of hashes that are checked in one event-loop turn: those of a proof, or of all proofs of a state or of a lookup together. An answer of
 * 16 MiB could have a hundred times as many. The largest valid proofs prove a thousand validators, or the paths to 256 transactions: five thousand cells of
 * at most two hashes. A parser takes from `cells` as many as a cell has hashes.
 */
export const proofBudget = (): Budget => ({ cells: 1 << 14 })
/** Maximum number of cells of a list of transactions: a block of 4 MiB, the most that validators accept, divided by 8 bytes for each cell. */
const MAX_LIST_CELLS = 1 << 19
/** Maximum number of cells of a complete state. A state of this size needs 16 MiB (16 bytes for each cell), the maximum length of an answer. */
const MAX_STATE_CELLS = 1 << 20

/** Parses a BoC with one root and at most MAX_ANSWER_CELLS cells. */
export const answerSteps = (boc: Uint8Array): Generator<void, Cell> =>
  parseBocRootSteps(boc, { maxCells: MAX_ANSWER_CELLS, budget: { cells: MAX_ANSWER_HASHES } })

/** Parses BoCs with one root each. All of them together have at most MAX_ANSWER_CELLS cells. */
export function* answerRoots(bocs: readonly Uint8Array[]): Generator<void, readonly Cell[]> {
  const budget = { cells: MAX_ANSWER_CELLS }
  const roots: Cell[] = []
  for (const boc of bocs) {
    roots.push(yield* parseBocRootSteps(boc, { budget }))
    yield
  }
  return roots
}

export const listedRoots = (boc: Uint8Array): Generator<void, readonly Cell[]> => parseBocSteps(boc, { maxCells: MAX_LIST_CELLS })

export const stateRoot = (boc: Uint8Array): Generator<void, Cell> => parseBocRootSteps(boc, { maxCells: MAX_STATE_CELLS })

function* treeSteps(boc: Uint8Array, count: number, what: string, budget: Budget): Generator<void, readonly Cell[]> {
  const roots = yield* provingSteps(what, parseBocSteps(boc, { proofs: true, budget }))
  must(roots.length === count, what, () => `${roots.length} roots instead of ${count}`)
  return proving(what, () => roots.map((root) => openProof(root)))
}

/** The tree that a BoC of one Merkle proof proves. The tree has pruned branches, and its `hash(0)` is the proven hash. */
export function* provenTreeSteps(boc: Uint8Array, what: string, budget = proofBudget()): Generator<void, Cell> {
  return (yield* treeSteps(boc, 1, what, budget))[0]!
}
/** As provenTreeSteps, at once. Proofs without a given budget have one each. */
export const proofRoot = (boc: Uint8Array, what: string, budget?: Budget): Cell => endSteps(provenTreeSteps(boc, what, budget))

/** The trees that a BoC of two Merkle proofs proves: the block, then the state. */
export const twoProofRoots = (boc: Uint8Array, what: string): readonly [Cell, Cell] => {
  const [first, second] = endSteps(treeSteps(boc, 2, what, proofBudget()))
  return [first!, second!]
}

/** Throws if a tree has pruned branches. Parts of a proof that are used or sent on must be complete. */
export const mustBeWhole = (root: Cell, what: string): Cell => {
  must(root.level === 0, what, 'parts of it are pruned')
  return root
}
