/*
 * JSON written as bytes. A large answer is mostly hashes, addresses and names of members: as strings each of them would be made, copied into a text and
 * copied into bytes, and all of that would be garbage. Here they go from the bytes of a row to the bytes of the answer.
 */

/** Bytes that there is room for at first. */
const ROOM = 1 << 17

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const EQUALS = 0x3d
const ZERO = 0x30

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

const BASE64 = ascii('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const HEX = ascii('0123456789ABCDEF')
const NULL = ascii('null')
const TRUE = ascii('true')
const FALSE = ascii('false')

/** Decimal digits of the integers that are written digit by digit. */
const MOST_DIGITS = 1_000_000_000
/** Longer texts are copied by the system: a call of it takes as long as some thirty bytes. */
const SHORT = 48
/** Most bytes of one character of a string. */
const WIDEST = 3

/** Text of JSON that is always the same, such as a member's name. */
export const jsonPart = (text: string): Buffer => Buffer.from(text)

/** Gathers JSON. Nothing is checked: the caller writes values and what stands between them in their order. */
export class JsonBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(ROOM)
  #at = 0
  /** Whether all that was written since the last text is ASCII: text is made faster then. */
  #isAscii = true

  /** Bytes that are there. */
  get length(): number {
    return this.#at
  }

  /** Gives the bytes away, in memory of their own. */
  take(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.#at)
    this.#bytes.copy(taken, 0, 0, this.#at)
    this.#at = 0
    // One value that was very long does not stay in memory.
    if (this.#bytes.length > 4 * ROOM) this.#bytes = Buffer.allocUnsafeSlow(ROOM)
    return taken
  }

  /** Gives the bytes away as text. */
  text(): string {
    const text = this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.#at)
    this.#at = 0
    this.#isAscii = true
    return text
  }

  /** A copy of the bytes from a place on: a value that will be written again by this writer, before its text is taken. */
  since(from: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, from, this.#at)
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + bytes))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }

  /** A part that is JSON already. */
  part(part: Uint8Array): void {
    const { length } = part
    this.#reserve(length)
    const bytes = this.#bytes
    const at = this.#at
    if (length > SHORT) bytes.set(part, at)
    else for (let i = 0; i < length; i++) bytes[at + i] = part[i]!
    this.#at = at + length
  }

  /** Text that is JSON already. */
  json(text: string): void {
    this.#reserve(WIDEST * text.length)
    const length = this.#bytes.write(text, this.#at)
    if (length !== text.length) this.#isAscii = false
    this.#at += length
  }

  comma(): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = COMMA
  }

  null(): void {
    this.part(NULL)
  }

  boolean(value: boolean): void {
    this.part(value ? TRUE : FALSE)
  }

  /** A finite number. */
  number(value: number): void {
    if (Number.isInteger(value) && value > -MOST_DIGITS && value < MOST_DIGITS) this.#digits(value)
    else this.#plain(String(value))
  }

  #digits(value: number): void {
    this.#reserve(10)
    const bytes = this.#bytes
    let left = value
    if (left < 0) {
      bytes[this.#at++] = MINUS
      left = -left
    }
    let digits = 1
    for (let bound = 10; bound <= left; bound *= 10) digits++
    for (let at = this.#at + digits - 1; at >= this.#at; at--) {
      const rest = (left / 10) | 0
      bytes[at] = ZERO + left - 10 * rest
      left = rest
    }
    this.#at += digits
  }

  #plain(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    const at = this.#at
    for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i)
    this.#at = at + length
  }

  #quote(): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = QUOTE
  }

  /** A string of ASCII letters and digits, which needs no escapes. */
  word(text: string): void {
    this.#quote()
    this.#plain(text)
    this.#quote()
  }

  /** Bytes as a string of base64. */
  base64(value: Uint8Array): void {
    const { length } = value
    this.#reserve(4 * Math.ceil(length / 3) + 2)
    const bytes = this.#bytes
    let at = this.#at
    bytes[at++] = QUOTE
    let i = 0
    for (; i + 2 < length; i += 3) {
      const three = (value[i]! << 16) | (value[i + 1]! << 8) | value[i + 2]!
      bytes[at] = BASE64[three >> 18]!
      bytes[at + 1] = BASE64[(three >> 12) & 63]!
      bytes[at + 2] = BASE64[(three >> 6) & 63]!
      bytes[at + 3] = BASE64[three & 63]!
      at += 4
    }
    if (i < length) {
      const isLast = i + 1 === length
      const two = (value[i]! << 8) | (isLast ? 0 : value[i + 1]!)
      bytes[at] = BASE64[two >> 10]!
      bytes[at + 1] = BASE64[(two >> 4) & 63]!
      bytes[at + 2] = isLast ? EQUALS : BASE64[(two << 2) & 63]!
      bytes[at + 3] = EQUALS
      at += 4
    }
    bytes[at++] = QUOTE
    this.#at = at
  }

  /** A raw address in upper case: `account` as rows have it, the workchain in four bytes and the id. */
  address(account: Buffer): void {
    this.#quote()
    this.number(account.readInt32BE(0))
    const { length } = account
    this.#reserve(2 * length)
    const bytes = this.#bytes
    let at = this.#at
    bytes[at++] = COLON
    for (let i = 4; i < length; i++) {
      const byte = account[i]!
      bytes[at] = HEX[byte >> 4]!
      bytes[at + 1] = HEX[byte & 15]!
      at += 2
    }
    bytes[at++] = QUOTE
    this.#at = at
  }
}

/** Writers of short answers that are used again: memory of this size is fetched from the system each time. */
const SPARE: JsonBytes[] = []
const MOST_SPARE = 8

/** A writer for an answer that is likely short. */
export const borrowJsonBytes = (): JsonBytes => SPARE.pop() ?? new JsonBytes()

/** Gives an empty writer back. */
export const returnJsonBytes = (out: JsonBytes): void => {
  if (SPARE.length < MOST_SPARE) SPARE.push(out)
}
