import { createHash } from 'node:crypto'
import { type Cell as CoreCell, beginCell as coreBegin, Dictionary } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { keyPath } from '../../server/cell/bitpath.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictDelete, dictEntries, dictFromEntries, dictGet, dictMinMax, dictSet, walkDict } from '../../server/cell/dict.ts'
import { dictHash } from '../../server/cell/dict-hash.ts'
import { visitLeaves } from '../../server/tlb/visit-leaves.ts'
import { collectGarbage } from '../kit/gc.ts'
import { fc } from '../kit/property.ts'
import { kindOf } from './kind.ts'

const value = (v: number) => beginCell().storeUint(v, 32)
const read = (root: Cell | undefined, n: number): [bigint, number][] =>
  [...dictEntries(root, n, { cells: 1e9 })].map(([key, s]) => [key, s.loadUint(32)])

/** The root @ton/core makes of the same entries. */
const coreRoot = (n: number, entries: ReadonlyMap<bigint, number>): CoreCell | undefined => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(n), Dictionary.Values.Uint(32))
  for (const [key, v] of entries) dict.set(key, v)
  return entries.size === 0 ? undefined : coreBegin().storeDictDirect(dict).endCell()
}

const step = (n: number) =>
  fc.record({
    // Few distinct keys with long common prefixes, so that labels of all kinds, overwrites and deletions happen.
    key: fc.oneof(
      fc.bigInt(0n, (1n << BigInt(n)) - 1n),
      fc.bigInt(0n, 15n).map((k) => k % (1n << BigInt(n))),
      fc.integer({ min: 0, max: n - 1 }).map((b) => 1n << BigInt(b)),
    ),
    value: fc.option(fc.nat(0xffffffff), { nil: undefined, freq: 3 }),
  })

