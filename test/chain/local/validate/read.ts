import { Cell, type CurrencyCollection, Dictionary, loadCurrencyCollection, type Slice } from '@ton/core'

/*
 * A second reading of blocks, on @ton/core's cells and slices and on the schema alone: nothing of the server's code is used here.
 */

/** A value that augmentations carry: how it is read, joined and compared. */
export interface Monoid<T> {
  read(s: Slice): T
  join(a: T, b: T): T
  readonly zero: T
  show(value: T): string
}

export interface Money {
  readonly grams: bigint
  readonly other: ReadonlyMap<number, bigint>
}
const show = ({ grams, other }: Money): string =>
  [
    grams,
    ...[...other]
      .filter(([, n]) => n !== 0n)
      .sort(([a], [b]) => a - b)
      .map(([id, n]) => `${id}:${n}`),
  ].join(' ')

export const money: Monoid<Money> & { of(collection: CurrencyCollection): Money; less(a: Money, b: Money): Money } = {
  read: (s) => money.of(loadCurrencyCollection(s)),
  of: ({ coins, other }) => ({ grams: coins, other: new Map(other ? [...other] : []) }),
  join: (a, b) => {
    const other = new Map(a.other)
    for (const [id, n] of b.other) other.set(id, (other.get(id) ?? 0n) + n)
    return { grams: a.grams + b.grams, other }
  },
  less: (a, b) => money.join(a, { grams: -b.grams, other: new Map([...b.other].map(([id, n]) => [id, -n])) }),
  zero: { grams: 0n, other: new Map() },
  show,
}
export const nanotons = (grams: bigint): Money => ({ grams, other: new Map() })
export const sum = (...values: readonly Money[]): Money => values.reduce(money.join, money.zero)

/** Smallest of positive numbers; 0 stands for none. */
export const least: Monoid<bigint> = {
  read: (s) => s.loadUintBig(64),
  join: (a, b) => (a === 0n ? b : b === 0n || a < b ? a : b),
  zero: 0n,
  show: String,
}
export const pair = <A, B>(a: Monoid<A>, b: Monoid<B>): Monoid<readonly [A, B]> => ({
  read: (s) => [a.read(s), b.read(s)],
  join: (x, y) => [a.join(x[0], y[0]), b.join(x[1], y[1])],
  zero: [a.zero, b.zero],
  show: (v) => `${a.show(v[0])} | ${b.show(v[1])}`,
})
export const later = (a: bigint, b: bigint): bigint => {
  if (a < b) return b
  return a
}
export const biggest = (bits: number): Monoid<bigint> => ({
  read: (s) => s.loadUintBig(bits),
  join: later,
  zero: 0n,
  show: String,
})
export const coins: Monoid<bigint> = { read: (s) => s.loadCoins(), join: (a, b) => a + b, zero: 0n, show: String }

const lengthBits = (max: number): number => (max === 0 ? 0 : Math.floor(Math.log2(max)) + 1)
const label = (s: Slice, max: number): string => {
  if (!s.loadBit()) {
    let n = 0
    while (s.loadBit()) n++
    return Array.from({ length: n }, () => (s.loadBit() ? '1' : '0')).join('')
  }
  if (!s.loadBit()) {
    const n = s.loadUint(lengthBits(max))
    return Array.from({ length: n }, () => (s.loadBit() ? '1' : '0')).join('')
  }
  const bit = s.loadBit() ? '1' : '0'
  return bit.repeat(s.loadUint(lengthBits(max)))
}

class Invalid extends Error {}
export const check = (condition: boolean, text: string): void => {
  if (!condition) throw new Invalid(text)
}
export const same = (a: unknown, b: unknown, what: string): void =>
  check(String(a) === String(b), `${what}: ${String(a)} is not ${String(b)}`)

