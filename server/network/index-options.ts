import { type ParsedAddress, parseAddress } from '../../shared/fields/address.ts'
import { publishedNetworks } from '../config/global-config-text.ts'
import { isWorkchain } from '../config/index-accounts.ts'
import { readKeep } from '../config/index-keep.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createSelection, type Selection } from '../index/service/account-selection.ts'
import type { IndexPart } from '../index/service/indexer.ts'

const readSelection = (entries: readonly string[]): Selection =>
  createSelection(
    entries.filter((entry) => !isWorkchain(entry)).map((entry): ParsedAddress => parseAddress(entry)!),
    entries.filter((entry) => isWorkchain(entry)).map(Number),
  )

/** Reads TONWAY_INDEX_FROM: `auto` means the head for a published network, and block 1 for any other. */
const readFrom = (setting: number | 'auto' | 'head', published: boolean): number | 'head' =>
  setting === 'auto' ? (published ? 'head' : 1) : setting

export const indexPart = ({ name, local, indexFrom, indexAccounts, indexKeep, indexLanes }: NetworkConfig): IndexPart => ({
  from: readFrom(indexFrom, !local && publishedNetworks.includes(name)),
  selection: readSelection(indexAccounts),
  lanes: indexLanes,
  keep: readKeep(indexKeep),
})
