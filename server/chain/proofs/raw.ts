import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/* Reading past what a proof may have pruned: dictionaries of extra currencies stand in most sums and are rarely part of a proof. */

/** Root of the HashmapAugE that a cell holds; its root extra is not read. */
export const augRootOf = (cell: Cell): Cell | undefined => cell.slice().loadMaybeRef()

/** currencies$_ grams:Grams other:ExtraCurrencyCollection, the dictionary as it is. */
export const readCurrency = (s: Slice): { readonly grams: bigint; readonly other: Cell | undefined } => ({
  grams: s.loadCoins(),
  other: s.loadMaybeRef(),
})
