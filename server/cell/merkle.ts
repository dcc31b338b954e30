import { endSteps } from '../base/yield.ts'
import { dictPathOf } from './absent.ts'
import { beginCell } from './builder.ts'
import { type ByteString, Cell, isMerkle, untracked } from './cell.ts'
import { compact, replacementOf, withRefs } from './copy-cells.ts'
import { CellError } from './error.ts'
import { LEVEL, MERKLE_PROOF, MERKLE_UPDATE, maskOf, POPCOUNT, PRUNED, packMeta, refsOf, SOLID, typeOf } from './meta-word.ts'
import { UsageRecorder } from './usage.ts'

/*
 * Merkle proofs and updates. The Merkle depth `d` of a cell is the number of Merkle cells above it. A pruned branch at Merkle depth d has level d + 1. The
 * hash of a cell at level d does not change when cells below it are pruned.
 */

const stubBytes = Buffer.alloc(2 + 3 * 34)

/**
 * Returns the pruned branch that replaces a cell under `merkleDepth` Merkle cells. A cell without references is returned unchanged, because pruning saves
 * little.
 */
const prune = (cell: Cell, merkleDepth: number): Cell => {
  if (refsOf(cell.meta) === 0) return cell
  const mask = maskOf(cell.meta)
  if (LEVEL[mask]! > merkleDepth) {
    throw new CellError('proof', `a cell of level ${LEVEL[mask]} cannot be pruned under ${merkleDepth} Merkle cells`)
  }
  if (merkleDepth >= 3) throw new CellError('proof', 'more than three Merkle cells on one path')
  const stubMask = mask | (1 << merkleDepth)
  const count = POPCOUNT[stubMask]!
  stubBytes[0] = PRUNED
  stubBytes[1] = stubMask
  for (let level = 0, slot = 0; level <= merkleDepth; level++) {
    if ((stubMask & (1 << level)) === 0) continue
    stubBytes.write(cell.hashKey(level), 2 + 32 * slot, 32, 'latin1')
    stubBytes.writeUInt16BE(cell.depth(level), 2 + 32 * count + 2 * slot++)
  }
  const meta = packMeta(16 + 272 * count, 0, PRUNED, stubMask, 0) | SOLID
  return new Cell(meta, stubBytes.toString('latin1', 0, 2 + 34 * count), undefined, undefined, undefined, undefined, undefined)
}

const merkleProofOf = (child: Cell): Cell =>
  beginCell().storeUint(MERKLE_PROOF, 8).storeBytes(child.hash(0)).storeUint(child.depth(0), 16).storeRef(child).endExotic()

/** Copies and prunes a tree. Each cell of `bottomUp` is a step. It comes before the cells that refer to it, so that no step enters a whole tree. */
function* pruneSteps(root: Cell, keep: (cell: Cell) => boolean, bottomUp: readonly Cell[] = []): Generator<void, Cell> {
  const done: Map<ByteString, Cell>[] = [new Map(), new Map(), new Map(), new Map()]
  const visit = (view: Cell, depth: number): Cell => {
    const cell = untracked(view)
    const key = cell.hashKey()
    const copied = done[depth]!.get(key)
    if (copied !== undefined) return copied
    const result = keep(cell) ? copy(cell, depth) : prune(cell, depth)
    done[depth]!.set(key, result)
    return result
  }
  const copy = (cell: Cell, depth: number): Cell => {
    const count = refsOf(cell.meta)
    const below = isMerkle(cell) ? depth + 1 : depth
    const refs: Cell[] = []
    let same = true
    for (let i = 0; i < count; i++) {
      const child = untracked(cell.ref(i))
      const copied = visit(child, below)
      if (copied !== child) same = false
      refs.push(copied)
    }
    return same ? cell : replacementOf(cell, refs, depth)
  }
  for (const cell of bottomUp) {
    yield
    // A cell above level 0 is below a Merkle cell, which it is copied with.
    if (maskOf(cell.meta) === 0) visit(cell, 0)
  }
  return visit(root, 0)
}

const pruneTree = (root: Cell, keep: (cell: Cell) => boolean): Cell => endSteps(pruneSteps(root, keep))

/** Returns a tree with its absent cells replaced by pruned branches, so that it can be serialized. Its `hash(0)` is that of the complete tree. */
export const pruneAbsent = (root: Cell): Cell => pruneTree(root, (cell) => dictPathOf(cell) === undefined)

const requirePlain = (cell: Cell, what: string): void => {
  if (maskOf(cell.meta) !== 0) throw new CellError('proof', `${what} of level ${cell.level}: it has pruned branches of its own`)
}

/** @internal Makes a Merkle proof cell that keeps the cells for which `keep` returns true, and prunes the others. `keep` is called from the root down. */
export const makeProof = (root: Cell, keep: (cell: Cell) => boolean): Cell => {
  requirePlain(root, 'a proof of a cell')
  return merkleProofOf(pruneTree(root, keep))
}

