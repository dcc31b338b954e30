import * as z from 'zod'
import { base64, decimal, flag, int, many, text, tlModel, tlObject } from './value-formats.ts'

export const tvmCell = tlModel('TvmCell', 'tvm.cell', { bytes: base64('The cell, as a BoC.') })

/** An entry of the typed stack. Numbers are decimal. */
export type StackEntry =
  | { '@type': 'tvm.stackEntryNumber'; number: { '@type': 'tvm.numberDecimal'; number: string } }
  | { '@type': 'tvm.stackEntryCell'; cell: { '@type': 'tvm.cell'; bytes: string } }
  | { '@type': 'tvm.stackEntrySlice'; slice: { '@type': 'tvm.slice'; bytes: string } }
  | { '@type': 'tvm.stackEntryTuple'; tuple: TvmTuple }
  | { '@type': 'tvm.stackEntryList'; list: TvmList }
  | { '@type': 'tvm.stackEntryUnsupported' }
export interface TvmTuple {
  '@type': 'tvm.tuple'
  elements: StackEntry[]
}
export interface TvmList {
  '@type': 'tvm.list'
  elements: StackEntry[]
}

const tvmNumber = tlModel('TvmNumber', 'tvm.numberDecimal', { number: decimal('The number, up to 257 bits.', '31') })
const tvmSlice = tlModel('TvmSlice', 'tvm.slice', { bytes: base64('The slice as a cell of its own, as a BoC.') })

export const stackEntry: z.ZodType<StackEntry> = z
  .lazy(() =>
    z.discriminatedUnion('@type', [
      tlObject('tvm.stackEntryNumber', { number: tvmNumber.describe('The number.') }),
      tlObject('tvm.stackEntryCell', { cell: tvmCell.describe('The cell.') }),
      tlObject('tvm.stackEntrySlice', { slice: tvmSlice.describe('The slice.') }),
      tlObject('tvm.stackEntryTuple', { tuple: tvmTuple.describe('The tuple.') }),
      tlObject('tvm.stackEntryList', { list: tvmList.describe('The list.') }),
      tlObject('tvm.stackEntryUnsupported', {}),
    ]),
  )
  .meta({ id: 'StackEntry' })

const tvmTuple = tlModel('TvmTuple', 'tvm.tuple', { elements: many('Its elements in their order.', stackEntry) })
const tvmList = tlModel('TvmList', 'tvm.list', { elements: many('Its elements in their order.', stackEntry) })

/** A cell as an object. `b64`: the data bytes with the completion bit. `len`: the number of bits. */
export interface CellObject {
  data: { b64: string; len: number }
  refs: CellObject[]
  special: boolean
}
const cellObject: z.ZodType<CellObject> = z
  .lazy(() =>
    z.strictObject({
      data: z
        .strictObject({
          b64: base64('The data bits, the last byte filled with a completion bit.'),
          len: int('How many data bits there are.', 32),
        })
        .describe('The data of the cell.'),
      refs: many('The cells that it refers to, at most four.', cellObject),
      special: flag('Whether the cell is exotic: pruned, a library reference, or part of a Merkle proof.'),
    }),
  )
  .meta({ id: 'CellObject' })

/**
 * An entry of the legacy stack in an answer: numbers are hex, slices become cells, null becomes an empty list. `object` is omitted if it would have too
 * many cells; a cell with two references counts twice.
 */
export const legacyStackEntry = z
  .union([
    z.tuple([z.literal('num'), text('The number in hex.', '0x1f').regex(/^-?0x[0-9a-f]+$/)]),
    z.tuple([
      z.literal('cell'),
      z.strictObject({
        bytes: base64('The cell, as a BoC.'),
        object: cellObject.describe('The cell as an object; left out if it is too large.').optional(),
      }),
    ]),
    z.tuple([z.literal('tuple'), tvmTuple]),
    z.tuple([z.literal('list'), tvmList]),
    z.tuple([z.literal('unsupported'), z.literal('')]),
  ])
  .meta({ id: 'LegacyStackEntry' })
