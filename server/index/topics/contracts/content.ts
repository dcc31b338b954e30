import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { readContent } from '../../../tlb/contracts/token-content.ts'

/** Reads TEP-64 content into the form of v3: a flat object of strings, with off-chain content as `uri`. Undefined if the cell has no such content. */
export const tokenContent = (cell: Cell): Readonly<Record<string, string>> | undefined =>
  attempt(() => {
    const content = cell.exotic ? undefined : readContent(cell)
    if (content === undefined) return undefined
    return content.type === 'offchain' ? { uri: content.data } : content.data
  })
