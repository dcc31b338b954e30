import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/* Readers that skip parts that a proof may prune: most sums contain a dictionary of extra currencies, which proofs rarely include. */

/** Root of the HashmapAugE in a cell. The root's augmentation is not read. */
export const augRootOf = (cell: Cell): Cell | undefined => cell.slice().loadMaybeRef()

/** currencies$_ grams:Grams other:ExtraCurrencyCollection. The dictionary is returned as a cell. */
export const readCurrency = (s: Slice): { readonly grams: bigint; readonly other: Cell | undefined } => ({
  grams: s.loadCoins(),
  other: s.loadMaybeRef(),
})
