import type { Cell } from '../../../cell/cell.ts'
import { NULL } from './text.ts'

/*
 * Rows of the tables that have many, as in text.ts, but written column by column into the bytes that go to the server: of a hundred texts a row,
 * joined by others, none is made. A row is begun and ended in one go; what it holds is ASCII.
 */

const EMPTY = Buffer.alloc(0)
const NO_VIEW: DataView = new DataView(EMPTY.buffer)
/** Bytes that a table begins with. */
const FIRST = 4_096

/** Rows of one table, in the order in which they were written. */
export interface RowBytes {
  /** How many rows there are. */
  readonly length: number
  /** Lines of COPY's text format, each with its end; a view that holds until the next row is begun. */
  bytes(): Uint8Array
  /** The same as texts without their ends. */
  lines(): readonly string[]
}

/** Rows that are still being written. */
export class RowTable implements RowBytes {
  /** @internal Grows; what is written ends at `end`. */
  buffer: Buffer = EMPTY
  /** @internal */
  view = NO_VIEW
  /** @internal */
  end = 0
  /** @internal */
  count = 0

  get length(): number {
    return this.count
  }
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.end)
  }
  lines(): readonly string[] {
    return this.count === 0 ? [] : this.buffer.toString('latin1', 0, this.end - 1).split('\n')
  }
}

/** The table that is written to, its buffer, and where its next column goes. */
let table: RowTable | undefined
let out: Buffer = EMPTY
let view = NO_VIEW
let at = 0

const TAB = 0x09
const NEWLINE = 0x0a
const [TRUE, FALSE, MINUS, ZERO] = [...Buffer.from('tf-0')] as [number, number, number, number]
const HEX = Buffer.from('0123456789abcdef')
/** Both digits of a byte, the high one first. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => (HEX[byte >> 4]! << 8) | HEX[byte & 15]!)

const room = (size: number): void => {
  if (at + size <= out.length) return
  const before = out
  out = Buffer.allocUnsafeSlow(Math.max(FIRST, 2 * (at + size)))
  view = new DataView(out.buffer, out.byteOffset, out.length)
  before.copy(out, 0, 0, at)
}

/** Begins a row of a table; one that was begun and not ended is forgotten. */
export const beginRow = (of: RowTable): void => {
  table = of
  out = of.buffer
  view = of.view
  at = of.end
}

export const endRow = (): void => {
  if (table === undefined) throw new Error('no row was begun')
  // The tab after the last column.
  out[at - 1] = NEWLINE
  table.buffer = out
  table.view = view
  table.end = at
  table.count += 1
  // Nothing of a group is held on to.
  table = undefined
  out = EMPTY
  view = NO_VIEW
}

/** A column that is a text already, or several with tabs between them. */
export const putText = (text: string): void => {
  const { length } = text
  room(length + 1)
  for (let i = 0; i < length; i++) out[at++] = text.charCodeAt(i)
  out[at++] = TAB
}

export const putNull = (): void => putText(NULL)

/** bytea: two backslashes, an x, digits. */
const openHex = (length: number): void => {
  room(2 * length + 4)
  out[at++] = 0x5c
  out[at++] = 0x5c
  out[at++] = 0x78
}

export const putBytes = (bytes: Uint8Array): void => {
  const { length } = bytes
  openHex(length)
  for (let i = 0; i < length; i++, at += 2) view.setUint16(at, DIGITS[bytes[i]!]!)
  out[at++] = TAB
}

const hash = new Uint8Array(32)

/** The hash of a cell. */
export const putHash = (cell: Cell): void => {
  cell.hashTo(hash)
  putBytes(hash)
}

export const putMaybeBytes = (bytes: Uint8Array | undefined): void => (bytes === undefined ? putNull() : putBytes(bytes))

/** bytea of bytes given as one-byte characters. */
export const putKey = (key: string): void => {
  const { length } = key
  openHex(length)
  for (let i = 0; i < length; i++, at += 2) view.setUint16(at, DIGITS[key.charCodeAt(i)]!)
  out[at++] = TAB
}

/** Digits of an integer from 0 to 2^53 - 1, the last one first. */
const digits = new Uint8Array(16)

/** An integer by its digits, no text is made. */
export const putNumber = (value: number): void => {
  room(18)
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
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER)

export const putBig = (value: bigint): void => {
  if (value <= MOST && value >= -MOST) putNumber(Number(value))
  else putText(String(value))
}

export const putMaybe = (value: number | bigint | undefined): void => {
  if (value === undefined) putNull()
  else if (typeof value === 'number') putNumber(value)
  else putBig(value)
}

export const putBool = (value: boolean): void => {
  room(2)
  out[at++] = value ? TRUE : FALSE
  out[at++] = TAB
}

export const putMaybeBool = (value: boolean | undefined): void => (value === undefined ? putNull() : putBool(value))
