import { describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { type AugSpec, augEntries, augGet, augRootExtra, augSet, augSetManySteps, loadAugE, storeAugE } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { readLabel } from '../../server/cell/label.ts'
import { recordUsage } from '../../server/cell/merkle.ts'
import { shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { readData } from '../kit/data.ts'
import { fc } from '../kit/property.ts'
import { augFromEntries, augSetMany } from '../kit/tlb/aug.ts'
import { kindOf } from './kind.ts'

/** Sum and number of 16-bit values; odd sums carry a reference, so that extras with references stand beside those of forks. */
interface Extra {
  readonly sum: bigint
  readonly count: number
}
const spec = (n: number): AugSpec<Extra> => ({
  n,
  empty: { sum: 0n, count: 0 },
  loadExtra: (s) => {
    const sum = s.loadCoins()
    if (sum % 2n === 1n) s.loadRef()
    return { sum, count: s.loadUint(16) }
  },
  storeExtra: (b, { sum, count }) => {
    b.storeCoins(sum)
    if (sum % 2n === 1n) b.storeRef(EMPTY_CELL)
    b.storeUint(count, 16)
  },
  combine: (l, r) => ({ sum: l.sum + r.sum, count: l.count + r.count }),
  leafExtra: (value) => ({ sum: BigInt(value.loadUint(16)), count: 1 }),
})
const value = (v: number) => beginCell().storeUint(v, 16).storeRef(EMPTY_CELL)

/** Walks a tree on its own and checks the extra of every edge; returns that of the root. */
const check = (s: AugSpec<Extra>, cell: Cell, left: number): Extra => {
  const slice = cell.slice()
  const rest = left - readLabel(slice, left, new Uint8Array(64), 0)
  if (rest === 0) {
    const extra = s.loadExtra(slice)
    expect(extra).toEqual({ sum: BigInt(slice.loadUint(16)), count: 1 })
    slice.loadRef()
    slice.end()
    return extra
  }
  const a = check(s, slice.loadRef(), rest - 1)
  const b = check(s, slice.loadRef(), rest - 1)
  const extra = s.loadExtra(slice)
  slice.end()
  expect(extra).toEqual(s.combine(a, b))
  return extra
}

const steps = (n: number) =>
  fc.array(
    fc.record({
      key: fc.oneof(
        fc.bigInt(0n, (1n << BigInt(n)) - 1n),
        fc.bigInt(0n, 15n).map((k) => k % (1n << BigInt(n))),
      ),
      value: fc.option(fc.nat(0xffff), { nil: undefined, freq: 3 }),
    }),
    { maxLength: 40 },
  )

describe('augmented dictionaries', () => {
  it('many changes of an augmented dictionary in several steps make the same cells as in one', () => {
    const s = spec(32)
    const rows = (from: number, to: number, every: number): [bigint, Builder | undefined][] =>
      Array.from({ length: to - from }, (_, i) => [BigInt((from + i) * 7919), i % every === 0 ? undefined : value(i)])
    const before = augSetMany(s, undefined, rows(0, 600, 600))
    const changes = rows(300, 1200, 3)
    const steps = augSetManySteps(s, before, changes)
    let count = 0
    while (!steps.next().done) count++
    expect(count).toBe(56)
    expect(endSteps(augSetManySteps(s, before, changes))!.hashHex()).toBe(augSetMany(s, before, changes)!.hashHex())
    // Also where one step ends and the next begins.
    expect(() => endSteps(augSetManySteps(s, before, [...changes.slice(0, 16), ...changes.slice(15)]))).toThrow('occurs twice')
    expect(endSteps(augSetManySteps(s, before, []))).toBe(before)
  })

  for (const n of [3, 32, 64, 256]) {
    const s = spec(n)
    it(`augmented dictionaries with ${n}-bit keys follow a Map, with the right extras`, () => {
      fc.assert(
        fc.property(steps(n), steps(n), (first, second) => {
          const model = new Map<bigint, number>()
          let root: Cell | undefined
          for (const { key, value: v } of first) {
            if (v === undefined) model.delete(key)
            else model.set(key, v)
            root = v === undefined ? augSetMany(s, root, [[key, undefined]]) : augSet(s, root, key, value(v))
          }
          const batch = new Map(second.map((step) => [step.key, step.value]))
          for (const [key, v] of batch) {
            if (v === undefined) model.delete(key)
            else model.set(key, v)
          }
          const ascending = <T>(entries: Iterable<[bigint, T]>): [bigint, T][] => [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
          root = augSetMany(
            s,
            root,
            ascending(batch).map(([key, v]) => [key, v === undefined ? undefined : value(v)] as const),
          )
          const sorted = ascending(model)
          const total = { sum: sorted.reduce((sum, [, v]) => sum + BigInt(v), 0n), count: sorted.length }
          expect(augRootExtra(s, root)).toEqual(total)
          if (root !== undefined) expect(check(s, root, n)).toEqual(total)
          expect(
            [...augEntries(s, root, { cells: 1e9 })].map(([key, extra, slice]) => [key, Number(extra.sum), slice.loadUint(16)]),
          ).toEqual(sorted.map(([key, v]) => [key, v, v]))
          // The same entries, from nothing, make the same cells.
          expect(
            augFromEntries(
              s,
              [...model].map(([key, v]) => [key, value(v)] as const),
            )?.hashHex(),
          ).toBe(root?.hashHex())
          for (const { key } of first) expect(augGet(s, root, key)?.value.loadUint(16)).toBe(model.get(key))
          // HashmapAugE round trip.
          const stored = storeAugE(beginCell(), s, root).end().slice()
          expect(loadAugE(stored, s)?.hashHex()).toBe(root?.hashHex())
          stored.end()
        }),
        { numRuns: 60 },
      )
    })
  }

  it('augmented dictionaries change only the path to the changed entries', () => {
    const s = spec(64)
    const keys = Array.from({ length: 4096 }, (_, i) => (BigInt(i) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn)
    const root = augFromEntries(
      s,
      keys.map((key) => [key, value(1)] as const),
    )!
    const usage = recordUsage(root)
    const next = augSetMany(s, usage.root, [[keys[7]!, value(3)]])!
    expect(augRootExtra(s, next)).toEqual({ sum: 4098n, count: 4096 })
    let read = 0
    const walk = (cell: Cell, depth: number): void => {
      if (usage.used(cell)) read++
      if (depth < 30) for (let i = 0; i < cell.refCount && cell.refCount >= 2; i++) walk(cell.ref(i), depth + 1)
    }
    walk(root, 0)
    // A path of 12 to 30 forks and the heads of their siblings.
    expect(read).toBeGreaterThan(20)
    expect(read).toBeLessThan(70)
  })

  it('augmented dictionaries refuse unsorted and repeated changes, and malformed trees', () => {
    const s = spec(32)
    expect(
      kindOf(() =>
        augSetMany(s, undefined, [
          [2n, value(1)],
          [1n, value(1)],
        ]),
      ),
    ).toBe('dict')
    expect(
      kindOf(() =>
        augSetMany(s, undefined, [
          [2n, value(1)],
          [2n, value(1)],
        ]),
      ),
    ).toBe('dict')
    expect(kindOf(() => augSet(s, undefined, 1n << 32n, value(1)))).toBe('range')
    expect(kindOf(() => augGet(s, beginCell().storeUint(0, 2).end(), 0n))).toBe('dict')
    expect(kindOf(() => augGet(s, EMPTY_CELL, 0n))).toBe('underflow')
  })
})

describe('the accounts of a real shard', () => {
  it('the accounts of a real shard give the same tree when it is built anew, in one step and in two', () => {
    // shard_state#9023afe2 ... out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts ...
    const state = parseBocRoot(readData('chain/mainnet-shard2000-571525-571555.state-571524.boc.gz'))
    const root = loadAugE(state.ref(1).slice(), shardAccountsAug)!
    const entries = [...augEntries(shardAccountsAug, root, { cells: 1e9 })].map(([key, , value]) => [key, value] as const)
    expect(entries).toHaveLength(6325)
    expect(augFromEntries(shardAccountsAug, entries)!.hashHex()).toBe(root.hashHex())
    const half = augFromEntries(
      shardAccountsAug,
      entries.filter((_, i) => i % 2 === 0),
    )
    const rest = entries.filter((_, i) => i % 2 === 1)
    expect(augSetMany(shardAccountsAug, half, rest)!.hashHex()).toBe(root.hashHex())
    const without = augSetMany(
      shardAccountsAug,
      root,
      rest.map(([key]) => [key, undefined] as const),
    )
    expect(without!.hashHex()).toBe(half!.hashHex())
  })
})