/** Starts to record the reads of a tree. Reads through a new cell that refers to cells of this tree are recorded too. */
export const recordUsage = (root: Cell) => {
  const recorder = new UsageRecorder()
  const plain = untracked(root)
  const keys = new Set<ByteString>()
  const seen = (): Set<ByteString> => {
    for (const cell of recorder.seen) keys.add(cell.hashKey())
    recorder.seen.clear()
    return keys
  }
  return {
    /** The root to read from. Reads of this cell, and of cells reached from it, are recorded. */
    root: recorder.track(plain),
    /** Returns a Merkle proof cell with the cells that were read so far. All other cells are pruned. */
    proof: (): Cell => {
      const read = seen()
      return makeProof(plain, (cell) => read.has(cell.hashKey()))
    },
    /** The same in steps. A cell is deeper than the cells that it refers to. */
    *proofSteps(): Generator<void, Cell> {
      requirePlain(plain, 'a proof of a cell')
      const bottomUp = [...recorder.seen].sort((a, b) => a.depth(0) - b.depth(0))
      const read = seen()
      return merkleProofOf(yield* pruneSteps(plain, (cell) => read.has(cell.hashKey()), bottomUp))
    },
    used: (cell: Cell): boolean => seen().has(cell.hashKey()),
  }
}

/**
 * Opens a Merkle proof and returns its child. `hash(0)` and `depth(0)` of the child are those of the proven tree. A read of a part that is not in the proof
 * throws CellError `pruned`. The hash and depth in the proof cell are not checked again, because they were checked when the cell was made. Throws CellError
 * `proof` for a cell of another type or above level 0.
 */
export const openProof = (proof: Cell): Cell => {
  if (typeOf(proof.meta) !== MERKLE_PROOF) throw new CellError('proof', `a Merkle proof is expected, this is a cell of type ${proof.type}`)
  requirePlain(proof, 'a Merkle proof')
  return proof.ref(0)
}

const openUpdate = (update: Cell): [Cell, Cell] => {
  if (typeOf(update.meta) !== MERKLE_UPDATE)
    throw new CellError('proof', `a Merkle update is expected, this is a cell of type ${update.type}`)
  requirePlain(update, 'a Merkle update')
  return [update.ref(0), update.ref(1)]
}

/**
 * @internal Applies a Merkle update and returns the new tree. If the old tree is an opened proof, the new tree has pruned branches too. The new tree shares
 * unchanged cells with the old tree, and does not keep the parsed update in memory. Throws CellError `proof` if the update does not fit the old tree, `pruned`
 * if the update needs a part that is pruned in the old tree.
 */
export const applyUpdate = (oldRoot: Cell, update: Cell): Cell => {
  const [from, to] = openUpdate(update)
  if (from.hashKey(0) !== oldRoot.hashKey(0)) throw new CellError('proof', `the update does not begin at the tree ${oldRoot.hashHex()}`)
  const originals = new Map<ByteString, Cell>()
  // New cells may be shared with cells of a complete old tree, but not with cells of a tree that has pruned branches.
  const whole = maskOf(oldRoot.meta) === 0 ? originals : new Map<ByteString, Cell>()
  const entered: Set<ByteString>[] = [new Set(), new Set(), new Set(), new Set()]
  /** Collects the old cells that the update refers to, by their hash at their Merkle depth. */
  const collect = (original: Cell, pruned: Cell, depth: number): void => {
    const key = pruned.hashKey()
    if (entered[depth]!.has(key)) return
    entered[depth]!.add(key)
    originals.set(pruned.hashKey(depth), original)
    if (typeOf(pruned.meta) === PRUNED) return
    if (typeOf(original.meta) === PRUNED) throw new CellError('pruned', 'the update changes a part that is pruned in the old tree')
    const below = isMerkle(pruned) ? depth + 1 : depth
    for (let i = 0; i < refsOf(pruned.meta); i++) collect(original.ref(i), pruned.ref(i), below)
  }
  collect(oldRoot, from, 0)
  const done: Map<ByteString, Cell>[] = [new Map(), new Map(), new Map(), new Map()]
  const restore = (cell: Cell, depth: number): Cell => {
    const { meta } = cell
    // The update pruned nothing below this cell, so all cells here are new. They are copied, because otherwise they would keep the table of their block alive.
    if (LEVEL[maskOf(meta)]! <= depth) return compact(cell, whole)
    if (typeOf(meta) === PRUNED) {
      const original = originals.get(cell.hashKey(depth))
      if (original === undefined) throw new CellError('proof', 'the update leaves out a cell that the old tree does not have')
      const below = (1 << depth) - 1
      if (original.depth(depth) !== cell.depth(depth) || ((maskOf(original.meta) ^ maskOf(meta)) & below) !== 0) {
        throw new CellError('proof', 'the update leaves out a cell with another depth or level than the old tree has')
      }
      return original
    }
    const key = cell.hashKey()
    const ready = done[depth]!.get(key)
    if (ready !== undefined) return ready
    const below = isMerkle(cell) ? depth + 1 : depth
    const refs: Cell[] = []
    for (let i = 0; i < refsOf(meta); i++) refs.push(restore(cell.ref(i), below))
    const restored = withRefs(cell, refs, cell.hashKey(depth))
    done[depth]!.set(key, restored)
    return restored
  }
  return restore(to, 0)
}

