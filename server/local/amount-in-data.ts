import { createPauses } from '../base/yield.ts'
import { type Builder, beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import { MAX_BITS } from '../cell/meta-word.ts'
import { sameBytes } from '../tlb/bytes.ts'

const MAX_CELLS = 64

/** How contracts write an amount: as Coins, or as Tact writes an Int (257 bits). */
const ENCODINGS: readonly ((amount: bigint) => Builder)[] = [
  (amount) => beginCell().storeCoins(amount),
  (amount) => beginCell().storeInt(amount, 257),
]

/** Position of an amount in the data: indexes of the references that lead to its cell, its first bit, and its encoding. */
interface AmountAt {
  readonly path: readonly number[]
  readonly bit: number
  readonly encode: (amount: bigint) => Builder
}

interface CellAt {
  readonly cell: Cell
  readonly path: readonly number[]
}

/** The cells of the data, from the root down. */
function* cellsOf(root: Cell): Generator<CellAt> {
  const queue: CellAt[] = [{ cell: root, path: [] }]
  for (let i = 0; i < queue.length && i < MAX_CELLS; i++) {
    const { cell, path } = queue[i]!
    if (cell.exotic) continue
    yield queue[i]!
    for (let n = 0; n < cell.refCount; n++) queue.push({ cell: cell.ref(n), path: [...path, n] })
  }
}

/**
 * Finds all bit sequences of a cell that may encode the amount `before`, and can be replaced by each of `amounts`. An encoding that cannot write an amount,
 * or whose result is too long for the cell, is not searched for: otherwise a thousand positions of each cell would be tried in vain.
 */
function* placesIn({ cell, path }: CellAt, before: bigint, amounts: readonly bigint[]): Generator<AmountAt> {
  for (const encode of ENCODINGS) {
    const [now, ...later] = [before, ...amounts].map((amount) => attempt(() => encode(amount).end()))
    if (now === undefined || !later.every((each) => each !== undefined && cell.bits - now.bits + each.bits <= MAX_BITS)) continue
    const pattern = now.slice().preloadBits(now.bits)
    for (let bit = 0; bit + now.bits <= cell.bits; bit++) {
      if (sameBytes(cell.slice().skip(bit).preloadBits(now.bits), pattern)) yield { path, bit, encode }
    }
  }
}

const withReference = (cell: Cell, at: number, child: Cell): Cell => {
  const builder = beginCell().storeBits(cell.slice().loadBits(cell.bits), cell.bits)
  for (let n = 0; n < cell.refCount; n++) builder.storeRef(n === at ? child : cell.ref(n))
  return builder.end()
}

const replaced = (cell: Cell, { path, bit, encode }: AmountAt, before: bigint, after: bigint): Cell => {
  const [first, ...rest] = path
  if (first !== undefined) return withReference(cell, first, replaced(cell.ref(first), { path: rest, bit, encode }, before, after))
  const s = cell.slice()
  const head = s.part(0, bit, 0, 0)
  s.skip(bit + encode(before).bits)
  return beginCell().storeSlice(head).storeBuilder(encode(after)).storeSlice(s).end()
}

/**
 * Test amount, which contract data does not contain by chance. A position in the data holds the amount if the get-method returns PROBE after PROBE was
 * written there.
 */
const PROBE = 0x5a_17_c3_96_4bn

/**
 * Replaces `before` by `after` at the first position that `accepts` confirms. Returns undefined if there is no such position. Pauses between cells, because
 * a cell has a thousand positions.
 */
export const replaceAmount = async (
  data: Cell,
  before: bigint,
  after: bigint,
  accepts: (data: Cell, amount: bigint) => Promise<boolean>,
): Promise<Cell | undefined> => {
  const pause = createPauses()
  for (const found of cellsOf(data)) {
    await pause()
    for (const at of placesIn(found, before, [PROBE, after])) {
      const changed = replaced(data, at, before, after)
      if ((await accepts(replaced(data, at, before, PROBE), PROBE)) && (await accepts(changed, after))) return changed
    }
  }
  return undefined
}
