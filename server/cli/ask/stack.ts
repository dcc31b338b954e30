import type { Methods } from '../../../client/index.ts'
import { formatFriendly, parseAddress } from '../../../shared/fields/address.ts'
import { parseBocRoot, serializeBoc } from '../../cell/boc.ts'
import { beginCell } from '../../cell/builder.ts'
import { loadAddressInt, stdAddress, storeAddressInt } from '../../tlb/address.ts'

/* Arguments and results of get-methods as words of the command line. */

type Run = Methods['runGetMethod']
export type StackItem = Run['params']['stack'][number]
type Entry = Run['result']['stack'][number]
type Element = Extract<Entry, readonly ['tuple' | 'list', unknown]>[1]['elements'][number]

/** Parses an argument: a whole number, an address, or a BoC in base64. Throws an Error whose message is for the user. */
export const readStackItem = (text: string): StackItem => {
  if (/^-?(0x[0-9a-f]+|\d+)$/i.test(text)) return ['num', text]
  const address = parseAddress(text)
  if (address !== undefined) {
    const cell = storeAddressInt(beginCell(), stdAddress(address.workchain, address.hash)).end()
    return ['tvm.Slice', Buffer.from(serializeBoc(cell)).toString('base64')]
  }
  const [, slice, boc] = /^(slice:)?(te6cc\S*)$/.exec(text) ?? []
  if (boc === undefined)
    throw new Error(`${text} is not an argument: a whole number (12, -5, 0x1f), an address, or a BoC in base64 (te6cc...)`)
  return [slice === undefined ? 'tvm.Cell' : 'tvm.Slice', boc]
}

/** The address that is all of a cell; undefined for any other cell. */
const addressIn = (boc: string): string | undefined => {
  try {
    const slice = parseBocRoot(Buffer.from(boc, 'base64')).slice()
    const address = loadAddressInt(slice)
    slice.end()
    return address.type === 'std' ? formatFriendly(address) : undefined
  } catch {
    return undefined
  }
}

const numberText = (value: bigint): string => {
  const hex = (value < 0n ? -value : value).toString(16)
  return `number ${value} (${value < 0n ? '-' : ''}0x${hex})`
}

const bocText = (kind: string, boc: string): string => {
  const address = addressIn(boc)
  return `${kind} ${boc}${address === undefined ? '' : ` (address ${address})`}`
}

const elementText = (element: Element): string => {
  switch (element['@type']) {
    case 'tvm.stackEntryNumber':
      return numberText(BigInt(element.number.number))
    case 'tvm.stackEntryCell':
      return bocText('cell', element.cell.bytes)
    case 'tvm.stackEntrySlice':
      return bocText('slice', element.slice.bytes)
    case 'tvm.stackEntryTuple':
      return `tuple [${element.tuple.elements.map(elementText).join(', ')}]`
    case 'tvm.stackEntryList':
      return `list [${element.list.elements.map(elementText).join(', ')}]`
    default:
      return 'a value that JSON cannot have'
  }
}

/** Describes an entry of the stack with its type. */
export const entryText = ([kind, value]: Entry): string => {
  switch (kind) {
    case 'num':
      return numberText(value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value))
    case 'cell':
      return bocText('cell', value.bytes)
    case 'tuple':
    case 'list':
      return `${kind} [${value.elements.map(elementText).join(', ')}]`
    default:
      return 'a value that JSON cannot have'
  }
}
