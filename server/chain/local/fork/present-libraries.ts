import { dictPathOf } from '../../../cell/absent.ts'
import { uniqueCells, WHOLE_STATE } from '../../../cell/budget.ts'
import { type Builder, beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../../../cell/dict.ts'

/**
 * The present libraries of a masterchain state, as a dictionary without absent cells. The TVM gets this dictionary instead of the state's dictionary. Each
 * value has the library as its first reference, which is the only part that the TVM reads.
 */
export const presentLibraries = (root: Cell | undefined): Cell | undefined => {
  const found: [bigint, Builder][] = []
  for (const [hash, value] of dictEntries(root, 256, { cells: WHOLE_STATE }, { skipMissing: true })) {
    const library = value.preloadRef()
    if (dictPathOf(library) === undefined) found.push([hash, beginCell().storeUint(0, 2).storeRef(library)])
  }
  return dictFromEntries(256, found)
}

/** Maximum number of cells that are searched: more than an account may have (parameter 43, max_acc_state_cells). */
const MAX_CELLS = 1 << 17

/** Hashes (as byte strings) of the libraries that the cells of a tree name. */
export const libraryHashes = (root: Cell): readonly string[] => {
  const found = new Set<string>()
  const budget = { cells: MAX_CELLS }
  for (const cell of uniqueCells([root], budget)) {
    if (cell.type === 'library') found.add(Buffer.from(cell.sliceExotic().skip(8).loadBytes(32)).toString('latin1'))
    if (budget.cells === 0) break
  }
  return [...found]
}