/** Leaves of a HashmapAug in the order of keys; every extra on the way is recomputed from what `leaf` makes of a value. */
const edge = <T, V>(
  s: Slice,
  bits: number,
  prefix: string,
  extra: Monoid<T>,
  leaf: (value: Slice, key: bigint) => [T, V],
  what: string,
  found: [bigint, V][],
): T => {
  const key = prefix + label(s, bits - prefix.length)
  check(key.length <= bits, `${what}: a label is too long`)
  if (key.length === bits) {
    const stated = extra.read(s)
    const id = BigInt(`0b${key}`)
    const [computed, value] = leaf(s, id)
    same(extra.show(stated), extra.show(computed), `${what}: extra of leaf ${id.toString(16)}`)
    found.push([id, value])
    return stated
  }
  const [left, right] = [s.loadRef(), s.loadRef()]
  const stated = extra.read(s)
  const a = edge(left.beginParse(), bits, `${key}0`, extra, leaf, what, found)
  const b = edge(right.beginParse(), bits, `${key}1`, extra, leaf, what, found)
  same(extra.show(stated), extra.show(extra.join(a, b)), `${what}: extra of fork ${key}`)
  // A root edge may stand inline, with other members behind it.
  if (prefix !== '') check(s.remainingBits === 0 && s.remainingRefs === 0, `${what}: a fork has more than its extra`)
  return stated
}
export const readAug = <T, V>(
  s: Slice,
  bits: number,
  extra: Monoid<T>,
  leaf: (value: Slice, key: bigint) => [T, V],
  what: string,
): { extra: T; entries: [bigint, V][] } => {
  const entries: [bigint, V][] = []
  return { extra: edge(s, bits, '', extra, leaf, what, entries), entries }
}
/** HashmapAugE. */
export const readAugE = <T, V>(
  s: Slice,
  bits: number,
  extra: Monoid<T>,
  leaf: (value: Slice, key: bigint) => [T, V],
  what: string,
): { extra: T; entries: [bigint, V][] } => {
  const root = s.loadMaybeRef()
  const stated = extra.read(s)
  if (root === null) {
    same(extra.show(stated), extra.show(extra.zero), `${what}: extra of an empty dictionary`)
    return { extra: stated, entries: [] }
  }
  const inner = readAug(root.beginParse(), bits, extra, leaf, what)
  same(extra.show(stated), extra.show(inner.extra), `${what}: extra of the dictionary`)
  return inner
}

/** A HashmapE of cells or inline values, by unsigned key. */
export const readDict = (root: Cell | null | undefined, bits: number): Map<bigint, Slice> => {
  if (!root) return new Map()
  const dict = Dictionary.loadDirect(Dictionary.Keys.BigUint(bits), { serialize: () => {}, parse: (s: Slice) => s.clone() }, root)
  return new Map([...dict].map(([key, value]) => [key, value]))
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
export const bits256 = (s: Slice): string => s.loadBuffer(32).toString('hex')
export const hashOf = (cell: Cell): string => cell.hash().toString('hex')
export const idOf = (key: bigint): string => key.toString(16).padStart(64, '0')

/** Distinct cells and bits of a tree. */
export const measure = (root: Cell): { cells: bigint; bits: bigint } => {
  const seen = new Map<string, number>()
  const visit = (cell: Cell): void => {
    const key = hashOf(cell)
    if (seen.has(key)) return
    seen.set(key, cell.bits.length)
    for (const ref of cell.refs) visit(ref)
  }
  visit(root)
  return { cells: BigInt(seen.size), bits: BigInt([...seen.values()].reduce((a, b) => a + b, 0)) }
}

/** Applies a Merkle update to the whole tree of an old state; pruned parts of the new one are found in the old one by hash. */
export const applyUpdate = (old: Cell, update: Cell): Cell => {
  const s = update.beginParse(true)
  same(s.loadUint(8), 4, 'type of the state update')
  const [oldHash, newHash] = [bits256(s), bits256(s)]
  same(oldHash, hashOf(old), 'old hash of the state update')
  const known = new Map<string, Cell>()
  const index = (cell: Cell): void => {
    if (known.has(hashOf(cell))) return
    known.set(hashOf(cell), cell)
    for (const ref of cell.refs) index(ref)
  }
  index(old)
  const isPruned = (cell: Cell): boolean => cell.isExotic && cell.bits.length > 16 && cell.beginParse(true).loadUint(8) === 1
  const compare = (mine: Cell, theirs: Cell): void => {
    if (isPruned(theirs)) {
      same(theirs.beginParse(true).skip(16).loadBuffer(32).toString('hex'), hashOf(mine), 'pruned cell of the old state')
      return
    }
    same(theirs.bits.toString(), mine.bits.toString(), 'cell of the old state')
    for (const [i, ref] of mine.refs.entries()) compare(ref, theirs.refs[i]!)
  }
  compare(old, update.refs[0]!)
  const build = (cell: Cell): Cell => {
    if (isPruned(cell)) {
      const key = cell.beginParse(true).skip(16).loadBuffer(32).toString('hex')
      return known.get(key) ?? fail(`the new state refers to cell ${key}, which the old one does not have`)
    }
    if (cell.refs.length === 0) return cell
    return new Cell({ exotic: cell.isExotic, bits: cell.bits, refs: cell.refs.map(build) })
  }
  const made = build(update.refs[1]!)
  same(hashOf(made), newHash, 'new hash of the state update')
  return made
}
export const fail = (text: string): never => {
  throw new Invalid(text)
}
