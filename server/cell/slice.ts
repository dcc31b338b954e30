import { beginCell } from './builder.ts'
import { type Cell, untracked } from './cell.ts'
import { CellError } from './error.ts'
import { bitsOf, ORDINARY, refsOf, typeOf } from './meta-word.ts'
import type { CellTable } from './table.ts'

const view = new DataView(new ArrayBuffer(8))
const words = new Uint8Array(view.buffer)

/** A reader of one cell. A load returns the next bits or reference and moves the slice past them. A read past the end throws CellError `underflow`. */
export class Slice {
  private readonly cell: Cell
  /** Bytes of the table that has the data; null if the data is in `text`. */
  private readonly bytes: Uint8Array | null
  private readonly text: string
  private pos: number
  private readonly limit: number
  private refPos: number
  private readonly refLimit: number

  /** @internal `pos` and `limit` are bit positions in `bytes` or `text`. */
  constructor(cell: Cell, bytes: Uint8Array | null, text: string, pos: number, limit: number, refPos: number, refLimit: number) {
    this.cell = cell
    this.bytes = bytes
    this.text = text
    this.pos = pos
    this.limit = limit
    this.refPos = refPos
    this.refLimit = refLimit
  }

  get remainingBits(): number {
    return this.limit - this.pos
  }
  get remainingRefs(): number {
    return this.refLimit - this.refPos
  }

  clone(): Slice {
    return new Slice(this.cell, this.bytes, this.text, this.pos, this.limit, this.refPos, this.refLimit)
  }

  /** The part of the slice that begins after `skipBits` bits and `skipRefs` references. Nothing is copied. Throws CellError `underflow` past the end. */
  part(skipBits: number, bits: number, skipRefs: number, refs: number): Slice {
    const from = this.pos + skipBits
    const fromRef = this.refPos + skipRefs
    if (from + bits > this.limit || fromRef + refs > this.refLimit) {
      throw new CellError('underflow', `a part of ${skipBits} + ${bits} bits and ${skipRefs} + ${refs} references is larger than the slice`)
    }
    return new Slice(this.cell, this.bytes, this.text, from, from + bits, fromRef, fromRef + refs)
  }

  /** The cell that the slice reads. `bitsBefore` and `refsBefore` are the position of the slice in this cell. */
  get base(): Cell {
    return this.cell
  }
  get bitsBefore(): number {
    return this.bytes === null ? this.pos : this.pos - this.start()
  }
  get refsBefore(): number {
    return this.refPos
  }

  asCell(): Cell {
    const { meta } = this.cell
    if (this.remainingBits === bitsOf(meta) && this.remainingRefs === refsOf(meta) && typeOf(meta) === ORDINARY) return this.cell
    return beginCell().storeSlice(this).end()
  }

  loadBit(): boolean {
    const bit = this.preloadBit()
    this.pos++
    return bit
  }
  preloadBit(): boolean {
    if (this.pos >= this.limit) this.short(1)
    return ((this.byte(this.pos >>> 3) >>> (7 - (this.pos & 7))) & 1) === 1
  }

  /** Unsigned, n <= 53. */
  loadUint(n: number): number {
    const value = this.preloadUint(n)
    this.pos += n
    return value
  }
  preloadUint(n: number): number {
    if (!(n >= 0 && n <= 53)) throw new CellError('range', `loadUint reads at most 53 bits, not ${n}: use loadUintBig`)
    if (n > this.limit - this.pos) this.short(n)
    return this.uintAt(this.pos, n)
  }

  /** Signed two's complement, n <= 53. */
  loadInt(n: number): number {
    if (n === 0) return 0
    const value = this.loadUint(n)
    const half = 2 ** (n - 1)
    return value >= half ? value - half - half : value
  }

  /** Unsigned, n <= 256. */
  loadUintBig(n: number): bigint {
    const value = this.preloadUintBig(n)
    this.pos += n
    return value
  }
  preloadUintBig(n: number): bigint {
    if (!(n >= 0 && n <= 256)) throw new CellError('range', `an unsigned number has at most 256 bits, not ${n}`)
    return this.bigAt(n)
  }

  /** Signed two's complement, n <= 257. */
  loadIntBig(n: number): bigint {
    if (!(n >= 0 && n <= 257)) throw new CellError('range', `a signed number has at most 257 bits, not ${n}`)
    if (n === 0) return 0n
    const value = BigInt.asIntN(n, this.bigAt(n))
    this.pos += n
    return value
  }

  /** n bits, left-aligned. The last byte is padded with zero bits. */
  loadBits(n: number): Uint8Array {
    const bits = this.preloadBits(n)
    this.pos += n
    return bits
  }
  preloadBits(n: number): Uint8Array {
    if (!(n >= 0 && n <= this.limit - this.pos)) this.short(n)
    const out = new Uint8Array((n + 7) >>> 3)
    this.copyTo(out, n)
    return out
  }

  loadBytes(n: number): Uint8Array {
    return this.loadBits(n * 8)
  }

