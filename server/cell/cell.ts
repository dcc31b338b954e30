import { CellError } from './error.ts'
import { hashBuilt } from './hash.ts'
import {
  bitsOf,
  bytesOf,
  depthOf,
  hashSlot,
  LEVEL,
  MERKLE_PROOF,
  maskOf,
  ORDINARY,
  POPCOUNT,
  PRUNED,
  packMeta,
  refsOf,
  SOLID,
  TRACKED,
  typeOf,
} from './meta-word.ts'
import { Slice } from './slice.ts'
import { type CellTable, RECORD } from './table.ts'
import type { UsageRecorder } from './usage.ts'

export { CellError } from './error.ts'

export type CellType = 'ordinary' | 'pruned' | 'library' | 'merkle-proof' | 'merkle-update'
const TYPES: readonly CellType[] = ['ordinary', 'pruned', 'library', 'merkle-proof', 'merkle-update']

/** Bytes as a string of one-byte characters. V8 has no smaller form of immutable bytes: a string takes 16 + n bytes, a Uint8Array 200 + n. */
export type ByteString = string

/**
 * An immutable cell. One class has three forms, which differ in `src`:
 * - A built cell has its data as a byte string, and is hashed when a hash is first needed.
 * - A table view is a row of a parsed table.
 * - A recording view records the reads of another cell.
 * Only this folder uses `new Cell`; other code uses `beginCell()`.
 */
export class Cell {
  /** @internal Objects that stay alive for the life of the process (hot-class-instances.ts). */
  static anchors: readonly object[] = []

  /** @internal See meta-word.ts. */
  readonly meta: number
  readonly src: ByteString | CellTable | UsageRecorder
  /** @internal Built cell: its hashes once computed and, above level 0, its depths after them. Table view: its row. Recording view: the recorded cell. */
  aux: ByteString | number | Cell | undefined
  /** @internal References. A view has only the references that were read so far. */
  r0: Cell | undefined
  r1: Cell | undefined
  r2: Cell | undefined
  r3: Cell | undefined

  constructor(
    meta: number,
    src: ByteString | CellTable | UsageRecorder,
    aux: ByteString | number | Cell | undefined,
    r0: Cell | undefined,
    r1: Cell | undefined,
    r2: Cell | undefined,
    r3: Cell | undefined,
  ) {
    this.meta = meta
    this.src = src
    this.aux = aux
    this.r0 = r0
    this.r1 = r1
    this.r2 = r2
    this.r3 = r3
  }

  get bits(): number {
    if (this.meta & TRACKED) this.touch()
    return bitsOf(this.meta)
  }
  get refCount(): number {
    if (this.meta & TRACKED) this.touch()
    return refsOf(this.meta)
  }
  get type(): CellType {
    return TYPES[typeOf(this.meta)]!
  }
  get exotic(): boolean {
    return typeOf(this.meta) !== ORDINARY
  }
  /** Bit i-1 is set if level i is significant: hash(i) differs from hash(i-1). 0 for a cell without pruned branches. */
  get levelMask(): number {
    return maskOf(this.meta)
  }
  get level(): number {
    return LEVEL[maskOf(this.meta)]!
  }

  /** Returns reference `i`. Throws CellError `underflow` if the cell has fewer references. */
  ref(i: number): Cell {
    const child = i === 0 ? this.r0 : i === 1 ? this.r1 : i === 2 ? this.r2 : i === 3 ? this.r3 : undefined
    return child ?? this.materialize(i)
  }

  /** The hash at a level, 32 bytes. The default is the representation hash of the cell. */
  hash(level = 3): Uint8Array {
    const out = new Uint8Array(32)
    this.hashTo(out, level)
    return out
  }

  hashTo(out: Uint8Array, level = 3): void {
    const beneath = untracked(this)
    const src = beneath.src
    if (typeof src === 'string') {
      const key = beneath.hashKey(level)
      for (let i = 0; i < 32; i++) out[i] = key.charCodeAt(i)
    } else {
      const table = src as CellTable
      const at = table.hashed(beneath.aux as number, level) * RECORD
      for (let i = 0; i < 32; i++) out[i] = table.records[at + i]!
    }
  }

  /** The hash at a level as a byte string of 32 characters: a cheap key for Map and Set. */
  hashKey(level = 3): ByteString {
    const src = this.src
    if (typeof src === 'string') {
      const hashes = this.aux === undefined ? hashBuilt(this) : (this.aux as ByteString)
      const mask = maskOf(this.meta)
      if (mask === 0) return hashes
      const at = hashSlot(mask, level) * 32
      return hashes.substring(at, at + 32)
    }
    if (this.meta & TRACKED) return (this.aux as Cell).hashKey(level)
    const table = src as CellTable
    const at = table.hashed(this.aux as number, level) * RECORD
    return table.records.toString('latin1', at, at + 32)
  }

