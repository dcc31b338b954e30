import { type ParsedAddress, parseAddress } from '../../../shared/fields/address.ts'
import { isWorkchain } from '../../config/index-accounts.ts'
import { createSelection, type Selection } from './account-selection.ts'
import type { IndexerDeps } from './indexer.ts'

export type IndexPart = Required<Pick<IndexerDeps, 'from' | 'selection' | 'lanes'>> & Pick<IndexerDeps, 'keep'>

export const readSelection = (entries: readonly string[]): Selection =>
  createSelection(
    entries.filter((entry) => !isWorkchain(entry)).map((entry): ParsedAddress => parseAddress(entry)!),
    entries.filter((entry) => isWorkchain(entry)).map(Number),
  )

/** Reads TONWAY_INDEX_FROM: `auto` means the head for a published network, and block 1 for any other. */
export const readFrom = (setting: number | 'auto' | 'head', published: boolean): number | 'head' =>
  setting === 'auto' ? (published ? 'head' : 1) : setting
