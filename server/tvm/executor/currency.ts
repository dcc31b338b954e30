import { MAX_CHECKED_CELLS } from '../../cell/budget.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { dictDelete, dictEntries, dictGet, dictSet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { lazy } from '../../tlb/common.ts'
import type { CurrencyCollection } from '../../tlb/currency.ts'

/*
 * An amount with its extra currencies as a dictionary, so that unchanged parts keep their cells.
 *
 * currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
 * extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
 */
export interface Money {
  /** Nanograms. */
  readonly grams: bigint
  /** Root of Hashmap 32 (VarUInteger 32); undefined if there are none. */
  readonly extra: Cell | undefined
}

export const NO_MONEY: Money = { grams: 0n, extra: undefined }

export const loadMoney = (s: Slice): Money => ({ grams: s.loadCoins(), extra: s.loadMaybeRef() })
export const storeMoney = (b: Builder, money: Money): Builder => b.storeCoins(money.grams).storeMaybeRef(money.extra)

export const isZero = (money: Money): boolean => money.grams === 0n && money.extra === undefined

/** Converts an amount to a record of server/tlb. The extra currencies are read lazily. */
export const currencyOf = (money: Money): CurrencyCollection => {
  const { grams, extra } = money
  if (extra === undefined) return { grams, other: undefined }
  const other = lazy(() => {
    const amounts = new Map<number, bigint>()
    for (const [id, amount] of entriesOf(extra)) amounts.set(Number(id), amount.loadVarUint(5))
    return amounts
  })
  return {
    grams,
    get other() {
      return other()
    },
  }
}

/** Amounts by id. Throws CellError `budget` for a dictionary with more cells than a node accepts in a dictionary of extra currencies. */
const entriesOf = (root: Cell): Iterable<readonly [bigint, Slice]> => dictEntries(root, 32, { cells: MAX_CHECKED_CELLS })

const amountOf = (root: Cell | undefined, id: bigint): bigint => dictGet(root, 32, id)?.loadVarUint(5) ?? 0n
const withAmount = (root: Cell | undefined, id: bigint, amount: bigint): Cell | undefined =>
  amount === 0n ? dictDelete(root, 32, id) : dictSet(root, 32, id, beginCell().storeVarUint(amount, 5))

/** a + b of extra currencies (`add_extra_currency`). */
export const addExtra = (a: Cell | undefined, b: Cell | undefined): Cell | undefined => {
  if (b === undefined) return a
  if (a === undefined) return b
  let sum: Cell | undefined = a
  for (const [id, amount] of entriesOf(b)) sum = withAmount(sum, id, amountOf(a, id) + amount.loadVarUint(5))
  return sum
}

/** a - b of extra currencies; `short` if b has more than a of any currency (`sub_extra_currency`). */
export const subExtra = (a: Cell | undefined, b: Cell | undefined): Cell | undefined | 'short' => {
  if (b === undefined) return a
  if (a === undefined) return 'short'
  let rest: Cell | undefined = a
  for (const [id, amount] of entriesOf(b)) {
    const left = amountOf(a, id) - amount.loadVarUint(5)
    if (left < 0n || dictGet(a, 32, id) === undefined) return 'short'
    rest = withAmount(rest, id, left)
  }
  return rest
}

export const addMoney = (a: Money, b: Money): Money => ({ grams: a.grams + b.grams, extra: addExtra(a.extra, b.extra) })

/** a - b; undefined if b has more of any currency. */
export const subMoney = (a: Money, b: Money): Money | undefined => {
  const extra = subExtra(a.extra, b.extra)
  return extra === 'short' || a.grams < b.grams ? undefined : { grams: a.grams - b.grams, extra }
}

/** The smaller amount in each currency (`CurrencyCollection::clamp`). */
export const clampMoney = (a: Money, b: Money): Money => {
  let extra = a.extra
  if (a.extra !== undefined) {
    for (const [id, amount] of entriesOf(a.extra)) {
      const most = amountOf(b.extra, id)
      if (amount.loadVarUint(5) > most) extra = withAmount(extra, id, most)
    }
  }
  return { grams: a.grams < b.grams ? a.grams : b.grams, extra }
}

/**
 * Removes extra currencies of amount zero. If there are more than `most` currencies, including those of amount zero, `over` is true and `root` is undefined
 * (`remove_zero_extra_currencies`).
 */
export const withoutZeros = (root: Cell | undefined, most: number): { readonly root: Cell | undefined; readonly over: boolean } => {
  let rest = root
  let count = 0
  if (root !== undefined) {
    for (const [id, amount] of entriesOf(root)) {
      if (++count > most) return { root: undefined, over: true }
      if (amount.loadVarUint(5) === 0n) rest = dictDelete(rest, 32, id)
    }
  }
  return { root: rest, over: false }
}

/** Returns whether there are at most `most` extra currencies (`check_extra_currency_limit`). */
export const withinCurrencyLimit = (root: Cell | undefined, most: number): boolean => {
  let count = 0
  if (root !== undefined) for (const _ of entriesOf(root)) if (++count > most) return false
  return true
}
