import { MAX_CHECKED_CELLS } from '../cell/budget.ts'
import type { Builder } from '../cell/builder.ts'
import { beginCell } from '../cell/builder.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { dictEntries, dictFromEntries } from '../cell/dict.ts'
import type { Slice } from '../cell/slice.ts'
import { lazy } from './common.ts'

/*
 * nanograms$_ amount:(VarUInteger 16) = Grams;
 * extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
 * currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
 */

export interface CurrencyCollection {
  /** Nanograms. */
  readonly grams: bigint
  /** Amounts by currency id (unsigned 32 bits), ascending by id; undefined when empty. */
  readonly other?: ReadonlyMap<number, bigint> | undefined
}

export const NO_CURRENCY: CurrencyCollection = { grams: 0n, other: undefined }

export const grams = (amount: bigint): CurrencyCollection => ({ grams: amount, other: undefined })

const NANO = 1_000_000_000n

/** Text of an amount in whole coins, with its fraction but without trailing zeros. */
export const gramsText = (nano: bigint): string => {
  const fraction = (nano % NANO).toString().padStart(9, '0').replace(/0+$/, '')
  return `${nano / NANO}${fraction && `.${fraction}`}`
}

const readExtraCurrencies = (root: Cell): ReadonlyMap<number, bigint> => {
  const other = new Map<number, bigint>()
  for (const [id, amount] of dictEntries(root, 32, { cells: MAX_CHECKED_CELLS })) other.set(Number(id), amount.loadVarUint(5))
  return other
}

export const loadExtraCurrencies = (s: Slice): ReadonlyMap<number, bigint> | undefined => {
  const root = s.loadMaybeRef()
  return root === undefined ? undefined : readExtraCurrencies(root)
}

export const storeExtraCurrencies = (b: Builder, other: ReadonlyMap<number, bigint> | undefined): Builder => {
  if (other === undefined || other.size === 0) return b.storeBit(0)
  return b.storeMaybeRef(
    dictFromEntries(
      32,
      [...other].map(([id, amount]) => [BigInt(id), beginCell().storeVarUint(amount, 5)] as const),
    ),
  )
}

/** Reads a CurrencyCollection. The dictionary is read on first use of `other`, because proofs often prune it. */
export const loadCurrency = (s: Slice): CurrencyCollection => {
  const amount = s.loadCoins()
  const root = s.loadMaybeRef()
  if (root === undefined) return { grams: amount, other: undefined }
  return withRoot(
    amount,
    root,
    lazy(() => readExtraCurrencies(root)),
  )
}

/** The dictionary of extra currencies of each collection that was read from cells. It may be absent or pruned, so it is passed on without being read. */
const roots = new WeakMap<CurrencyCollection, Cell>()

const withRoot = (amount: bigint, root: Cell, other: () => ReadonlyMap<number, bigint> | undefined): CurrencyCollection => {
  const value = {
    grams: amount,
    get other() {
      return other()
    },
  }
  roots.set(value, root)
  return value
}

/** Returns the collection with another amount of nanograms. The extra currencies are the same and are not read. */
const withGrams = (amount: bigint, value: CurrencyCollection): CurrencyCollection => {
  const root = roots.get(value)
  return root === undefined ? { grams: amount, other: value.other } : withRoot(amount, root, () => value.other)
}

const hasExtra = (value: CurrencyCollection): boolean => roots.has(value) || value.other !== undefined

/**
 * Returns the sum `whole` after one of its parts changed from `before` to `after`. If the extra currencies did not change, they are not read and the result
 * is not checked. Otherwise throws CellError 'range' if a currency of the result would be negative.
 */
export const exchanged = (whole: CurrencyCollection, before: CurrencyCollection, after: CurrencyCollection): CurrencyCollection => {
  const [old, now] = [roots.get(before)?.hashKey(), roots.get(after)?.hashKey()]
  const isUnchanged = (!hasExtra(before) && !hasExtra(after)) || (old !== undefined && old === now)
  return isUnchanged ? withGrams(whole.grams + after.grams - before.grams, whole) : subCurrency(addCurrency(whole, after), before)
}

/** Extra currencies for a reader that tolerates a dictionary larger than a node accepts. For such a dictionary, calls `leaveOut` and returns undefined. */
export const readableExtra = (value: CurrencyCollection, leaveOut?: () => void): ReadonlyMap<number, bigint> | undefined => {
  try {
    return value.other
  } catch (error) {
    if (!(error instanceof CellError) || error.kind !== 'budget') throw error
    leaveOut?.()
    return undefined
  }
}

export const skipCurrency = (s: Slice): void => {
  s.skip(s.loadUint(4) * 8)
  if (s.loadBit()) s.skipRefs(1)
}

export const storeCurrency = (b: Builder, value: CurrencyCollection): Builder => {
  const root = roots.get(value)
  return root === undefined ? storeExtraCurrencies(b.storeCoins(value.grams), value.other) : b.storeCoins(value.grams).storeMaybeRef(root)
}

export const isZeroCurrency = (value: CurrencyCollection): boolean =>
  value.grams === 0n && (value.other === undefined || [...value.other.values()].every((amount) => amount === 0n))

const merge = (
  a: ReadonlyMap<number, bigint> | undefined,
  b: ReadonlyMap<number, bigint> | undefined,
  combine: (x: bigint, y: bigint, id: number) => bigint,
): ReadonlyMap<number, bigint> | undefined => {
  if (b === undefined) return a
  const sum = new Map(a)
  for (const [id, amount] of b) {
    const value = combine(sum.get(id) ?? 0n, amount, id)
    // A currency with amount zero is removed from the dictionary (CurrencyCollection::sub of crypto/block/block.cpp).
    if (value === 0n) sum.delete(id)
    else sum.set(id, value)
  }
  if (sum.size === 0) return undefined
  return new Map([...sum].sort(([x], [y]) => x - y))
}

export const addCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => {
  if (!hasExtra(b)) return withGrams(a.grams + b.grams, a)
  if (!hasExtra(a)) return withGrams(a.grams + b.grams, b)
  return { grams: a.grams + b.grams, other: merge(a.other, b.other, (x, y) => x + y) }
}

/** a - b. Throws CellError 'range' if b has more than a of any currency. */
export const subCurrency = (a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection => {
  if (a.grams < b.grams) throw new CellError('range', `${a.grams} nanograms are less than ${b.grams}`)
  return {
    grams: a.grams - b.grams,
    other: merge(a.other, b.other, (x, y, id) => {
      if (x < y) throw new CellError('range', `${x} of currency ${id} is less than ${y}`)
      return x - y
    }),
  }
}

/** Returns whether all amounts are equal. An absent currency counts as zero. */
export const equalCurrency = (a: CurrencyCollection, b: CurrencyCollection): boolean => {
  if (a.grams !== b.grams) return false
  for (const id of new Set([...(a.other?.keys() ?? []), ...(b.other?.keys() ?? [])])) {
    if ((a.other?.get(id) ?? 0n) !== (b.other?.get(id) ?? 0n)) return false
  }
  return true
}
