import type { Cell } from '../../cell/cell.ts'

/*
 * Writes columns in COPY's text format directly into the buffer that is sent to the server. A row of transactions has 75 columns, so joining strings would cost
 * more than all other work on the row. Values are formatted as PostgreSQL formats them, so that `tonway verify` can compare rows as text.
 */

/** Initial size of a buffer, in bytes. */
const FIRST = 4_096
/** A chunk ends with the first row beyond this many bytes. A string could not hold all rows: the data of one account can be 17 MB as text. */
const PIECE = 16 << 20

const TAB = 0x09
const NEWLINE = 0x0a
const BACKSLASH = 0x5c
const [TRUE, FALSE, MINUS, ZERO] = [...Buffer.from('tf-0')] as [number, number, number, number]
const HEX = Buffer.from('0123456789abcdef')
/** The two hex digits of each byte as one number, with the high digit in its high byte. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => (HEX[byte >> 4]! << 8) | HEX[byte & 15]!)
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Rows that are being written. A column method appends one column, `endRow` ends the row, and `dropRow` removes an unfinished row. */
export class RowBuffer {
  #out: Buffer = Buffer.alloc(0)
  #view = new DataView(this.#out.buffer)
  /** Position of the next column. */
  #at = 0
  /** End of the last finished row. */
  #end = 0
  #count = 0
  readonly #pieces: Uint8Array[] = []
  #inPieces = 0
  /** Digits of a number, in reverse order. */
  readonly #digits = new Uint8Array(16)
  readonly #hash = new Uint8Array(32)

  get length(): number {
    return this.#count
  }

  get size(): number {
    return this.#inPieces + this.#end
  }

  bytes(): readonly Uint8Array[] {
    return this.#end === 0 ? this.#pieces : [...this.#pieces, this.#out.subarray(0, this.#end)]
  }

  lines(): readonly string[] {
    return this.bytes().flatMap((piece) =>
      Buffer.from(piece.buffer, piece.byteOffset, piece.length - 1)
        .toString()
        .split('\n'),
    )
  }

  endRow(): void {
    // Replaces the tab after the last column.
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

  /** Makes sure that this many bytes fit, and returns the position for them. */
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

  /** Appends a bytea column. A string has one-byte characters. */
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

  cellHash(cell: Cell): void {
    cell.hashTo(this.#hash)
    this.bytea(this.#hash)
  }

  cellHashes(cells: readonly Cell[]): void {
    const all = new Uint8Array(32 * cells.length)
    for (const [i, cell] of cells.entries()) cell.hashTo(all.subarray(32 * i))
    this.bytea(all)
  }

  /** Appends an integer from -(2^53 - 1) to 2^53 - 1. */
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
    // Numbers above 2^31 are divided here, because the loop below is fast only for small integers (V8's Smi).
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

  /** Appends a column that is already in COPY's text format, in ASCII. */
  ascii(text: string): void {
    const { length } = text
    let at = this.#room(length + 1)
    const out = this.#out
    for (let i = 0; i < length; i++) out[at++] = text.charCodeAt(i)
    out[at++] = TAB
    this.#at = at
  }

  /** Appends a text without its zero characters, because PostgreSQL cannot store them. */
  text(value: string): void {
    const escaped = value.replaceAll('\0', '').replace(/[\\\n\r\t]/g, (char) => ESCAPES[char]!)
    let at = this.#room(3 * escaped.length + 1)
    at += this.#out.write(escaped, at, 'utf8')
    this.#out[at++] = TAB
    this.#at = at
  }
}
