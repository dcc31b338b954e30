import { type Builder, beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
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

/** Finds all bit sequences that may encode the amount, from the root cell down. */
function* placesOf(root: Cell, amount: bigint): Generator<AmountAt> {
  const written = ENCODINGS.map((encode) => ({ encode, slice: encode(amount).end().slice() }))
  const queue: { readonly cell: Cell; readonly path: readonly number[] }[] = [{ cell: root, path: [] }]
  for (let i = 0; i < queue.length && i < MAX_CELLS; i++) {
    const { cell, path } = queue[i]!
    if (cell.exotic) continue
    for (const { encode, slice } of written) {
      const bits = slice.remainingBits
      const pattern = slice.preloadBits(bits)
      for (let bit = 0; bit + bits <= cell.bits; bit++) {
        if (sameBytes(cell.slice().skip(bit).preloadBits(bits), pattern)) yield { path, bit, encode }
      }
    }
    for (let n = 0; n < cell.refCount; n++) queue.push({ cell: cell.ref(n), path: [...path, n] })
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

/** Replaces `before` by `after` at the first position that `accepts` confirms. Returns undefined if there is no such position. */
export const replaceAmount = async (
  data: Cell,
  before: bigint,
  after: bigint,
  accepts: (data: Cell, amount: bigint) => Promise<boolean>,
): Promise<Cell | undefined> => {
  // Undefined if the amount does not fit into the cell.
  const withAmountAt = (at: AmountAt, amount: bigint): Cell | undefined => attempt(() => replaced(data, at, before, amount))
  for (const at of placesOf(data, before)) {
    const [probe, changed] = [withAmountAt(at, PROBE), withAmountAt(at, after)]
    if (probe && changed && (await accepts(probe, PROBE)) && (await accepts(changed, after))) return changed
  }
  return undefined
}
