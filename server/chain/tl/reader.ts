import { TlError } from './error.ts'

export const BOOL_TRUE = 0x997275b5
export const BOOL_FALSE = 0xbc799737

/**
 * Maximum number of elements of all vectors of one answer. The longest real ones are proofs of 16 blocks, with a signature of each validator. A packet has
 * room for four million elements, which would take ten seconds to read.
 */
const MAX_ELEMENTS = 1 << 14

/** Reads TL from bytes. Every method throws TlError if it would read past the end. A class, because several readers are made for every packet. */
export class TlReader {
  private readonly data: Buffer
  private at = 0
  private elements = MAX_ELEMENTS
  constructor(source: Uint8Array) {
    this.data = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  }

  private take(length: number): number {
    const start = this.at
    if (length > this.data.length - start) throw new TlError(`${length} bytes expected at ${start}, ${this.data.length - start} left`)
    this.at = start + length
    return start
  }

  int(): number {
    return this.data.readInt32LE(this.take(4))
  }

  uint(): number {
    return this.data.readUInt32LE(this.take(4))
  }

  /** The constructor number that is read next; undefined if there is none. */
  peek(): number | undefined {
    return this.data.length < this.at + 4 ? undefined : this.data.readUInt32LE(this.at)
  }

  /** Unsigned, for shards and logical times. */
  long(): bigint {
    return this.data.readBigUInt64LE(this.take(8))
  }

  /** Returns a copy, because hashes may be stored longer than the answer that contains them. A view would retain the whole answer. */
  fixed(length: number): Uint8Array {
    const { data } = this
    return new Uint8Array(data.buffer, data.byteOffset + this.take(length), length).slice()
  }

  /** Returns a view of the bytes, without a copy. */
  bytes(): Uint8Array {
    const { data } = this
    let length = data[this.take(1)]!
    let head = 1
    if (length === 255) throw new TlError('bytes of 16 MiB or more')
    if (length === 254) {
      length = data.readUIntLE(this.take(3), 3)
      head = 4
    }
    const start = this.take(length)
    this.take(-(head + length) & 3)
    return new Uint8Array(data.buffer, data.byteOffset + start, length)
  }

  bool(): boolean {
    const id = this.uint()
    if (id !== BOOL_TRUE && id !== BOOL_FALSE) throw new TlError(`${id.toString(16)} is not a Bool`)
    return id === BOOL_TRUE
  }

  /** Number of elements of a vector. Throws if the remaining bytes are too few for that number. */
  vector(): number {
    const count = this.uint()
    const left = this.data.length - this.at
    // Every element of this schema has at least the 4 bytes of an int.
    if (count > left / 4) throw new TlError(`a vector of ${count} elements cannot fit in ${left} bytes`)
    this.elements -= count
    if (this.elements < 0) throw new TlError(`vectors of more than ${MAX_ELEMENTS} elements`)
    return count
  }

  end(): void {
    if (this.at !== this.data.length) throw new TlError(`${this.data.length - this.at} bytes left over`)
  }
}
