import * as z from 'zod'
import { base64, decimal } from './wire.ts'

export const tvmCell = z.strictObject({ '@type': z.literal('tvm.cell'), bytes: base64() }).meta({ id: 'TvmCell' })

/** An entry of the typed stack (v2.md 3.26); numbers are decimal. */
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

export const stackEntry: z.ZodType<StackEntry> = z
  .lazy(() =>
    z.discriminatedUnion('@type', [
      z.strictObject({
        '@type': z.literal('tvm.stackEntryNumber'),
        number: z.strictObject({ '@type': z.literal('tvm.numberDecimal'), number: decimal() }),
      }),
      z.strictObject({ '@type': z.literal('tvm.stackEntryCell'), cell: tvmCell }),
      z.strictObject({
        '@type': z.literal('tvm.stackEntrySlice'),
        slice: z.strictObject({ '@type': z.literal('tvm.slice'), bytes: base64() }),
      }),
      z.strictObject({ '@type': z.literal('tvm.stackEntryTuple'), tuple: tvmTuple }),
      z.strictObject({ '@type': z.literal('tvm.stackEntryList'), list: tvmList }),
      z.strictObject({ '@type': z.literal('tvm.stackEntryUnsupported') }),
    ]),
  )
  .meta({ id: 'StackEntry' })

const tvmTuple = z.strictObject({ '@type': z.literal('tvm.tuple'), elements: z.array(stackEntry) }).meta({ id: 'TvmTuple' })
const tvmList = z.strictObject({ '@type': z.literal('tvm.list'), elements: z.array(stackEntry) }).meta({ id: 'TvmList' })

/** A cell spelled out: `b64` are the data bytes with the completion bit, `len` the number of bits. */
export interface CellObject {
  data: { b64: string; len: number }
  refs: CellObject[]
  special: boolean
}
export const cellObject: z.ZodType<CellObject> = z
  .lazy(() =>
    z.strictObject({
      data: z.strictObject({ b64: base64(), len: z.int() }),
      refs: z.array(cellObject),
      special: z.boolean(),
    }),
  )
  .meta({ id: 'CellObject' })

/** An entry of the legacy stack as it is answered (v2.md 3.25): numbers are hex, slices come out as cells, null as an empty list. `object` is left out where the cells, shared ones repeated, are too many to spell out. */
export const legacyStackEntry = z
  .union([
    z.tuple([z.literal('num'), z.string().regex(/^-?0x[0-9a-f]+$/)]),
    z.tuple([z.literal('cell'), z.strictObject({ bytes: base64(), object: cellObject.optional() })]),
    z.tuple([z.literal('tuple'), tvmTuple]),
    z.tuple([z.literal('list'), tvmList]),
    z.tuple([z.literal('unsupported'), z.literal('')]),
  ])
  .meta({ id: 'LegacyStackEntry' })
