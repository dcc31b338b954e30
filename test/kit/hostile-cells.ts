import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { makeProof } from '../../server/cell/merkle.ts'
import { makeUpdate } from './make-update.ts'
import type { Random } from './random.ts'

/* Small bags of cells that describe far more than they hold, because cells are shared. */

/** Widths of the keys of dictionaries that contracts and blocks have. */
export const KEY_WIDTHS = [8, 15, 16, 19, 32, 64, 96, 256, 264, 267, 288, 352]

const lengthBits = (width: number): number => 32 - Math.clz32(width)

/** hml_same$11 v:Bit n:(#<= m): a label that fills what is left of a key. */
const fill = (b: Builder, left: number): Builder =>
  left === 0 ? b.storeUint(0, 2) : b.storeUint(0b110, 3).storeUint(left, lengthBits(left))

const fork = (low: Cell, high: Cell, extra: Cell): Cell =>
  beginCell().storeUint(0, 2).storeRef(low).storeRef(high).storeSlice(extra.slice()).end()

/** The value of a leaf, and the extra of forks in an augmented dictionary (its leaves have theirs in the value). */
export interface DictContent {
  readonly value: Cell
  readonly extra?: Cell
}

/** A dictionary whose highest `levels` bits of the key fork: 2^levels entries in levels + 1 cells. */
export const fullDict = (width: number, { value, extra = EMPTY_CELL }: DictContent, levels = width): Cell => {
  let cell = fill(beginCell(), width - levels)
    .storeSlice(value.slice())
    .end()
  for (let i = 0; i < levels; i++) cell = fork(cell, cell, extra)
  return cell
}

/** The same with a bit of label at each fork: each level takes two bits of the key. */
const labelledDict = (width: number, { value, extra = EMPTY_CELL }: DictContent): Cell => {
  let cell = fill(beginCell(), width & 1)
    .storeSlice(value.slice())
    .end()
  for (let left = width & 1; left < width; left += 2)
    cell = beginCell().storeUint(0b0101, 4).storeRef(cell).storeRef(cell).storeSlice(extra.slice()).end()
  return cell
}

/** Full on one side, with a single entry on the other. */
const lopsidedDict = (width: number, content: DictContent): Cell => {
  const single = fill(beginCell(), width - 1)
    .storeSlice(content.value.slice())
    .end()
  return fork(fullDict(width - 1, content), single, content.extra ?? EMPTY_CELL)
}

/** Every edge leads to two different cells with the same entries, so that a cache by hash helps half as much. */
const twinDict = (width: number, { value, extra = EMPTY_CELL }: DictContent): Cell => {
  let [even, odd] = [fullDict(0, { value }), fullDict(0, { value })]
  for (let left = 0; left < width; left++) [even, odd] = [fork(even, odd, extra), fork(odd, even, extra)]
  return even
}

export const hostileDict = (random: Random, width: number, content: DictContent): Cell => {
  switch (random.below(6)) {
    case 0:
      return labelledDict(width, content)
    case 1:
      return lopsidedDict(width, content)
    case 2:
      return twinDict(width, content)
    case 3:
      // Few enough to be read, or not many more.
      return fullDict(width, content, Math.min(width, 8 + random.below(12)))
    default:
      return fullDict(width, content)
  }
}

/** The same arguments give the same cell, whose hashes are then known. */
const remembered = <A extends readonly number[]>(make: (...args: A) => Cell): ((...args: A) => Cell) => {
  const made = new Map<string, Cell>()
  return (...args) => {
    const key = args.join()
    const cell = made.get(key) ?? make(...args)
    made.set(key, cell)
    return cell
  }
}

/** `refs` references of each cell lead to the next one: refs^depth paths. */
const doubling = remembered((depth: number, refs: number): Cell => {
  let cell = beginCell().storeUint(0xbb, 8).end()
  for (let i = 0; i < depth; i++) {
    const b = beginCell().storeUint(i, 32)
    for (let j = 0; j < refs; j++) b.storeRef(cell)
    cell = b.end()
  }
  return cell
})

/** Each cell leads to the next two: every cell is met at many depths. */
const ladder = remembered((depth: number): Cell => {
  let [below, cell] = [EMPTY_CELL, beginCell().storeUint(1, 8).end()]
  for (let i = 0; i < depth; i++) [below, cell] = [cell, beginCell().storeUint(i, 16).storeRef(cell).storeRef(below).end()]
  return cell
})

/** A snake of full cells. With `refs` above one it forks. */
const snake = remembered((length: number, refs: number): Cell => {
  let cell = EMPTY_CELL
  for (let i = 0; i < length; i++) {
    const b = beginCell().storeBytes(new Uint8Array(126).fill(0x61))
    for (let j = 0; j < (i === 0 ? 0 : refs); j++) b.storeRef(cell)
    cell = b.end()
  }
  return cell
})

