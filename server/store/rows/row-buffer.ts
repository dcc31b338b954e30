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
const HEX = Buffer.from('0123456789abcdef')
/** The two hex digits of each byte as one number, with the high digit in its high byte. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => (HEX[byte >> 4]! << 8) | HEX[byte & 15]!)

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Rows that are being written. A column method appends one column, `endRow` ends the row, and `dropRow` removes an unfinished row. */
export class RowBuffer {
  #out: Buffer = Buffer.alloc(0)
  #view = new DataView(this.#out.buffer)
  #at = 0
  /** End of the last finished row. */
  #end = 0
  #count = 0
  readonly #pieces: Uint8Array[] = []
  #inPieces = 0

  get length(): number {
    return this.#count
  }

  get size(): number {
    return this.#inPieces + this.#end
  }

  /** Lines with line ends, in chunks of some megabytes. The chunks are views that are valid until the next row is added. */
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
    this.ascii('\\N')
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
