import { type Cell, makeCell, ORDINARY } from './cell.ts'
import { fail, must } from './error.ts'

/** Eight digits of 0 and 1. */
const digits = (byte: number): string => (256 + byte).toString(2).slice(1)

/** A text of 0 and 1. */
export const bitsOf = (bytes: Uint8Array): string => Array.from(bytes, digits).join('')

/** Reads the bits and references of an ordinary cell in order. A pruned branch, or a read past the end, is refused. */
export class Reader {
  readonly cell: Cell
  bit = 0
  ref = 0

  constructor(cell: Cell) {
    must(cell.type === ORDINARY, 'the proof leaves out a part that it needs')
    this.cell = cell
  }

  get bitsLeft(): number {
    return this.cell.bits - this.bit
  }

  skip(bits: number): this {
    must(bits <= this.bitsLeft, `a cell of ${this.cell.bits} bits is too short`)
    this.bit += bits
    return this
  }

  /** Up to 32 bits. */
  uint(bits: number): number {
    const from = this.bit
    const { data } = this.skip(bits).cell
    let value = 0
    let got = -(from & 7)
    for (let at = from >> 3; got < bits; at++, got += 8) value = value * 256 + data[at]!
    return Math.floor((value / 2 ** (got - bits)) % 2 ** bits)
  }

  int(bits: number): number {
    const value = this.uint(bits)
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
  }

  flag(): boolean {
    return this.uint(1) === 1
  }

  big(bits: number): bigint {
    let value = 0n
    for (let left = bits; left > 0; left -= 32) {
      const part = Math.min(left, 32)
      value = (value << BigInt(part)) | BigInt(this.uint(part))
    }
    return value
  }

  bytes(count: number): Uint8Array {
    const { bit } = this
    const { data } = this.skip(8 * count).cell
    if ((bit & 7) === 0) return data.slice(bit >> 3, (bit >> 3) + count)
    const shift = 8 - (bit & 7)
    return Uint8Array.from({ length: count }, (_, i) => ((data[(bit >> 3) + i]! << 8) | data[(bit >> 3) + i + 1]!) >> shift)
  }

  /** Bits as a text of 0 and 1. */
  text(bits: number): string {
    const whole = bitsOf(this.bytes(bits >> 3))
    return bits & 7
      ? whole +
          this.uint(bits & 7)
            .toString(2)
            .padStart(bits & 7, '0')
      : whole
  }

  /** VarUInteger n, with `size` bits for its length: nanograms have 4. */
  varUint(size: number): bigint {
    return this.big(8 * this.uint(size))
  }

  /** nanograms$_ amount:(VarUInteger 16) = Grams; */
  coins(): bigint {
    return this.varUint(4)
  }

  next(): Cell {
    return this.cell.refs[this.ref++] ?? fail(`a cell of ${this.cell.refs.length} references has too few`)
  }

  maybe<T>(read: (r: this) => T): T | undefined {
    return this.flag() ? read(this) : undefined
  }

  maybeRef(): Cell | undefined {
    return this.maybe((r) => r.next())
  }

  /** Makes a cell of what was read since the positions `bit` and `ref`. */
  since(bit: number, ref: number): Cell {
    const again = new Reader(this.cell)
    again.bit = bit
    const bits = this.bit - bit
    const rest = bits & 7
    const whole = again.bytes(bits >> 3)
    const data = rest ? Uint8Array.of(...whole, (again.uint(rest) * 2 + 1) << (7 - rest)) : whole
    return makeCell(data, bits, this.cell.refs.slice(ref, this.ref))
  }

  /** Makes a cell of the unread bits and references. */
  rest(): Cell {
    const { bit, ref } = this
    this.skip(this.bitsLeft)
    this.ref = this.cell.refs.length
    return this.since(bit, ref)
  }

  /** Throws VerifyError if bits or references are left unread. */
  end(): void {
    must(this.bitsLeft === 0 && this.ref >= this.cell.refs.length, 'a cell with more in it than its type has')
  }
}

/** Reads a cell with `read`. Throws VerifyError if `read` leaves bits or references unread. */
export const readWhole = <T>(cell: Cell, read: (r: Reader) => T): T => {
  const r = new Reader(cell)
  const value = read(r)
  r.end()
  return value
}

/** Reads the tag of a type with only one constructor. Throws VerifyError for a tag other than `expected`. */
export const tag = (r: Reader, bits: number, expected: number, type: string): Reader => {
  const found = r.uint(bits)
  must(found === expected, () => `no ${type}: its tag is ${found.toString(16)}`)
  return r
}
