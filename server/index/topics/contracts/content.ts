import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { readContent } from '../../../tlb/contracts/token-content.ts'

/** TEP-64 content in v3's form: a flat object of strings. Off-chain content is its `uri`. Undefined if the cell is not such content. */
export const tokenContent = (cell: Cell): Readonly<Record<string, string>> | undefined =>
  attempt(() => {
    const content = cell.exotic ? undefined : readContent(cell)
    if (content === undefined) return undefined
    return content.type === 'offchain' ? { uri: content.data } : content.data
  })
