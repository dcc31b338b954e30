import type { Cell } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import { readContent } from '../../../tlb/contracts/token-content.ts'

/**
 * Reads TEP-64 content in the form of the v3 API: a flat object of strings. Off-chain content becomes `uri`. Undefined if the cell does not contain TEP-64
 * content.
 */
export const tokenContent = (cell: Cell): Readonly<Record<string, string>> | undefined =>
  attempt(() => {
    const content = cell.exotic ? undefined : readContent(cell)
    if (content === undefined) return undefined
    return content.type === 'offchain' ? { uri: content.data } : content.data
  })