  /** The depth at a level: the length of the longest path below the cell. */
  depth(level = 3): number {
    const mask = maskOf(this.meta)
    if (mask === 0 || level >= LEVEL[mask]!) return depthOf(this.meta)
    const src = this.src
    if (typeof src === 'string') {
      const hashes = this.aux === undefined ? hashBuilt(this) : (this.aux as ByteString)
      const at = (POPCOUNT[mask]! + 1) * 32 + hashSlot(mask, level) * 2
      return (hashes.charCodeAt(at) << 8) | hashes.charCodeAt(at + 1)
    }
    if (this.meta & TRACKED) return (this.aux as Cell).depth(level)
    const table = src as CellTable
    return table.depth(table.slot(this.aux as number, level))
  }

  hashHex(): string {
    return Buffer.from(this.hashKey(), 'latin1').toString('hex')
  }

  equals(other: Cell): boolean {
    return this === other || this.hashKey() === other.hashKey()
  }

  /** A copy of the data. The last byte is padded with zero bits. */
  data(): Uint8Array {
    return this.sliceExotic().loadBits(bitsOf(this.meta))
  }

  /** Returns a reader of an ordinary cell. Throws CellError `pruned` for a pruned branch, and `range` for any other exotic cell. */
  slice(): Slice {
    const type = typeOf(this.meta)
    if (type !== ORDINARY) {
      if (type === PRUNED) throw new CellError('pruned', `cell ${this.hashHex()} is a pruned branch: its data is not part of this proof`)
      throw new CellError('range', `cell ${this.hashHex()} is a ${TYPES[type]} cell, not an ordinary one`)
    }
    return this.sliceExotic()
  }

  /** Returns a reader of the raw data of any cell. The data of an exotic cell begins with its type byte. */
  sliceExotic(): Slice {
    if (this.meta & TRACKED) this.touch()
    const bits = bitsOf(this.meta)
    const beneath = this.meta & TRACKED ? (this.aux as Cell) : this
    const src = beneath.src
    if (typeof src === 'string') return new Slice(this, null, src, 0, bits, 0, refsOf(this.meta))
    const table = src as CellTable
    const at = table.dataAt[beneath.aux as number]! * 8
    return new Slice(this, table.bytes, '', at, at + bits, 0, refsOf(this.meta))
  }

  private touch(): void {
    ;(this.src as UsageRecorder).note(this)
  }

  private materialize(i: number): Cell {
    if (!(i >= 0 && i < refsOf(this.meta))) {
      throw new CellError('underflow', `cannot read reference ${i}: the cell has ${refsOf(this.meta)}`)
    }
    let child: Cell
    if (this.meta & TRACKED) {
      this.touch()
      child = (this.src as UsageRecorder).track((this.aux as Cell).ref(i))
    } else {
      const table = this.src as CellTable
      child = table.cell(table.refRow(this.aux as number, i))
    }
    if (i === 0) this.r0 = child
    else if (i === 1) this.r1 = child
    else if (i === 2) this.r2 = child
    else this.r3 = child
    return child
  }
}

/** Writes a cell's data, with its completion tag, to `target` at `at`. Returns the number of bytes. */
export const writeData = (cell: Cell, target: Buffer, at: number): number => {
  const beneath = untracked(cell)
  const length = bytesOf(beneath.meta)
  const src = beneath.src
  if (typeof src === 'string') target.write(src, at, length, 'latin1')
  else {
    const table = src as CellTable
    const from = table.dataAt[beneath.aux as number]!
    for (let i = 0; i < length; i++) target[at + i] = table.bytes[from + i]!
  }
  return length
}

/**
 * Same as `cell.ref(i)`, but a cell of a parsed bag does not keep the view that is made for the reference. Each parent makes views of its own, so a walk
 * through 255 messages with one body of 8,000 cells would keep two million of them.
 */
export const passingRef = (cell: Cell, i: number): Cell => {
  const { src, meta, aux } = cell
  if (typeof src === 'string' || meta & TRACKED || i >= refsOf(meta)) return cell.ref(i)
  const table = src as CellTable
  return table.cell(table.refRow(aux as number, i))
}

export const untracked = (cell: Cell): Cell => {
  let c = cell
  while (c.meta & TRACKED) c = c.aux as Cell
  return c
}

export const isMerkle = (cell: Cell): boolean => typeOf(cell.meta) >= MERKLE_PROOF

export const EMPTY_CELL: Cell = new Cell(packMeta(0, 0, ORDINARY, 0, 0) | SOLID, '', undefined, undefined, undefined, undefined, undefined)
