import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { BocOptions } from '../../server/cell/boc/write.ts'
import { bocSteps, parseAccountBocOr, serializeBoc, serializeBocInTurns } from '../../server/cell/boc.ts'
import { uniqueCells } from '../../server/cell/budget.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { type CellSource, LazyCell } from '../../server/cell/lazy.ts'
import { wideTree } from '../kit/bombs.ts'
import { createRandom, type Random, seed } from '../kit/random.ts'
import { countTurns } from '../kit/turns.ts'

/** A lazy copy of a tree. Each load makes another object, as the chain's store does; `loads` counts them. */
const lazily = (root: Cell): { readonly root: Cell; loads(): number } => {
  const cells = [...uniqueCells([root], { cells: 1_000 })]
  let loads = 0
  const lazy = (cell: Cell): Cell => {
    const refs = Array.from({ length: cell.refCount }, (_, i) => cells.findIndex((each) => each.equals(cell.ref(i))))
    const data = Buffer.from(cell.slice().loadBytes(cell.bits / 8)).toString('latin1')
    return new LazyCell(source, cells.indexOf(cell), cell.meta, data, cell.hashKey(), refs)
  }
  const source: CellSource = {
    load(at) {
      loads++
      return lazy(cells[at]!)
    },
  }
  return { root: lazy(root), loads: () => loads }
}

it('a bag is written from the cells that a walk before has loaded, also where they are shared', () => {
  const leaf = beginCell().storeUint(1, 8).end()
  const shared = beginCell().storeUint(2, 8).storeRef(leaf).end()
  const side = (byte: number): Cell => beginCell().storeUint(byte, 8).storeRef(shared).end()
  const tree = beginCell().storeUint(5, 8).storeRef(side(3)).storeRef(side(4)).end()
  const { root, loads } = lazily(tree)
  const walked = [...uniqueCells([root], { cells: 10 })]
  const before = loads()
  expect(walked.map((cell) => cell.hashHex())).toHaveLength(5)
  expect(serializeBoc(root)).toEqual(serializeBoc(tree))
  expect(loads()).toBe(before)
})

it('a bag of as many cells as an account can have is read with pauses', async () => {
  const tree = wideTree(60_000)
  const bytes = serializeBoc(tree)
  const errorOf = (error: CellError): Error => new Error(`refused: ${error.message}`)
  const turns = countTurns()
  const read = await parseAccountBocOr(bytes, errorOf)
  turns.stop()
  expect(read.hashHex()).toBe(tree.hashHex())
  expect(turns.count()).toBeGreaterThan(1)
  await expect(parseAccountBocOr(bytes, errorOf, { cells: 59_999 })).rejects.toThrow(/^refused: .*over the limit of 59999/)
  await expect(parseAccountBocOr(bytes.subarray(1), errorOf)).rejects.toThrow(/^refused: .*unknown magic/)
})

it('a bag is not written above its limit of cells', () => {
  const tree = wideTree(100)
  expect(serializeBoc(tree, { maxCells: 100 })).toEqual(serializeBoc(tree))
  expect(() => serializeBoc(tree, { maxCells: 99 })).toThrow(CellError)
})

it('a bag has no more bytes of cells than its limit', () => {
  const tree = wideTree(100)
  const all = serializeBoc(tree).length
  expect(serializeBoc(tree, { maxBytes: all })).toHaveLength(all)
  expect(() => serializeBoc(tree, { maxBytes: 600 })).toThrow('more than 600 bytes')
})

it('a caller who leaves the line of large bags does not wait for those before it', async () => {
  const order: string[] = []
  const left = new AbortController()
  const bags = ['first', 'second'].map((name, i) =>
    serializeBocInTurns([wideTree(60_000)], i === 0 ? new AbortController().signal : left.signal).then(
      () => order.push(name),
      () => order.push(`no ${name}`),
    ),
  )
  await setImmediate()
  left.abort(new Error('left'))
  await Promise.all(bags)
  expect(order).toEqual(['no second', 'first'])
})

/** Roots of trees with shared cells, and with long and with short paths. */
const randomRoots = (count: number, random: Random): readonly Cell[] => {
  const cells: Cell[] = [beginCell().end()]
  for (let i = 1; i < count; i++) {
    const cell = beginCell().storeUint(i, 32)
    const below = [cells.at(-1)!, ...Array.from({ length: 3 }, () => cells[Math.max(0, i - 1 - random.below(2_000))]!)]
    for (const each of below.slice(random.below(2), 1 + random.below(4))) if (each.depth() < 1_000) cell.storeRef(each)
    cells.push(cell.end())
  }
  return cells.filter((_, i) => i % 50 === 7)
}

it('a bag that is written in steps has the bytes of one that is written at once', () => {
  const random = createRandom(seed)
  const isInSteps = (roots: readonly Cell[], options?: BocOptions): void => {
    const steps = bocSteps(roots, options)
    let [count, step] = [0, steps.next()]
    for (; !step.done; step = steps.next()) count++
    expect(Buffer.compare(step.value, serializeBoc(roots, options))).toBe(0)
    expect(count).toBeGreaterThan(10)
  }
  isInSteps([wideTree(10_000)])
  // Ten thousand new cells without hashes, a few of which are distinct.
  isInSteps([wideTree(10_000, (cell) => cell)])
  for (let i = 0; i < 3; i++) {
    isInSteps(randomRoots(5_000, random))
    isInSteps(randomRoots(5_000, random), { crc32c: false, index: true, cacheBits: true, hashes: true })
  }
})
