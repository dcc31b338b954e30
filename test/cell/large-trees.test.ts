import { expect, it } from 'vitest'
import { parseAccountBocOr, serializeBoc } from '../../server/cell/boc.ts'
import { uniqueCells } from '../../server/cell/budget.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { type CellSource, LazyCell } from '../../server/cell/lazy.ts'
import { wideTree } from '../kit/bombs.ts'
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
