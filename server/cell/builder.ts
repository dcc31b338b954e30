import type { ByteString, Cell } from './cell.ts'
import { finishOrdinary } from './copy-cells.ts'
import { CellError } from './error.ts'
import { finishExotic } from './exotic.ts'
import { MAX_BITS, MAX_REFS } from './meta-word.ts'
import type { Slice } from './slice.ts'

const view = new DataView(new ArrayBuffer(8))
const words = new Uint8Array(view.buffer)
/** Free data buffers. A builder takes a buffer when it stores its first bit, and returns the buffer at `end()`. */
const spare: Buffer[] = []

/**
 * Collects up to 1023 bits and 4 references into a cell. A number out of range throws CellError `range`. Too many bits or references throw CellError
 * `overflow`.
 */
export class Builder {
  private data: Buffer | undefined
  private size = 0
  private count = 0
  private r0: Cell | undefined
  private r1: Cell | undefined
  private r2: Cell | undefined
  private r3: Cell | undefined
  /** Copy of the finished data, so that the builder can still be used after `end()` returned the buffer. */
  private done: ByteString = ''

  get bits(): number {
    return this.size
  }
  get refs(): number {
    return this.count
  }

  storeBit(bit: boolean | 0 | 1): this {
    return this.put(bit ? 1 : 0, 1)
  }

  storeUint(value: number | bigint, n: number): this {
    if (typeof value === 'number') {
      if (!(Number.isInteger(value) && value >= 0 && n >= 0 && (n >= 53 ? Number.isSafeInteger(value) : value < 2 ** n)))
        this.misfit(value, n)
      if (n <= 32) return this.put(value, n)
      if (n <= 64) return this.put(Math.floor(value / 4294967296), n - 32).put(value >>> 0, 32)
      return this.storeBigBits(BigInt(value), n)
    }
    if (!(value >= 0n && n >= 0 && n <= MAX_BITS && BigInt.asUintN(n, value) === value)) this.misfit(value, n)
    return this.storeBigBits(value, n)
  }

  storeInt(value: number | bigint, n: number): this {
    if (typeof value === 'number') {
      if (n <= 32) {
        const half = 2 ** (n - 1)
        if (!(Number.isInteger(value) && n >= 0 && (n === 0 ? value === 0 : value >= -half && value < half))) this.misfit(value, n)
        return this.put(n === 32 ? value >>> 0 : value & (2 ** n - 1), n)
      }
      if (!Number.isSafeInteger(value)) this.misfit(value, n)
      return this.storeInt(BigInt(value), n)
    }
    if (!(n >= 0 && n <= MAX_BITS && BigInt.asIntN(n, value) === value)) this.misfit(value, n)
    return this.storeBigBits(BigInt.asUintN(n, value), n)
  }

  storeBits(source: Uint8Array, n: number, offset = 0): this {
    if (!(n >= 0 && offset >= 0 && offset + n <= source.length * 8)) {
      throw new CellError('range', `cannot store ${n} bits from bit ${offset} of ${source.length} bytes`)
    }
    const data = this.room(n)
    let at = offset
    let left = n
    if (((this.size | at) & 7) === 0) {
      const whole = left >>> 3
      for (let i = 0, to = this.size >>> 3, from = at >>> 3; i < whole; i++) data[to + i] = source[from + i]!
      this.size += whole * 8
      at += whole * 8
      left &= 7
    }
    while (left > 0) {
      const take = Math.min(left, 8 - (at & 7))
      this.put((source[at >>> 3]! >>> (8 - (at & 7) - take)) & ((1 << take) - 1), take)
      at += take
      left -= take
    }
    return this
  }

  storeBytes(bytes: Uint8Array): this {
    return this.storeBits(bytes, bytes.length * 8)
  }

  storeRef(cell: Cell): this {
    if (this.count === MAX_REFS) throw new CellError('overflow', `more than ${MAX_REFS} references in a cell`)
    if (this.count === 0) this.r0 = cell
    else if (this.count === 1) this.r1 = cell
    else if (this.count === 2) this.r2 = cell
    else this.r3 = cell
    this.count++
    return this
  }
  storeMaybeRef(cell?: Cell): this {
    return cell === undefined ? this.storeBit(0) : this.storeBit(1).storeRef(cell)
  }

