import { type ParsedAddress, parseAddress } from '../../../shared/fields/address.ts'
import { isWorkchain } from '../../config/index-accounts.ts'
import { createSelection, type Selection } from './selection.ts'

/* What the settings say of an index. */

/** Which part of a chain is indexed, and how it is read. */
export interface IndexPart {
  readonly from: number | 'head'
  readonly selection: Selection
  /** Blocks that are asked for at once. */
  readonly lanes: number
}

/** The selection of TONWAY_INDEX_ACCOUNTS; everything where it is empty. */
export const readSelection = (entries: readonly string[]): Selection =>
  createSelection(
    entries.filter((entry) => !isWorkchain(entry)).map((entry): ParsedAddress => parseAddress(entry)!),
    entries.filter((entry) => isWorkchain(entry)).map(Number),
  )

/** The first block of TONWAY_INDEX_FROM: a published network begins where it is, any other one with block 1. */
export const readFrom = (setting: number | 'auto' | 'head', published: boolean): number | 'head' =>
  setting === 'auto' ? (published ? 'head' : 1) : setting