  skip(n: number): this {
    if (!(n >= 0 && n <= this.limit - this.pos)) this.short(n)
    this.pos += n
    return this
  }

  loadRef(): Cell {
    const cell = this.preloadRef()
    this.refPos++
    return cell
  }
  preloadRef(i = 0): Cell {
    if (!(i >= 0 && i < this.refLimit - this.refPos)) {
      throw new CellError('underflow', `cannot read reference ${i}: the slice has ${this.refLimit - this.refPos} left`)
    }
    return this.cell.ref(this.refPos + i)
  }
  skipRefs(n: number): this {
    if (!(n >= 0 && n <= this.refLimit - this.refPos)) {
      throw new CellError('underflow', `cannot skip ${n} references: the slice has ${this.refLimit - this.refPos} left`)
    }
    this.refPos += n
    return this
  }
  loadMaybeRef(): Cell | undefined {
    return this.loadBit() ? this.loadRef() : undefined
  }

  /** Grams: VarUInteger 16, in nanograms. */
  loadCoins(): bigint {
    return this.loadVarUint(4)
  }
  /** VarUInteger: a byte count of `lenBits` bits, then an unsigned number of that size. `lenBits` is 4 for VarUInteger 16, 5 for 32. */
  loadVarUint(lenBits: number): bigint {
    return this.loadUintBig(this.varLength(lenBits))
  }
  /** Unary$1 ... Unary$0: the number of ones before the zero. */
  loadUnary(): number {
    let n = 0
    while (this.loadBit()) n++
    return n
  }

  end(): void {
    if (this.pos !== this.limit || this.refPos !== this.refLimit) {
      throw new CellError('range', `${this.remainingBits} bits and ${this.remainingRefs} references left unread`)
    }
  }

  /** @internal Copies the next n bits (n <= remainingBits) to `out`, left-aligned. The last byte is padded with zero bits. */
  copyTo(out: Uint8Array, n: number): void {
    const count = (n + 7) >>> 3
    const shift = this.pos & 7
    let at = this.pos >>> 3
    if (shift === 0) for (let i = 0; i < count; i++) out[i] = this.byte(at + i)
    else {
      let high = this.byte(at)
      for (let i = 0; i < count; i++) {
        const low = this.byte(++at)
        out[i] = (high << shift) | (low >>> (8 - shift))
        high = low
      }
    }
    if (n & 7) out[count - 1]! &= 0xff00 >> (n & 7)
  }

  /** Start of the cell's data in `bytes`, as a bit position. */
  private start(): number {
    const beneath = untracked(this.cell)
    return (beneath.src as CellTable).dataAt[beneath.aux as number]! * 8
  }

  private varLength(lenBits: number): number {
    const start = this.pos
    const bits = this.loadUint(lenBits) * 8
    if (bits > this.limit - this.pos) {
      this.pos = start
      this.short(bits)
    }
    return bits
  }

  /** Byte `i` of the source; a meaningless value past its end. */
  private byte(i: number): number {
    return this.bytes === null ? this.text.charCodeAt(i) : this.bytes[i]!
  }

  private uintAt(pos: number, n: number): number {
    if (n === 0) return 0
    let at = pos >>> 3
    const free = 8 - (pos & 7)
    let value = this.byte(at) & (255 >>> (8 - free))
    if (n <= free) return value >>> (free - n)
    let left = n - free
    if (n <= 30) {
      while (left >= 8) {
        value = (value << 8) | this.byte(++at)
        left -= 8
      }
      return left === 0 ? value : (value << left) | (this.byte(++at) >>> (8 - left))
    }
    while (left >= 8) {
      value = value * 256 + this.byte(++at)
      left -= 8
    }
    return left === 0 ? value : value * (1 << left) + (this.byte(++at) >>> (8 - left))
  }

  private bigAt(n: number): bigint {
    if (n > this.limit - this.pos) this.short(n)
    if (n <= 53) return BigInt(this.uintAt(this.pos, n))
    let pos = this.pos
    const head = n & 63
    let value =
      head > 53 ? (BigInt(this.uintAt(pos, head - 32)) << 32n) | BigInt(this.uintAt(pos + head - 32, 32)) : BigInt(this.uintAt(pos, head))
    pos += head
    for (let left = n >>> 6; left > 0; left--) {
      this.wordTo(pos)
      pos += 64
      value = (value << 64n) | view.getBigUint64(0)
    }
    return value
  }

  private wordTo(pos: number): void {
    const shift = pos & 7
    let at = pos >>> 3
    if (shift === 0) for (let i = 0; i < 8; i++) words[i] = this.byte(at + i)
    else {
      let high = this.byte(at)
      for (let i = 0; i < 8; i++) {
        const low = this.byte(++at)
        words[i] = (high << shift) | (low >>> (8 - shift))
        high = low
      }
    }
  }

  private short(n: number): never {
    throw new CellError('underflow', `cannot read ${n} bits: the slice has ${this.limit - this.pos} left`)
  }
}