  /** Stores the remaining bits and references of a slice. The slice does not move. */
  storeSlice(slice: Slice): this {
    const n = slice.remainingBits
    if ((this.size & 7) === 0) {
      const data = this.room(n)
      slice.copyTo(data.subarray(this.size >>> 3), n)
      this.size += n
    } else this.storeBits(slice.preloadBits(n), n)
    for (let i = 0; i < slice.remainingRefs; i++) this.storeRef(slice.preloadRef(i))
    return this
  }

  storeBuilder(other: Builder): this {
    const n = other.size
    if (n > 0) this.storeBits(other.data ?? Buffer.from(other.done, 'latin1'), n)
    for (let i = 0; i < other.count; i++) this.storeRef(other.refAt(i))
    return this
  }

  storeCell(cell: Cell): this {
    return this.storeSlice(cell.slice())
  }

  /** Grams: VarUInteger 16, in nanograms. */
  storeCoins(value: bigint): this {
    return this.storeVarUint(value, 4)
  }
  /** VarUInteger with a length field of `lenBits` bits: 4 for VarUInteger 16, 5 for VarUInteger 32. */
  storeVarUint(value: bigint, lenBits: number): this {
    if (value < 0n) this.misfit(value, 8 * (2 ** lenBits - 1))
    const bytes = value === 0n ? 0 : (value.toString(16).length + 1) >>> 1
    if (bytes >= 2 ** lenBits) this.misfit(value, 8 * (2 ** lenBits - 1))
    return this.put(bytes, lenBits).storeBigBits(value, bytes * 8)
  }

  end(): Cell {
    return finishOrdinary(this.finish(), this.size, this.count, this.r0, this.r1, this.r2, this.r3)
  }

  /** Returns an exotic cell of the stored bits (type byte first) and references, checked as in TON. Throws CellError `range`, `overflow`, `proof`. */
  endExotic(): Cell {
    const refs = [this.r0, this.r1, this.r2, this.r3].slice(0, this.count) as Cell[]
    return finishExotic(this.finish(), this.size, refs)
  }

  private refAt(i: number): Cell {
    return (i === 0 ? this.r0 : i === 1 ? this.r1 : i === 2 ? this.r2 : this.r3)!
  }

  /** Returns the data as bytes with the completion tag, and puts the buffer back into `spare`. */
  private finish(): ByteString {
    const { data, size } = this
    if (data === undefined) return this.done
    const tail = size & 7
    if (tail !== 0) data[size >>> 3] = (data[size >>> 3]! & (0xff00 >>> tail)) | (128 >>> tail)
    this.done = data.toString('latin1', 0, (size + 7) >>> 3)
    this.data = undefined
    spare.push(data)
    return this.done
  }

  private room(n: number): Buffer {
    if (this.size + n > MAX_BITS) throw new CellError('overflow', `${this.size} + ${n} bits in a cell: the limit is ${MAX_BITS}`)
    if (this.data !== undefined) return this.data
    const data = spare.pop() ?? Buffer.allocUnsafeSlow(136)
    if (this.size > 0) data.write(this.done, 0, 'latin1')
    this.data = data
    return data
  }

  /** Appends an unsigned value that fits n bits, n <= 32. */
  private put(value: number, n: number): this {
    const data = this.room(n)
    let at = this.size
    let left = n
    while (left > 0) {
      const free = 8 - (at & 7)
      const take = Math.min(left, free)
      const bits = ((value >>> (left - take)) & ((1 << take) - 1)) << (free - take)
      const i = at >>> 3
      // The reused buffer has old data after the last bit. So a new byte is overwritten, and only a partly filled byte is merged.
      data[i] = free === 8 ? bits : (data[i]! & (0xff00 >>> (8 - free))) | bits
      at += take
      left -= take
    }
    this.size = at
    return this
  }

  private storeBigBits(value: bigint, n: number): this {
    this.room(n)
    const head = n & 63
    let words64 = n >>> 6
    if (head > 0) {
      const top = words64 === 0 ? value : value >> BigInt(words64 * 64)
      if (head > 32) this.put(Number(top >> 32n), head - 32).put(Number(top & 0xffffffffn), 32)
      else this.put(Number(top), head)
    }
    while (words64-- > 0) {
      view.setBigUint64(0, BigInt.asUintN(64, words64 === 0 ? value : value >> BigInt(words64 * 64)))
      this.storeBits(words, 64)
    }
    return this
  }

  private misfit(value: number | bigint, n: number): never {
    throw new CellError('range', `${value} does not fit ${n} bits`)
  }
}

export const beginCell = (): Builder => new Builder()
