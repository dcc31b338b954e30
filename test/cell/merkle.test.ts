import { describe, expect, it } from 'vitest'
import { parseBoc, parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { compact } from '../../server/cell/copy-cells.ts'
import { dictEntries, dictFromEntries, dictGet, dictSet } from '../../server/cell/dict.ts'
import { applyUpdate, makeProof, openProof, recordUsage, updateSteps } from '../../server/cell/merkle.ts'
import { wideTree } from '../kit/bombs.ts'
import { makeUpdate } from '../kit/make-update.ts'
import { fc } from '../kit/property.ts'
import { bytesOf, readChain } from './data.ts'
import { kindOf } from './kind.ts'

const dict = (keys: readonly number[], factor = 1): Cell =>
  dictFromEntries(
    16,
    [...new Set(keys)].map((key) => [BigInt(key), beginCell().storeUint(key * factor, 40)] as const),
  ) ?? EMPTY_CELL
const keys = fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 60 })
const stored = (cell: Cell): Cell => parseBocRoot(serializeBoc(cell))
const proven = (cell: Cell): string => Buffer.from(cell.hash(0)).toString('hex')

/** The number of steps in which an update is made. */
const countSteps = (from: Cell, to: Cell): number => [...updateSteps(from, to)].length

describe('Merkle proofs', () => {
  it('Merkle proofs keep the cells that were read and no others', () => {
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(0xffff), (all, pick, probe) => {
        const root = dict(all)
        const key = BigInt(all[pick % all.length]!)
        const usage = recordUsage(root)
        expect(dictGet(usage.root, 16, key)?.loadUint(40)).toBe(Number(key))
        const found = dictGet(usage.root, 16, BigInt(probe))?.loadUint(40)
        const opened = openProof(stored(usage.proof()))
        expect(proven(opened)).toBe(root.hashHex())
        expect(opened.depth(0)).toBe(root.depth())
        expect(dictGet(opened, 16, key)?.loadUint(40)).toBe(Number(key))
        expect(dictGet(opened, 16, BigInt(probe))?.loadUint(40)).toBe(found)
        // Any other key is found too, or its absence or its being cut out is noticed; never a wrong value.
        for (const other of all) {
          const kind = kindOf(() => expect(dictGet(opened, 16, BigInt(other))?.loadUint(40)).toBe(other))
          expect(['none', 'pruned']).toContain(kind)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('Merkle proofs can be made of everything and of nothing', () => {
    const root = dict([1, 2, 3, 500, 700])
    const whole = openProof(makeProof(root, () => true))
    expect(whole.hashHex()).toBe(root.hashHex())
    const bare = openProof(makeProof(root, () => false))
    expect(bare.type).toBe('pruned')
    expect(proven(bare)).toBe(root.hashHex())
    expect(kindOf(() => bare.slice())).toBe('pruned')
    expect(kindOf(() => [...dictEntries(bare, 16, { cells: 1e9 })])).toBe('pruned')
    expect(bare.sliceExotic().remainingBits).toBe(288)
    const recorded = recordUsage(root)
    expect(proven(openProof(recorded.proof()))).toBe(root.hashHex())
    expect(recorded.used(root)).toBe(false)
    recorded.root.slice()
    expect(recorded.used(root)).toBe(true)
  })

  it('Merkle proofs of many cells are made in steps, and are the same', () => {
    const [before, after] = [dict([1, 5, 9]), dict([1, 5, 10])]
    const update = beginCell().storeRef(makeUpdate(before, after)).storeRef(before).storeRef(after).end()
    const readAll = (cell: Cell): void => {
      for (let i = 0; i < cell.refCount; i++) readAll(cell.ref(i))
    }
    for (const root of [wideTree(2_000), dict([1, 2, 3, 500, 700]), update]) {
      for (const read of [readAll, (cell: Cell) => readAll(cell.ref(0)), () => {}]) {
        const usage = recordUsage(root)
        read(usage.root)
        const steps = usage.proofSteps()
        for (let count = 0; ; count++) {
          const step = steps.next()
          if (!step.done) continue
          expect(step.value.hashHex()).toBe(usage.proof().hashHex())
          if (read === readAll) expect(count).toBeGreaterThan(4)
          break
        }
      }
    }
  })

  it('Merkle proofs can be made of trees that hold Merkle cells', () => {
    // As in blocks: a block proof keeps the header, and a state update (two trees of level 1) is part of the block.
    const before = dict([1, 5, 9, 2000, 40_000], 1)
    const after = dictSet(before, 16, 9n, beginCell().storeUint(1, 40))
    const update = makeUpdate(before, after)
    const block = beginCell()
      .storeUint(0x11ef55aa, 32)
      .storeRef(update)
      .storeRef(dict([7, 8, 9]))
      .end()
    expect(block.level).toBe(0)
    for (const keep of [
      (cell: Cell) => cell.equals(block),
      (cell: Cell) => cell.equals(block) || cell.type === 'merkle-update',
      (cell: Cell) => cell.equals(block) || cell.type === 'merkle-update' || cell.level > 0,
      (cell: Cell) => cell.depth() > 1,
    ]) {
      const proof = stored(makeProof(block, keep))
      expect(proof.level).toBe(0)
      const opened = openProof(proof)
      expect(proven(opened)).toBe(block.hashHex())
      expect(opened.levelMask).toBe(1)
      const inner = opened.ref(0)
      expect(Buffer.from(inner.hash(0)).toString('hex')).toBe(update.hashHex())
    }
  })

  it('proofs of proofs can be made up to the deepest level', () => {
    const root = dict(Array.from({ length: 64 }, (_, i) => i * 1021))
    const depth = root.depth()
    // The first keeps the two topmost rows, so that its cells are of level 1; the second prunes the lower of them, the third the root itself.
    const first = makeProof(root, (cell) => cell.depth() >= depth - 1)
    const top = first.ref(0)
    expect([top.levelMask, top.ref(0).levelMask]).toEqual([1, 1])
    const second = makeProof(first, (cell) => cell === first || cell === top)
    const stub = second.ref(0).ref(0).ref(0)
    expect([stub.type, stub.levelMask, second.ref(0).levelMask]).toEqual(['pruned', 0b11, 1])
    expect(stub.hash(0)).toEqual(root.ref(0).hash())
    expect(stub.hash(1)).toEqual(top.ref(0).hash())
    expect(stub.depth(0)).toBe(root.ref(0).depth())
    const third = makeProof(second, (cell) => cell.type === 'merkle-proof')
    const last = third.ref(0).ref(0).ref(0)
    expect([last.type, last.levelMask]).toEqual(['pruned', 0b111])
    expect([0, 1, 2].map((level) => Buffer.from(last.hash(level)).toString('hex'))).toEqual(
      [root, top, second.ref(0).ref(0)].map((cell) => cell.hashHex()),
    )
    for (const proof of [first, second, third]) {
      expect(proof.level).toBe(0)
      expect(stored(proof).hashHex()).toBe(proof.hashHex())
      const [lean] = parseBoc(serializeBoc(proof), { proofs: true })
      expect(proven(openProof(lean!))).toBe(proven(openProof(proof)))
      expect(lean!.hashHex()).toBe(proof.hashHex())
    }
    // Nothing can be cut out under four Merkle cells, and a tree with holes cannot be proven as if it had none.
    expect(
      kindOf(() =>
        makeProof(
          makeProof(
            makeProof(
              makeProof(root, () => true),
              () => true,
            ),
            () => true,
          ),
          (cell) => cell.exotic,
        ),
      ),
    ).toBe('proof')
    expect(kindOf(() => makeProof(top, () => true))).toBe('proof')
  })

  it('cells to which no proof leads are not hashed', () => {
    const proof = makeProof(dict([1, 2, 3, 4, 5]), (cell) => cell.depth() > 1)
    const two = Buffer.from(serializeBoc([proof, makeProof(wideTree(100), () => true)], { crc32c: false }))
    const [refSize, offsetSize] = [two[4]!, two[5]!]
    const second = 6 + 4 * refSize + offsetSize
    // The same bag with one root. The hash in the other proof has nothing to be compared with.
    two.writeUIntBE(1, 6 + refSize, refSize)
    const one = Buffer.concat([two.subarray(0, second), two.subarray(second + refSize)])
    expect(parseBocRoot(one).equals(proof)).toBe(true)
    expect(() => parseBoc(one, { proofs: true })).toThrow('its hash 0 is not that of its reference')
  })

  it('Merkle proofs cannot be opened as another cell type', () => {
    const proof = makeProof(dict([1, 2]), () => true)
    expect(kindOf(() => openProof(dict([1, 2])))).toBe('proof')
    expect(kindOf(() => openProof(makeUpdate(dict([1]), dict([2]))))).toBe('proof')
    expect(kindOf(() => applyUpdate(dict([1]), proof))).toBe('proof')
  })
})

describe('Merkle updates', () => {
  it('Merkle updates lead from any tree to any other', () => {
    fc.assert(
      fc.property(keys, keys, fc.nat(2), (a, b, factor) => {
        const from = dict(a)
        const to = dict([...a.slice(factor), ...b], 1 + (factor % 2))
        const update = stored(makeUpdate(from, to))
        expect(update.level).toBe(0)
        const result = applyUpdate(stored(from), update)
        expect(result.hashHex()).toBe(to.hashHex())
        // Rebuilt from nothing the new tree has that hash: nothing was trusted on the way.
        expect(stored(result).hashHex()).toBe(to.hashHex())
        expect([...dictEntries(result, 16, { cells: 1e9 })].length).toBe([...dictEntries(to, 16, { cells: 1e9 })].length)
        if (!from.equals(to)) expect(kindOf(() => applyUpdate(to, update))).toBe('proof')
        expect(applyUpdate(from, makeUpdate(from, from)).equals(from)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('Merkle updates contain only what changed, and share the rest', () => {
    const all = Array.from({ length: 5000 }, (_, i) => (i * 2654435761) % 65536)
    const from = dict(all)
    const to = dictSet(from, 16, BigInt(all[10]!), beginCell().storeUint(1, 40))
    const update = makeUpdate(from, to)
    expect(serializeBoc(from).length).toBeGreaterThan(60_000)
    expect(serializeBoc(update).length).toBeLessThan(3000)
    const result = applyUpdate(from, update)
    const shared = [0, 1].filter((i) => result.ref(i) === from.ref(i))
    expect(shared).toHaveLength(1)
  })

  it('Merkle updates apply to proofs that hold what they change, and to no others', () => {
    const all = Array.from({ length: 200 }, (_, i) => i * 300)
    const from = dict(all)
    const to = dictSet(from, 16, 600n, beginCell().storeUint(1, 40))
    const update = stored(makeUpdate(from, to))
    const usage = recordUsage(from)
    dictGet(usage.root, 16, 600n)
    dictGet(usage.root, 16, 30_000n)
    const result = applyUpdate(openProof(usage.proof()), update)
    expect(proven(result)).toBe(to.hashHex())
    expect(dictGet(result, 16, 600n)?.loadUint(40)).toBe(1)
    expect(dictGet(result, 16, 30_000n)?.loadUint(40)).toBe(30_000)
    expect(kindOf(() => dictGet(result, 16, 15_000n))).toBe('pruned')
    const elsewhere = recordUsage(from)
    dictGet(elsewhere.root, 16, 59_700n)
    expect(kindOf(() => applyUpdate(openProof(elsewhere.proof()), update))).toBe('pruned')
  })

  it('Merkle updates that use cells which the old tree does not have are refused', () => {
    const from = dict([1, 2, 3, 4, 5, 6, 7, 8])
    const to = dict([1, 2, 3, 4, 5, 6, 7, 9], 3)
    const bare = (cell: Cell): Cell => openProof(makeProof(cell, () => false))
    const left = bare(from)
    const right = bare(to)
    const forged = beginCell()
      .storeUint(4, 8)
      .storeBytes(left.hash(0))
      .storeBytes(right.hash(0))
      .storeUint(left.depth(0), 16)
      .storeUint(right.depth(0), 16)
      .storeRef(left)
      .storeRef(right)
      .endExotic()
    expect(kindOf(() => applyUpdate(from, forged))).toBe('proof')
  })
})

describe('exotic cells', () => {
  it('exotic cells are checked when they are built', () => {
    const tree = dict([1, 2, 3])
    const merkle = (hash: Uint8Array, depth: number) => beginCell().storeUint(3, 8).storeBytes(hash).storeUint(depth, 16).storeRef(tree)
    expect(kindOf(() => merkle(tree.hash(), tree.depth()).endExotic())).toBe('none')
    expect(kindOf(() => merkle(EMPTY_CELL.hash(), tree.depth()).endExotic())).toBe('proof')
    expect(kindOf(() => merkle(tree.hash(), 7).endExotic())).toBe('proof')
    expect(kindOf(() => beginCell().endExotic())).toBe('range')
    expect(kindOf(() => beginCell().storeUint(0, 8).endExotic())).toBe('range')
    expect(kindOf(() => beginCell().storeUint(2, 8).storeUint(0, 248).endExotic())).toBe('range')
    expect(kindOf(() => beginCell().storeUint(0x0101, 16).storeUint(0, 256).storeUint(1025, 16).endExotic())).toBe('overflow')
    // A cell above a pruned branch of depth 1024 would be 1025 deep, and says so at once.
    const deep = beginCell().storeUint(0x0101, 16).storeUint(0, 256).storeUint(1024, 16).endExotic()
    expect(deep.depth(0)).toBe(1024)
    expect(deep.depth()).toBe(0)
    expect(kindOf(() => beginCell().storeRef(deep).end())).toBe('overflow')
  })

  it('exotic cells can only be read raw', () => {
    const library = beginCell().storeUint(2, 8).storeBytes(EMPTY_CELL.hash()).endExotic()
    expect([library.type, library.exotic, library.level]).toEqual(['library', true, 0])
    expect(kindOf(() => library.slice())).toBe('range')
    const s = library.sliceExotic()
    expect(s.loadUint(8)).toBe(2)
    expect(s.loadBytes(32)).toEqual(EMPTY_CELL.hash())
    expect(kindOf(() => beginCell().storeCell(library))).toBe('range')
  })
})

describe('compact copies', () => {
  it('compact copies of real blocks are the same cells without their tables', () => {
    for (const block of readChain('chain/mainnet-genesis.blocks.jsonl.gz').slice(0, 40)) {
      const root = parseBocRoot(bytesOf(block.boc))
      const known = new Map<string, Cell>()
      const copy = compact(root, known)
      expect(copy.hashHex()).toBe(block.root_hash)
      expect(serializeBoc(copy)).toEqual(serializeBoc(root))
      expect(compact(copy)).toBe(copy)
      expect(compact(root, known)).toBe(copy)
      // The hashes were carried over, not made again: cells rebuilt from the bits alone agree.
      expect(parseBocRoot(serializeBoc(copy)).hashHex()).toBe(block.root_hash)
      const update = copy.ref(2)
      for (const level of [0, 1, 2, 3]) {
        expect(update.ref(1).hash(level)).toEqual(root.ref(2).ref(1).hash(level))
        expect(update.ref(1).depth(level)).toEqual(root.ref(2).ref(1).depth(level))
      }
    }
  })
})

it('each new cell of an update is compared in one step and copied in another, and so is each old cell that leads to shared ones', () => {
  const shared = wideTree(8, (cell, i) => cell.storeUint(i, 40))
  const trees = [1, 2].map((n) => {
    const tree = wideTree(4_001, (cell, i) => cell.storeUint(i, 32).storeUint(n, 8))
    return beginCell().storeRef(tree).storeRef(shared).end()
  })
  const [from, to] = trees as [Cell, Cell]
  // A thousand cells of a tree, and its root, have references. All those are compared in both trees and looked through once more in the old one.
  expect(countSteps(from, to)).toBeGreaterThan(4 * 1_000)
  expect(applyUpdate(from, makeUpdate(from, to)).equals(to)).toBe(true)
})
