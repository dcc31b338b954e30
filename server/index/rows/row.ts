import { NULL } from './text.ts'

/*
 * Rows of the tables that have many, as in text.ts, but written column by column into one buffer, each followed by a tab, and made a text once: of a
 * hundred texts a row, joined by another, none is kept. A row is begun and ended in one go; what it holds is ASCII.
 */

let out = Buffer.allocUnsafeSlow(4_096)
let at = 0

const TAB = 0x09
const [TRUE, FALSE, MINUS, ZERO] = [...Buffer.from('tf-0')] as [number, number, number, number]
const HEX = Buffer.from('0123456789abcdef')
const [HIGH, LOW] = [new Uint8Array(256), new Uint8Array(256)]
for (let byte = 0; byte < 256; byte++) {
  HIGH[byte] = HEX[byte >> 4]!
  LOW[byte] = HEX[byte & 15]!
}

const room = (size: number): void => {
  if (at + size <= out.length) return
  const before = out
  out = Buffer.allocUnsafeSlow(2 * (at + size))
  out.set(before)
}

export const beginRow = (): void => {
  at = 0
}

/** The row that was begun, as a line of COPY's text format. */
export const endRow = (): string => out.toString('latin1', 0, at - 1)

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
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!
    out[at++] = HIGH[byte]!
    out[at++] = LOW[byte]!
  }
  out[at++] = TAB
}

export const putMaybeBytes = (bytes: Uint8Array | undefined): void => (bytes === undefined ? putNull() : putBytes(bytes))

/** bytea of bytes given as one-byte characters. */
export const putKey = (key: string): void => {
  const { length } = key
  openHex(length)
  for (let i = 0; i < length; i++) {
    const byte = key.charCodeAt(i)
    out[at++] = HIGH[byte]!
    out[at++] = LOW[byte]!
  }
  out[at++] = TAB
}

/** An integer; small ones by digits, most are. */
export const putNumber = (value: number): void => {
  if (value > 999 || value < -9) {
    putText(String(value))
    return
  }
  room(5)
  let rest = value
  if (rest < 0) {
    out[at++] = MINUS
    rest = -rest
  }
  if (rest > 99) out[at++] = ZERO + ((rest / 100) | 0)
  if (rest > 9) out[at++] = ZERO + (((rest / 10) | 0) % 10)
  out[at++] = ZERO + (rest % 10)
  out[at++] = TAB
}

export const putBig = (value: bigint): void => putText(String(value))

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
