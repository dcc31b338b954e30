import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/* Readers that skip what a proof may have pruned: most sums have a dictionary of extra currencies, which is rarely part of a proof. */

/** Root of the HashmapAugE in a cell. The extra of the root is not read. */
export const augRootOf = (cell: Cell): Cell | undefined => cell.slice().loadMaybeRef()

/** currencies$_ grams:Grams other:ExtraCurrencyCollection, with the dictionary left as a cell. */
export const readCurrency = (s: Slice): { readonly grams: bigint; readonly other: Cell | undefined } => ({
  grams: s.loadCoins(),
  other: s.loadMaybeRef(),
})