/** `count` different cells in a tree: as many as a message may have. */
const manyCells = remembered((count: number): Cell => {
  let row = Array.from({ length: Math.ceil((count * 3) / 4) }, (_, i) => beginCell().storeUint(i, 32).storeUint(0, 400).end())
  while (row.length > 1) {
    const next: Cell[] = []
    for (let i = 0; i < row.length; i += 4) {
      const b = beginCell().storeUint(i, 32)
      for (const cell of row.slice(i, i + 4)) b.storeRef(cell)
      next.push(b.end())
    }
    row = next
  }
  return row[0]!
})

/** A list of actions: each cell leads to the one before by its first reference, and to a bomb by its second. */
const actionList = (length: number, action: Cell): Cell => {
  let cell = EMPTY_CELL
  for (let i = 0; i < length; i++) cell = beginCell().storeRef(cell).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(action).end()
  return cell
}

/** vm_stk_tuple nested in each other, with both references of a pair to the same one. */
const nestedTuples = remembered((depth: number): Cell => {
  let cell = beginCell().storeUint(0, 8).end()
  for (let i = 0; i < depth; i++) cell = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(cell).storeRef(cell).end()
  return cell
})

const LIBRARY = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32).fill(7)).endExotic()
const PRUNED = (cell: Cell): Cell => {
  const stub = beginCell().storeUint(1, 8).storeUint(1, 8).storeBytes(cell.hash()).storeUint(cell.depth(), 16).endExotic()
  return beginCell().storeUint(3, 8).storeBytes(cell.hash()).storeUint(cell.depth(), 16).storeRef(stub).endExotic()
}

/** Cells in which each path leads through Merkle proofs, updates, pruned branches and libraries. */
const exotic = (random: Random, of: Cell): Cell => {
  switch (random.below(5)) {
    case 0:
      return makeProof(of, (cell) => cell.depth() % 3 !== 0)
    case 1:
      return makeUpdate(of, beginCell().storeUint(1, 8).storeRef(of).storeRef(of).end())
    case 2:
      return LIBRARY
    case 3:
      return PRUNED(of)
    default:
      return beginCell()
        .storeUint(0, 2)
        .storeRef(PRUNED(of))
        .storeRef(makeProof(of, () => true))
        .end()
  }
}

const pair = (bits: number, cell: Cell): Cell => beginCell().storeUint(0, bits).storeRef(cell).storeRef(cell).end()

/** A cell that is small as a bag and large for whoever walks it by its paths. It may be exotic. */
export const hostileCell = (random: Random): Cell => {
  const depth = random.pick([24, 64, 200, 480])
  switch (random.below(11)) {
    case 0:
      return doubling(depth, 2)
    case 1:
      return doubling(depth, 4)
    case 2:
      return ladder(depth)
    case 3:
      return snake(random.pick([300, 500]), 1)
    case 4:
      return snake(depth, random.pick([2, 4]))
    case 5:
      return actionList(random.pick([3, 255, 400]), doubling(60, 3))
    case 6:
      return nestedTuples(depth)
    case 7:
      return exotic(random, doubling(random.pick([5, 60]), 2))
    case 8:
      return pair(random.below(900), exotic(random, ladder(40)))
    case 9:
      return hostileDict(random, random.pick(KEY_WIDTHS), { value: hostileLeaf(random) })
    default:
      return random.chance(0.2) ? manyCells(4000) : fullDict(480, { value: EMPTY_CELL })
  }
}

const ADDRESS = beginCell().storeUint(0b100, 3).storeUint(0, 8).storeBytes(new Uint8Array(32).fill(0xaa)).end()
/** Values that many readers take: zeros, and an address with ones behind it. Each has two references to a bomb. */
const VALUES = [
  pair(600, doubling(64, 2)),
  beginCell()
    .storeSlice(ADDRESS.slice())
    .storeBytes(new Uint8Array(30).fill(255))
    .storeRef(doubling(64, 2))
    .storeRef(doubling(64, 2))
    .end(),
]

/** Full dictionaries of every width, by themselves and behind the bits that HashmapE often has before it. */
export const plainDicts = (): readonly Cell[] =>
  KEY_WIDTHS.flatMap((width) =>
    VALUES.map((value) => fullDict(width, { value })).flatMap((dict) => [
      dict,
      ...[1, 5].map((bits) => beginCell().storeUint(1, bits).storeRef(dict).storeRef(dict).end()),
    ]),
  )

/** A value of a leaf: bits of zeros or ones, an address, with references to more bombs. */
export const hostileLeaf = (random: Random): Cell => {
  const b = beginCell()
  if (random.chance(0.5)) b.storeUint(0b100, 3).storeUint(0, 8).storeBytes(random.bytes(32))
  const bits = random.pick([0, 1, 8, 64, 300, 600])
  b.storeBytes(new Uint8Array(bits >> 3).fill(random.pick([0, 255, 0x11]))).storeUint(0, bits & 7)
  if (random.chance(0.7)) b.storeRef(random.chance(0.5) ? doubling(100, 2) : fullDict(300, { value: EMPTY_CELL }))
  if (random.chance(0.3)) b.storeRef(snake(100, 2))
  return b.end()
}

/** The cell as a reader of messages gets it: two references to one cell are two objects. */
export const throughBoc = (cell: Cell): Cell => parseBocRoot(serializeBoc(cell))