interface Frontier {
  readonly byDepth: Map<ByteString, Cell>[]
  size: number
}

const enqueue = (frontier: Frontier, view: Cell): void => {
  const cell = untracked(view)
  if (refsOf(cell.meta) === 0) return
  const depth = cell.depth()
  frontier.byDepth[depth] ??= new Map()
  const bucket = frontier.byDepth[depth]!
  const before = bucket.size
  bucket.set(cell.hashKey(), cell)
  frontier.size += bucket.size - before
}

/**
 * Finds the cells that two trees share, the old cells that lead to shared cells or are in `keepOpen`, and the new cells (`made`). Equal cells have equal
 * depths, so both trees are walked together, from the largest depth down. A cell that both trees have at a depth is shared. The children of any other cell are
 * compared at their depths. `leads` and `made` begin at the smallest depth.
 */
function* compareTrees(
  from: Cell,
  to: Cell,
  keepOpen: ReadonlySet<ByteString>,
): Generator<void, { leads: Map<ByteString, Cell>; shared: Set<ByteString>; made: Cell[] }> {
  const old: Frontier = { byDepth: [], size: 0 }
  const fresh: Frontier = { byDepth: [], size: 0 }
  enqueue(old, from)
  enqueue(fresh, to)
  const shared = new Set<ByteString>()
  const opened: Cell[] = []
  const made: Cell[] = []
  // Cells without references are never pruned, so they are not compared. Only absent cells are compared at depth 0.
  for (let depth = Math.max(from.depth(), to.depth()); depth >= 0 && fresh.size > 0; depth--) {
    const olds = old.byDepth[depth]
    const news = fresh.byDepth[depth]
    if (news !== undefined) {
      fresh.size -= news.size
      for (const [key, cell] of news) {
        yield
        if (olds?.has(key)) {
          shared.add(key)
          continue
        }
        made.push(cell)
        for (let i = refsOf(cell.meta) - 1; i >= 0; i--) enqueue(fresh, cell.ref(i))
      }
    }
    if (olds !== undefined) {
      old.size -= olds.size
      for (const [key, cell] of olds) {
        yield
        // An absent cell that the new tree does not have is pruned in the old tree, because its children are unknown.
        if (shared.has(key) || dictPathOf(cell) !== undefined) continue
        opened.push(cell)
        for (let i = refsOf(cell.meta) - 1; i >= 0; i--) enqueue(old, cell.ref(i))
      }
    }
  }
  const leads = new Map<ByteString, Cell>()
  for (const cell of opened.reverse()) {
    yield
    if (keepOpen.has(cell.hashKey())) leads.set(cell.hashKey(), cell)
    for (let i = refsOf(cell.meta) - 1; i >= 0; i--) {
      const key = cell.ref(i).hashKey()
      if (shared.has(key) || leads.has(key)) {
        leads.set(cell.hashKey(), cell)
        break
      }
    }
  }
  return { leads, shared, made: made.reverse() }
}

/**
 * Makes a Merkle update from one tree to another, one cell in each step. Subtrees that both trees have are pruned on both sides. So the walk enters only the
 * cells that differ. `keepOld` lists cells of the old tree that stay unpruned, because readers of the update need them. Cells that the new tree also has are pruned in any case.
 */
export function* updateSteps(oldRoot: Cell, newRoot: Cell, keepOld: readonly Cell[] = []): Generator<void, Cell> {
  requirePlain(oldRoot, 'the old tree')
  requirePlain(newRoot, 'the new tree')
  const from = untracked(oldRoot)
  const to = untracked(newRoot)
  const { leads, shared, made } = yield* compareTrees(from, to, new Set(keepOld.map((cell) => cell.hashKey())))
  const left = yield* pruneSteps(from, (cell) => leads.has(cell.hashKey()), [...leads.values()])
  const right = yield* pruneSteps(to, (cell) => !shared.has(cell.hashKey()), made)
  return beginCell()
    .storeUint(MERKLE_UPDATE, 8)
    .storeBytes(left.hash(0))
    .storeBytes(right.hash(0))
    .storeUint(left.depth(0), 16)
    .storeUint(right.depth(0), 16)
    .storeRef(left)
    .storeRef(right)
    .endExotic()
}
