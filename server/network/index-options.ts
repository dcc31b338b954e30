import { publishedNetworks } from '../config/global-config-text.ts'
import { readKeep } from '../config/index-keep.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { type IndexPart, readFrom, readSelection } from '../index/service/options.ts'

export const indexPart = ({ name, local, indexFrom, indexAccounts, indexKeep, indexLanes }: NetworkConfig): IndexPart => ({
  from: readFrom(indexFrom, !local && publishedNetworks.includes(name)),
  selection: readSelection(indexAccounts),
  lanes: indexLanes,
  keep: readKeep(indexKeep),
})
