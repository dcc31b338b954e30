/*
 * The notation in which server/protocols describes bodies of messages and the types in them. Each constructor is one line:
 *
 *   kind tag name  fields      (example: `internal 595f07bc jetton_burn  query_id u64, amount vu16`)
 *
 * kind    `internal`, `external`, `forward`, `event`: what carries a body (BodyKind); `type X`: a constructor of the type X
 * tag     eight hex digits for bodies; for types `-` (none), `b01` (bits) or `x7f` (hex digits)
 * name    the constructor's name in answers, `-` for none
 * fields  `name type` separated by commas; `_` is a field without a name. A line that begins with a space continues the previous line.
 *
 * Types of fields:
 *   u8 i257 bits512      unsigned and signed numbers and bit strings of any width; `u8<=1`, `u13>=6000` and `u8=2` limit a number
 *   vu16 coins grams     VarUInteger 16; `coins` (Coins) and `grams` (Grams) show it within an object of that type
 *   bool nat1 snake      `snake`: text that continues in references
 *   address address_int address_ext   MsgAddress, MsgAddressInt, MsgAddressExt
 *   cell any             the rest of the slice; inside another type, answers show `^any` as a reference, but not `^cell`
 *   X                    a type that a line of kind `type X` defines
 *   ?T  (A | B)  ^T      Maybe, Either, a reference
 *   !T                   Maybe with an inverted bit
 *   @T                   a field whose type is an argument of the record's type; if it is a reference, answers show the reference
 *   ^[ fields ]          a reference to a record without a name
 *   dict 32 T, tree 8 T  HashmapE and Hashmap with keys of this many bits
 *   if flags.0 T, if n T a field that is present only if bit 0 of the earlier field `flags` (or the number `n`) is not zero
 * Types that the notation cannot express are in builtin-types.ts. They are used by name, like a type X.
 */

/** What carries a body: an internal message, an external message, the forward payload of a transfer, or an event in a log. */
export type BodyKind = 'internal' | 'external' | 'forward' | 'event'

export type TypeNode =
  | { readonly node: 'named'; readonly name: string }
  | { readonly node: 'number'; readonly signed: boolean; readonly bits: number; readonly least?: bigint; readonly most?: bigint }
  | { readonly node: 'bits'; readonly bits: number }
  | { readonly node: 'maybe' | 'inverted' | 'ref' | 'argument'; readonly of: TypeNode }
  | { readonly node: 'either'; readonly first: TypeNode; readonly second: TypeNode }
  | { readonly node: 'record'; readonly fields: readonly FieldNode[] }
  | { readonly node: 'dict'; readonly bits: number; readonly of: TypeNode; readonly empty: boolean }
  | { readonly node: 'if'; readonly field: string; readonly bit: number | null; readonly of: TypeNode }

export interface FieldNode {
  /** '' for a field without a name (`_`). */
  readonly name: string
  readonly type: TypeNode
}

export interface Row {
  /** The kind of a body; for lines of kind `type` the name of the type. */
  readonly kind: BodyKind | { readonly type: string }
  /** The tag and its width in bits; width 0 means no tag. */
  readonly tag: number
  readonly tagBits: number
  readonly name: string
  readonly fields: readonly FieldNode[]
}

const TOKEN = /\s*(?:([A-Za-z_]\w*)|(\d+)|(<=|>=|[?!@^()[\]|,.=]))/y

const tokensOf = (text: string): string[] => {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text)
    if (match === null) throw new Error(`catalogue: cannot read "${text}"`)
    tokens.push(match[1] ?? match[2] ?? match[3]!)
  }
  return tokens
}

class Reader {
  private readonly tokens: readonly string[]
  private at = 0

  constructor(tokens: readonly string[]) {
    this.tokens = tokens
  }

  get done(): boolean {
    return this.at === this.tokens.length
  }

  take(): string {
    const token = this.tokens[this.at++]
    if (token === undefined) throw new Error(`catalogue: "${this.tokens.join(' ')}" ends too early`)
    return token
  }

  takeIf(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at++
    return true
  }

  expect(token: string): void {
    const found = this.take()
    if (found !== token) throw new Error(`catalogue: "${token}" expected, not "${found}", in "${this.tokens.join(' ')}"`)
  }

  fields(): FieldNode[] {
    const fields: FieldNode[] = []
    if (this.done || this.takeIf(']')) return fields
    for (;;) {
      const name = this.take()
      fields.push({ name: name === '_' ? '' : name, type: this.type() })
      if (this.done || this.takeIf(']')) return fields
      this.expect(',')
    }
  }

  type(): TypeNode {
    if (this.takeIf('?')) return { node: 'maybe', of: this.type() }
    if (this.takeIf('!')) return { node: 'inverted', of: this.type() }
    if (this.takeIf('@')) return { node: 'argument', of: this.type() }
    if (this.takeIf('(')) {
      const first = this.type()
      this.expect('|')
      const second = this.type()
      this.expect(')')
      return { node: 'either', first, second }
    }
    if (this.takeIf('^')) {
      return { node: 'ref', of: this.takeIf('[') ? { node: 'record', fields: this.fields() } : this.type() }
    }
    return this.word(this.take())
  }

  private word(word: string): TypeNode {
    if (word === 'dict' || word === 'tree') return { node: 'dict', bits: Number(this.take()), of: this.type(), empty: word === 'dict' }
    if (word === 'if') {
      const field = this.take()
      return { node: 'if', field, bit: this.takeIf('.') ? Number(this.take()) : null, of: this.type() }
    }
    const sized = /^(u|i|bits)(\d+)$/.exec(word)
    if (sized === null) return { node: 'named', name: word }
    const bits = Number(sized[2])
    if (sized[1] === 'bits') return { node: 'bits', bits }
    const number = { node: 'number', signed: sized[1] === 'i', bits } as const
    if (this.takeIf('<=')) return { ...number, most: BigInt(this.take()) }
    if (this.takeIf('>=')) return { ...number, least: BigInt(this.take()) }
    if (!this.takeIf('=')) return number
    const only = BigInt(this.take())
    return { ...number, least: only, most: only }
  }
}

const tagOf = (text: string, body: boolean): { tag: number; tagBits: number } => {
  if (body && /^[0-9a-f]{8}$/.test(text)) return { tag: Number.parseInt(text, 16), tagBits: 32 }
  if (!body && text === '-') return { tag: 0, tagBits: 0 }
  if (!body && /^b[01]+$/.test(text)) return { tag: Number.parseInt(text.slice(1), 2), tagBits: text.length - 1 }
  if (!body && /^x[0-9a-f]+$/.test(text)) return { tag: Number.parseInt(text.slice(1), 16), tagBits: 4 * (text.length - 1) }
  throw new Error(`catalogue: "${text}" is no tag`)
}

const rowOf = (line: string): Row => {
  const match = /^(internal|external|forward|event|type (\w+)) (\S+) (\S+)(?: +(.*))?$/.exec(line)
  if (match === null) throw new Error(`catalogue: cannot read "${line}"`)
  const [, kind, type, tag, name, fields] = match
  return {
    kind: type === undefined ? (kind as BodyKind) : { type },
    ...tagOf(tag!, type === undefined),
    name: name === '-' ? '' : name!,
    fields: new Reader(tokensOf(fields ?? '')).fields(),
  }
}

/** Reads the lines of a part of the catalogue. Throws Error for anything outside the notation. */
export const readTable = (text: string): Row[] =>
  text
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
    .map(rowOf)

/** Formats an opcode as a tag, for a text of the notation that takes the opcode from a constant. */
export const tag = (opcode: number): string => opcode.toString(16).padStart(8, '0')
