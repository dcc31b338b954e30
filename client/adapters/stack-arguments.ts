import type { Cell, TupleItem } from '@ton/core'
import type { Methods } from '../methods.ts'

/* Imports only types of @ton/core, because `get` of startTonway uses this file, and its users need not have installed that package. */

type Sent = Methods['runGetMethod']['params']['stack'][number]
type SentElement = Extract<Sent, readonly ['tuple' | 'tvm.Tuple', unknown]>[1]['elements'][number]

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64')

const sentElement = (item: TupleItem): SentElement => {
  switch (item.type) {
    case 'int':
      return { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: item.value.toString() } }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bocOf(item.cell) } }
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: bocOf(item.cell) } }
    case 'tuple':
      return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: item.items.map(sentElement) } }
    case 'null':
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
    default:
      throw new TypeError(`a ${item.type} cannot be an argument of a get-method`)
  }
}

/** Converts an argument of a get-method to its wire form; null becomes the empty list. Throws TypeError for a builder and for NaN, which servers reject. */
export const sentItem = (item: TupleItem): Sent => {
  const element = sentElement(item)
  if ('number' in element) return ['num', element.number.number]
  if ('cell' in element) return ['tvm.Cell', element.cell.bytes]
  if ('slice' in element) return ['tvm.Slice', element.slice.bytes]
  return 'tuple' in element ? ['tuple', element.tuple] : ['list', element.list]
}