describe('dictionaries', () => {
  for (const n of [1, 7, 8, 32, 64, 256, 267]) {
    it(`dictionaries with ${n}-bit keys follow a Map and equal @ton/core's cells`, () => {
      fc.assert(
        fc.property(fc.array(step(n), { maxLength: 40 }), (steps) => {
          const model = new Map<bigint, number>()
          let root: Cell | undefined
          for (const { key, value: v } of steps) {
            if (v === undefined) {
              model.delete(key)
              root = dictDelete(root, n, key)
            } else {
              model.set(key, v)
              root = dictSet(root, n, key, value(v))
            }
          }
          const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1))
          expect(read(root, n)).toEqual(sorted)
          expect([...dictEntries(root, n, { cells: 1e9 }, { reverse: true })].map(([key]) => key)).toEqual(
            sorted.map(([key]) => key).reverse(),
          )
          expect(root?.hashHex()).toBe(coreRoot(n, model)?.hash().toString('hex'))
          expect(
            dictFromEntries(
              n,
              [...model].map(([key, v]) => [key, value(v)] as const),
            )?.hashHex(),
          ).toBe(root?.hashHex())
          const leaves = sorted.map(([key, v]) => ({ path: keyPath(key, n)!, v }))
          expect(dictHash(n, leaves, (b, leaf) => b.storeUint(leaf.v, 32))).toBe(root?.hashKey())
          for (const { key } of steps) expect(dictGet(root, n, key)?.loadUint(32)).toBe(model.get(key))
          expect(dictMinMax(root, n)).toEqual(sorted.length === 0 ? undefined : { min: sorted[0]![0], max: sorted.at(-1)![0] })
        }),
        { numRuns: 60 },
      )
    })
  }

  it('a walk over a dictionary ends with its budget, however many entries shared cells spell', () => {
    let root = beginCell().storeUint(0, 2).storeUint(7, 32).end()
    for (let i = 0; i < 256; i++) root = beginCell().storeUint(0, 2).storeRef(root).storeRef(root).end()
    // 1,024 entries of a full subtree are 2,047 edges, below 246 forks.
    const budget = { cells: 246 + 2047 }
    const walk = dictEntries(root, 256, budget)
    for (let i = 0n; i < 1024n; i++) expect(walk.next().value?.[0]).toBe(i)
    expect(budget.cells).toBe(0)
    expect(kindOf(() => walk.next())).toBe('budget')
    expect(kindOf(() => [...walkDict(root, 256, { cells: 1000 })])).toBe('budget')
    expect(kindOf(() => visitLeaves(root, 256, { cells: 1000 }, () => {}))).toBe('budget')
    expect(dictGet(root, 256, 1n << 200n)?.loadUint(32)).toBe(7)
    expect(dictMinMax(root, 256)).toEqual({ min: 0n, max: (1n << 256n) - 1n })
  })

  it('a hash of a dictionary is computed while hardly any of its cells is in memory', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => BigInt(`0x${createHash('sha256').update(`${i}`).digest('hex')}`))
    const leaves = keys.sort((a, b) => (a < b ? -1 : 1)).map((key) => ({ path: keyPath(key, 256)! }))
    const inUse = (): number => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = inUse()
    const root = dictFromEntries(
      256,
      keys.map((key) => [key, value(1)] as const),
    )!
    const key = root.hashKey()
    const cells = inUse() - before
    const begin = inUse()
    let meanwhile = 0
    let stored = 0
    const hash = dictHash(256, leaves, (b) => {
      if (++stored === leaves.length) meanwhile = inUse() - begin
      return b.storeUint(1, 32)
    })
    expect(hash).toBe(key)
    expect(meanwhile).toBeLessThan(cells / 10)
  })

  it('a changed dictionary shares its unchanged cells', () => {
    const root = dictFromEntries(
      16,
      [0n, 1n, 0x8000n].map((key) => [key, value(1)] as const),
    )!
    expect(dictSet(root, 16, 0x8000n, value(2)).ref(0)).toBe(root.ref(0))
    expect(dictDelete(root, 16, 5n)).toBe(root)
  })

  it('dictionaries with malformed labels or forks are refused', () => {
    // hml_short of 9 bits where 8 are left, hml_long and hml_same of 15.
    expect(kindOf(() => dictGet(beginCell().storeUint(0b0_1111111110, 11).storeUint(0, 9).end(), 8, 0n))).toBe('dict')
    expect(kindOf(() => dictGet(beginCell().storeUint(0b10_1111, 6).storeUint(0, 15).end(), 8, 0n))).toBe('dict')
    expect(kindOf(() => dictGet(beginCell().storeUint(0b110_1111, 7).end(), 8, 0n))).toBe('dict')
    // A fork with data, with one reference, with three.
    const leaf = beginCell().storeUint(0b110_111, 6).storeUint(1, 32).end()
    for (const fork of [
      beginCell().storeUint(0b00, 2).storeBit(1).storeRef(leaf).storeRef(leaf),
      beginCell().storeUint(0b00, 2).storeRef(leaf),
      beginCell().storeUint(0b00, 2).storeRef(leaf).storeRef(leaf).storeRef(leaf),
    ]) {
      expect(kindOf(() => dictGet(fork.end(), 8, 0n))).toBe('dict')
      expect(kindOf(() => [...dictEntries(fork.end(), 8, { cells: 9 })])).toBe('dict')
      expect(kindOf(() => dictSet(fork.end(), 8, 0n, value(1)))).toBe('dict')
    }
    expect(kindOf(() => dictGet(beginCell().end(), 8, 0n))).toBe('underflow')
    expect(kindOf(() => dictSet(undefined, 8, 256n, value(1)))).toBe('range')
    expect(kindOf(() => dictSet(undefined, 8, -1n, value(1)))).toBe('range')
    expect(kindOf(() => dictSet(undefined, 256, 5n, beginCell().storeBytes(new Uint8Array(120))))).toBe('overflow')
    expect(
      kindOf(() =>
        dictFromEntries(8, [
          [1n, value(1)],
          [1n, value(2)],
        ]),
      ),
    ).toBe('dict')
  })
})
