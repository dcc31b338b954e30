import type { Cell } from '../../cell/cell.ts'
import { finishOrdinary } from '../../cell/copy-cells.ts'
import { finishExotic } from '../../cell/exotic.ts'
import type { Slice } from '../../cell/slice.ts'

/** Bytes for the data of one builder: 1023 bits, and room for writing whole words. */
const SPACE = 128
const SLAB = 512 * SPACE

let slab = Buffer.allocUnsafeSlow(SLAB)
let slabAt = 0

/**
 * Memory that a chain of builders shares. A builder appends its new bits here. If another builder already wrote after these bits, the builder first copies its
 * own bits.
 */
class Space {
  readonly bytes: Buffer
  readonly base: number
  used = 0
  constructor() {
    if (slabAt === SLAB) {
      slab = Buffer.allocUnsafeSlow(SLAB)
      slabAt = 0
    }
    this.bytes = slab
    this.base = slabAt
    slabAt += SPACE
  }
}

const view = new DataView(new ArrayBuffer(32))
const words = new Uint8Array(view.buffer)

/**
 * A builder on a stack. A store returns a new builder and does not change the old one, because the old builder may be on the stack twice. Usually no bits are
 * copied. The caller must check `fits` first.
 */
export class VmBuilder {
  private readonly space: Space | null
  readonly bits: number
  readonly refs: number
  private readonly r0: Cell | undefined
  private readonly r1: Cell | undefined
  private readonly r2: Cell | undefined
  private readonly r3: Cell | undefined

  constructor(space: Space | null, bits: number, refs: number, r0?: Cell, r1?: Cell, r2?: Cell, r3?: Cell) {
    this.space = space
    this.bits = bits
    this.refs = refs
    this.r0 = r0
    this.r1 = r1
    this.r2 = r2
    this.r3 = r3
  }

  fits(bits: number, refs: number): boolean {
    return this.bits + bits <= 1023 && this.refs + refs <= 4
  }

  ref(i: number): Cell {
    return (i === 0 ? this.r0 : i === 1 ? this.r1 : i === 2 ? this.r2 : this.r3)!
  }

  /** Stores the low n bits of an integer, n <= 257. */
  storeInteger(value: number | bigint, n: number): VmBuilder {
    const space = this.open(n)
    if (typeof value === 'number' && n <= 53) {
      if (n <= 32) put(space, this.bits, value < 0 ? value >>> 0 : value % 4294967296, n)
      else {
        const high = Math.floor(value / 4294967296)
        put(space, this.bits, high >>> 0, n - 32)
        put(space, this.bits + n - 32, value - high * 4294967296, 32)
      }
    } else storeBig(space, this.bits, BigInt(value), n)
    return this.at(space, this.bits + n)
  }

  storeRef(cell: Cell): VmBuilder {
    const { space, bits, refs } = this
    return new VmBuilder(
      space,
      bits,
      refs + 1,
      refs === 0 ? cell : this.r0,
      refs === 1 ? cell : this.r1,
      refs === 2 ? cell : this.r2,
      refs === 3 ? cell : this.r3,
    )
  }

  storeSame(bit: 0 | 1, n: number): VmBuilder {
    const space = this.open(n)
    let at = this.bits
    for (let left = n; left > 0; left -= 32) {
      const take = Math.min(32, left)
      put(space, at, bit ? 0xffffffff : 0, take)
      at += take
    }
    return this.at(space, at)
  }

  storeBytes(bytes: Uint8Array): VmBuilder {
    const space = this.open(bytes.length * 8)
    putBytes(space, this.bits, bytes, bytes.length * 8)
    return this.at(space, this.bits + bytes.length * 8)
  }

  storeBits(source: Uint8Array, n: number, offset: number): VmBuilder {
    const space = this.open(n)
    let at = this.bits
    for (let from = offset; from < offset + n; ) {
      const take = Math.min(offset + n - from, 8 - (from & 7))
      put(space, at, source[from >>> 3]! >>> (8 - (from & 7) - take), take)
      from += take
      at += take
    }
    return this.at(space, at)
  }

  storeSlice(slice: Slice): VmBuilder {
    const n = slice.remainingBits
    let next: VmBuilder = this
    if (n > 0) {
      const space = this.open(n)
      if ((this.bits & 7) === 0) slice.copyTo(space.bytes.subarray(space.base + (this.bits >>> 3), space.base + SPACE), n)
      else putBytes(space, this.bits, slice.preloadBits(n), n)
      next = this.at(space, this.bits + n)
    }
    for (let i = 0; i < slice.remainingRefs; i++) next = next.storeRef(slice.preloadRef(i))
    return next
  }

