import { Cell } from '../../cell/cell.ts'
import { descriptor1, descriptor2, typeOf } from '../../cell/meta-word.ts'
import { Slice } from '../../cell/slice.ts'
import { toHex } from '../../tlb/bytes.ts'
import { VmBuilder } from './builder.ts'
import { isTuple, type Tuple, type Value } from './value.ts'
import { KINDS } from './vm-stack-value.ts'

/*
 * Values as texts, in the form of TON's node (StackEntry::print_list of ton-blockchain/ton crypto/vm/stack.cpp): `(1 2)` a list, `[1 2]` a tuple, `()` null,
 * `C{hash}`, `CS{Cell{descriptors and data} bits: from..to; refs: from..to}`, `BC{descriptors and data}`.
 */

/** Maximum number of values that are visited for one text. A list is searched for its end before it is printed, so more values are visited than printed. */
const MAX_VISITS = 10_000

const cellText = (refs: number, type: number, mask: number, bits: number, data: Uint8Array): string => {
  const tagged = Buffer.alloc((bits + 7) >>> 3)
  tagged.set(data.subarray(0, tagged.length))
  if ((bits & 7) !== 0) tagged[bits >>> 3]! |= 128 >>> (bits & 7)
  return toHex(Uint8Array.of(descriptor1(refs, type, mask), descriptor2(bits))) + tagged.toString('hex')
}

const sliceText = (slice: Slice): string => {
  const { base, bitsBefore, refsBefore, remainingBits, remainingRefs } = slice
  const { refCount, meta, levelMask, bits } = base
  const cell = cellText(refCount, typeOf(meta), levelMask, bits, base.data())
  return `CS{Cell{${cell}} bits: ${bitsBefore}..${bitsBefore + remainingBits}; refs: ${refsBefore}..${refsBefore + remainingRefs}}`
}

const builderText = (builder: VmBuilder): string => {
  let mask = 0
  for (let i = 0; i < builder.refs; i++) mask |= builder.ref(i).levelMask
  return `BC{${cellText(builder.refs, 0, mask, builder.bits, builder.data())}}`
}

/** Items of a list: `[1 [2 null]]` has 1 and 2. */
function* itemsOf(list: Value): Iterable<Value> {
  for (let rest = list; rest !== null; rest = (rest as Tuple)[1]!) yield (rest as Tuple)[0]!
}

class Printer {
  text = ''
  readonly #max: number
  #visits = 0

  constructor(max: number) {
    this.#max = max
  }

  get isFull(): boolean {
    return this.text.length > this.#max || this.#visits > MAX_VISITS
  }

  /** Returns whether nested pairs end with null: `[1 [2 null]]`. */
  #isList(value: Value): boolean {
    let at = value
    while (at !== null) {
      if (!isTuple(at) || at.length !== 2 || this.#visits++ > MAX_VISITS) return false
      at = at[1]!
    }
    return true
  }

  #tuple(value: Tuple): void {
    const isList = value.length === 2 && this.#isList(value)
    this.text += isList ? '(' : '['
    let isFirst = true
    for (const item of isList ? itemsOf(value) : value) {
      if (this.isFull) break
      if (!isFirst) this.text += ' '
      isFirst = false
      this.print(item)
    }
    this.text += isList ? ')' : ']'
  }

  print(value: Value): void {
    this.#visits++
    if (this.isFull) return
    if (value === null) this.text += '()'
    else if (typeof value === 'number' || typeof value === 'bigint') this.text += String(value)
    else if (value instanceof Cell) this.text += `C{${value.hashHex().toUpperCase()}}`
    else if (value instanceof Slice) this.text += sliceText(value)
    else if (value instanceof VmBuilder) this.text += builderText(value)
    else if (isTuple(value)) this.#tuple(value)
    else this.text += `Cont{vmc_${KINDS[value.kind]!.replace('-', '_')}}`
  }
}

/** The text of values, at most about `max` characters. A longer text is cut. */
export const printValues = (values: Iterable<Value>, max: number): string => {
  const printer = new Printer(max)
  let isFirst = true
  for (const value of values) {
    if (!isFirst) printer.text += ' '
    isFirst = false
    printer.print(value)
    if (printer.isFull) return `${printer.text.slice(0, max)}...`
  }
  return printer.text
}
