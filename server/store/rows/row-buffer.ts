import type { Cell } from '../../cell/cell.ts'

/*
 * Writes columns in COPY's text format directly into the bytes that go to the server. A row of transactions has 75 columns; to join strings would
 * cost more than all other work on the row. Values are written as PostgreSQL itself writes them, so that `tonway verify` can compare rows as text.
 */

/** Bytes of a new buffer. */
const FIRST = 4_096
/** A piece ends at the first row after so many bytes. The data of one account can be 17 MB as text, and thirty of those are longer than the longest string. */
const PIECE = 16 << 20

const TAB = 0x09
const NEWLINE = 0x0a
const BACKSLASH = 0x5c
const [TRUE, FALSE, MINUS, ZERO] = [...Buffer.from('tf-0')] as [number, number, number, number]
const HEX = Buffer.from('0123456789abcdef')
/** Both digits of a byte, the high one first. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => (HEX[byte >> 4]! << 8) | HEX[byte & 15]!)
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Rows under construction. A column method appends one column, `endRow` ends the row, `dropRow` removes an unfinished row. */
export class RowBuffer {
  #out: Buffer = Buffer.alloc(0)
  #view = new DataView(this.#out.buffer)
  /** Where the next column goes. */
  #at = 0
  /** Where the last whole row ends. */
  #end = 0
  #count = 0
  /** Earlier pieces, each of whole rows. */
  readonly #pieces: Uint8Array[] = []
  #inPieces = 0
  /** Digits of a number, the last one first. */
  readonly #digits = new Uint8Array(16)
  readonly #hash = new Uint8Array(32)

  /** Number of finished rows. */
  get length(): number {
    return this.#count
  }

  /** Bytes of the finished rows. */
  get size(): number {
    return this.#inPieces + this.#end
  }

  /** Whole rows as lines, each with its end, in pieces of some megabytes; views that hold until the next row is begun. */
  bytes(): readonly Uint8Array[] {
    return this.#end === 0 ? this.#pieces : [...this.#pieces, this.#out.subarray(0, this.#end)]
  }

  /** Whole rows as texts without their ends. */
  lines(): readonly string[] {
    return this.bytes().flatMap((piece) =>
      Buffer.from(piece.buffer, piece.byteOffset, piece.length - 1)
        .toString()
        .split('\n'),
    )
  }

  endRow(): void {
    // The tab after the last column.
    this.#out[this.#at - 1] = NEWLINE
    this.#end = this.#at
    this.#count += 1
    if (this.#end >= PIECE) this.#endPiece()
  }

  #endPiece(): void {
    this.#pieces.push(this.#out.subarray(0, this.#end))
    this.#inPieces += this.#end
    this.#at = 0
    this.#end = 0
    this.#setOut(Buffer.alloc(0))
  }

  dropRow(): void {
    this.#at = this.#end
  }

  /** Makes room for this many bytes and returns their position. */
  #room(size: number): number {
    const at = this.#at
    if (at + size > this.#out.length) this.#grow(at + size)
    return at
  }

  #grow(least: number): void {
    const before = this.#out
    this.#setOut(Buffer.allocUnsafeSlow(Math.max(FIRST, least < PIECE ? 2 * least : least + PIECE / 8)))
    before.copy(this.#out, 0, 0, this.#at)
  }

  #setOut(out: Buffer): void {
    this.#out = out
    this.#view = new DataView(out.buffer, out.byteOffset, out.length)
  }

  null(): void {
    let at = this.#room(3)
    const out = this.#out
    out[at++] = BACKSLASH
    out[at++] = 0x4e
    out[at++] = TAB
    this.#at = at
  }

  /** bytea, from bytes or from a string of one-byte characters. */
  bytea(value: Uint8Array | string): void {
    const { length } = value
    let at = this.#room(2 * length + 4)
    const out = this.#out
    const view = this.#view
    out[at++] = BACKSLASH
    out[at++] = BACKSLASH
    out[at++] = 0x78
    if (typeof value === 'string') for (let i = 0; i < length; i++, at += 2) view.setUint16(at, DIGITS[value.charCodeAt(i) & 255]!)
    else for (let i = 0; i < length; i++, at += 2) view.setUint16(at, DIGITS[value[i]!]!)
    out[at++] = TAB
    this.#at = at
  }

  /** bytea: the hash of a cell. */
  cellHash(cell: Cell): void {
    cell.hashTo(this.#hash)
    this.bytea(this.#hash)
  }

  /** bytea: the hashes of cells, one after the other. */
  cellHashes(cells: readonly Cell[]): void {
    const all = new Uint8Array(32 * cells.length)
    for (const [i, cell] of cells.entries()) cell.hashTo(all.subarray(32 * i))
    this.bytea(all)
  }

  /** An integer from -(2^53 - 1) to 2^53 - 1. */
  number(value: number): void {
    let at = this.#room(18)
    const out = this.#out
    const digits = this.#digits
    let rest = value
    if (rest < 0) {
      out[at++] = MINUS
      rest = -rest
    }
    let count = 0
    // Above 2^31 a division leaves the small integers that the loop below is quick with.
    while (rest > 0x7fffffff) {
      const tenth = Math.floor(rest / 10)
      digits[count++] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    let small = rest | 0
    do {
      const tenth = (small / 10) | 0
      digits[count++] = ZERO + (small - tenth * 10)
      small = tenth
    } while (small > 0)
    while (count > 0) out[at++] = digits[--count]!
    out[at++] = TAB
    this.#at = at
  }

  integer(value: bigint | number): void {
    if (typeof value === 'number') this.number(value)
    else if (value <= MAX_SAFE && value >= -MAX_SAFE) this.number(Number(value))
    else this.ascii(String(value))
  }

  bool(value: boolean): void {
    let at = this.#room(2)
    this.#out[at++] = value ? TRUE : FALSE
    this.#out[at++] = TAB
    this.#at = at
  }

  /** A column that is already in COPY's text format, in ASCII. */
  ascii(text: string): void {
    const { length } = text
    let at = this.#room(length + 1)
    const out = this.#out
    for (let i = 0; i < length; i++) out[at++] = text.charCodeAt(i)
    out[at++] = TAB
    this.#at = at
  }

  /** Any text. PostgreSQL has no zero character, so it is left out. */
  text(value: string): void {
    const escaped = value.replaceAll('\0', '').replace(/[\\\n\r\t]/g, (char) => ESCAPES[char]!)
    let at = this.#room(3 * escaped.length + 1)
    at += this.#out.write(escaped, at, 'utf8')
    this.#out[at++] = TAB
    this.#at = at
  }
}
