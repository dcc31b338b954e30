import { Cell, type TupleItem } from '@ton/core'
import type { Methods } from '../methods.ts'

type Answered = Methods['runGetMethod']['result']['stack'][number]
type Element = Extract<Answered, ['tuple', unknown]>[1]['elements'][number]

/** A list in FunC's representation: nested pairs of head and tail, ending with null. */
const list = (elements: readonly Element[]): TupleItem =>
  elements.reduceRight<TupleItem>((tail, head) => ({ type: 'tuple', items: [answeredElement(head), tail] }), { type: 'null' })

const answeredElement = (element: Element): TupleItem => {
  switch (element['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'int', value: BigInt(element.number.number) }
    case 'tvm.stackEntryCell':
      return { type: 'cell', cell: Cell.fromBase64(element.cell.bytes) }
    case 'tvm.stackEntrySlice':
      return { type: 'slice', cell: Cell.fromBase64(element.slice.bytes) }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', items: element.tuple.elements.map(answeredElement) }
    case 'tvm.stackEntryList':
      return list(element.list.elements)
    default:
      throw new TypeError('a stack entry that no server accepts')
  }
}

/** Parses `0x1f` and `-0x1f`. */
const hex = (text: string): bigint => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

export const answeredItem = ([type, value]: Answered): TupleItem => {
  if (type === 'num') return { type: 'int', value: hex(value) }
  if (type === 'cell') return { type: 'cell', cell: Cell.fromBase64(value.bytes) }
  if (type === 'tuple') return { type: 'tuple', items: value.elements.map(answeredElement) }
  if (type === 'list') return list(value.elements)
  throw new TypeError('a stack entry that no server accepts')
}
