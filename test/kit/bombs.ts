import { type Builder, beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'

/* Cells whose number of paths nobody can walk, because each has the one below it as both of its references. */

/** `count` edges of a dictionary without labels above a leaf: 2^count entries in `count` cells. */
export const forks = (leaf: Cell, count: number): Cell => {
  let cell = leaf
  for (let i = 0; i < count; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).end()
  return cell
}

/** 2^32 extra currencies of 1 each. */
export const currencies = (): Cell => forks(beginCell().storeUint(0, 2).storeUint(1, 5).storeUint(1, 8).end(), 32)

/** 2^256 libraries. */
export const libraries = (): Cell => forks(beginCell().storeUint(0, 2).storeBit(1).storeRef(beginCell().end()).end(), 256)

/** A tree of `count` cells without sharing, at most four below each. `write` gives a cell its data, which are others for each. */
export const wideTree = (count: number, write = (cell: Builder, i: number): Builder => cell.storeUint(i, 32)): Cell => {
  const cells: Cell[] = []
  for (let i = count - 1; i >= 0; i--) {
    const cell = write(beginCell(), i)
    for (let child = 4 * i + 1; child <= 4 * i + 4 && child < count; child++) cell.storeRef(cells[child]!)
    cells[i] = cell.end()
  }
  return cells[0]!
}

/** A transaction of nobody, which sent the same message 2^11 times, each with 2^9 extra currencies: a million entries in two dozen cells, none of them too many. */
export const costlyTransaction = (): Cell => {
  const leaf = (skipped: number, size: number): Builder => beginCell().storeUint(6, 3).storeUint(skipped, size)
  const value = forks(
    leaf(32 - 9, 5)
      .storeUint(1, 5)
      .storeUint(1, 8)
      .end(),
    9,
  )
  const message = beginCell()
    .storeUint(0b0111 << 8, 12)
    .storeBit(1)
    .storeRef(value)
    .storeUint(0, 8 + 64 + 32 + 2)
    .end()
  const messages = beginCell()
    .storeUint(1, 2)
    .storeRef(
      forks(
        leaf(15 - 11, 3)
          .storeRef(message)
          .end(),
        11,
      ),
    )
    .end()
  const root = beginCell()
    .storeUint(7, 4)
    .storeUint(0, 256)
    .storeUint(9, 64)
    .storeUint(0, 256 + 64 + 32)
    .storeUint(2 ** 11, 15)
  return root.storeUint(0, 4).storeRef(messages).storeUint(0, 5).storeRef(beginCell().end()).storeRef(beginCell().end()).end()
}
