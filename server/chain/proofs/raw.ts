import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/* Reading past what a proof may have pruned: dictionaries of extra currencies stand in most sums and are rarely part of a proof. */

/** Root of the HashmapAugE in a cell. The extra of the root is not read. */
export const augRootOf = (cell: Cell): Cell | undefined => cell.slice().loadMaybeRef()

/** currencies$_ grams:Grams other:ExtraCurrencyCollection, with the dictionary left as a cell. */
export const readCurrency = (s: Slice): { readonly grams: bigint; readonly other: Cell | undefined } => ({
  grams: s.loadCoins(),
  other: s.loadMaybeRef(),
})