  storeBuilder(other: VmBuilder): VmBuilder {
    let next: VmBuilder = this
    if (other.bits > 0) {
      const from = other.space!
      const space = this.open(other.bits)
      putBytes(space, this.bits, from.bytes.subarray(from.base, from.base + ((other.bits + 7) >>> 3)), other.bits)
      next = this.at(space, this.bits + other.bits)
    }
    for (let i = 0; i < other.refs; i++) next = next.storeRef(other.ref(i))
    return next
  }

  data(): Uint8Array {
    const count = (this.bits + 7) >>> 3
    const out = new Uint8Array(count)
    const { space } = this
    if (space === null) return out
    out.set(space.bytes.subarray(space.base, space.base + count))
    if (this.bits & 7) out[count - 1]! &= 0xff00 >> (this.bits & 7)
    return out
  }

  /** Makes an ordinary cell. Throws CellError `overflow` above depth 1024. */
  end(): Cell {
    return finishOrdinary(this.tagged(), this.bits, this.refs, this.r0, this.r1, this.r2, this.r3)
  }

  /** Makes an exotic cell; the first byte of the data is the type. Throws CellError for a malformed exotic cell. */
  endExotic(): Cell {
    return finishExotic(this.tagged(), this.bits, [this.r0, this.r1, this.r2, this.r3].slice(0, this.refs) as Cell[])
  }

  depth(): number {
    let depth = 0
    for (let i = 0; i < this.refs; i++) depth = Math.max(depth, this.ref(i).depth() + 1)
    return depth
  }

  private tagged(): string {
    const { space, bits } = this
    if (space === null || bits === 0) return ''
    const tail = bits & 7
    const end = space.base + ((bits + 7) >>> 3)
    if (tail === 0) return space.bytes.toString('latin1', space.base, end)
    // The bits after the data may belong to another builder, so the last byte is restored.
    const last = space.bytes[end - 1]!
    space.bytes[end - 1] = (last & (0xff00 >>> tail)) | (128 >>> tail)
    const data = space.bytes.toString('latin1', space.base, end)
    space.bytes[end - 1] = last
    return data
  }

  private at(space: Space, bits: number): VmBuilder {
    return new VmBuilder(space, bits, this.refs, this.r0, this.r1, this.r2, this.r3)
  }

  /** Returns memory in which n bits may be written after this builder's bits. */
  private open(n: number): Space {
    let { space } = this
    if (space === null) space = new Space()
    else if (space.used !== this.bits) {
      const fresh = new Space()
      const count = (this.bits + 7) >>> 3
      for (let i = 0; i < count; i++) fresh.bytes[fresh.base + i] = space.bytes[space.base + i]!
      space = fresh
    }
    space.used = this.bits + n
    return space
  }
}

export const EMPTY_BUILDER: VmBuilder = new VmBuilder(null, 0, 0)

/** Writes the low n <= 32 bits of a value at bit `at`. The bits after them in the last byte are overwritten. */
const put = (space: Space, at: number, value: number, n: number): void => {
  const { bytes, base } = space
  let to = at
  let left = n
  while (left > 0) {
    const free = 8 - (to & 7)
    const take = left < free ? left : free
    const bits = ((value >>> (left - take)) & ((1 << take) - 1)) << (free - take)
    const i = base + (to >>> 3)
    bytes[i] = free === 8 ? bits : (bytes[i]! & (0xff00 >>> (8 - free))) | bits
    to += take
    left -= take
  }
}

const putBytes = (space: Space, at: number, source: Uint8Array, n: number): void => {
  const whole = n >>> 3
  if ((at & 7) === 0) {
    const to = space.base + (at >>> 3)
    for (let i = 0; i < whole; i++) space.bytes[to + i] = source[i]!
  } else for (let i = 0; i < whole; i++) put(space, at + i * 8, source[i]!, 8)
  if (n & 7) put(space, at + whole * 8, source[whole]! >>> (8 - (n & 7)), n & 7)
}

const storeBig = (space: Space, at: number, value: bigint, n: number): void => {
  let to = at
  let left = n
  const head = n & 63
  if (head > 0) {
    const top = BigInt.asUintN(head, value >> BigInt(n - head))
    if (head > 32) {
      put(space, to, Number(top >> 32n), head - 32)
      put(space, to + head - 32, Number(top & 0xffffffffn), 32)
    } else put(space, to, Number(top), head)
    to += head
    left -= head
  }
  for (; left > 0; left -= 64) {
    view.setBigUint64(0, BigInt.asUintN(64, value >> BigInt(left - 64)))
    putBytes(space, to, words, 64)
    to += 64
  }
}
