import { type Cell, CellError } from '../../../cell/cell.ts'
import { readContent } from '../../../tlb/contracts/token-content.ts'

/** TEP-64 content as v3 tells it: one flat object of texts; a link off the chain is its `uri`. Undefined where it is no such content. */
export const tokenContent = (cell: Cell): Readonly<Record<string, string>> | undefined => {
  try {
    const content = cell.exotic ? undefined : readContent(cell)
    if (content === undefined) return undefined
    return content.type === 'offchain' ? { uri: content.data } : content.data
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}
