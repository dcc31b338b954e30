import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { topsOf } from '../../server/index/follow/tops.ts'
import { loadShardDescrBlock } from '../../server/tlb/block/shard-descr.ts'
import { findShard, shardEntries, storeShardEntries } from '../../server/tlb/block/shard-hashes.ts'
import {
  accountPrefix,
  loadShardIdent,
  shardChildren,
  shardContains,
  shardHasAccount,
  shardOfPrefix,
  shardParent,
  shardPrefixLength,
  storeShardIdent,
} from '../../server/tlb/block/shard-ident.ts'
import { fc } from '../kit/property.ts'
import { plain } from './data.ts'
import { shardDescr } from './shard-descr.ts'

const WHOLE = 0x8000000000000000n
const prefix = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const shard = fc.tuple(prefix, fc.integer({ min: 0, max: 60 })).map(([bits, length]) => shardOfPrefix(bits, length))

describe('shards', () => {
  it('the halves of a shard join again, and contain what they should', () => {
    fc.assert(
      fc.property(shard, prefix, (s, account) => {
        const length = shardPrefixLength(s)
        const s2 = storeShardIdent(beginCell(), { workchain: -3, shard: s }).end().slice()
        expect(loadShardIdent(s2)).toEqual({ workchain: -3, shard: s })
        const id = new Uint8Array(32)
        new DataView(id.buffer).setBigUint64(0, account)
        expect(accountPrefix(id)).toBe(account)
        expect(shardHasAccount(s, id)).toBe(account >> BigInt(64 - length) === s >> BigInt(64 - length) || length === 0)
        expect(shardHasAccount(shardOfPrefix(account, length), id)).toBe(true)
        if (length === 60) return
        const [left, right] = shardChildren(s)
        expect([shardParent(left), shardParent(right)]).toEqual([s, s])
        expect([shardContains(s, left), shardContains(s, right), shardContains(left, right), shardContains(left, s)]).toEqual([
          true,
          true,
          false,
          false,
        ])
        expect(shardContains(s, s)).toBe(true)
      }),
    )
  })

  it('the shards of the documentation are read', () => {
    expect(shardChildren(WHOLE)).toEqual([0x4000000000000000n, 0xc000000000000000n])
    expect(shardChildren(0x4000000000000000n)).toEqual([0x2000000000000000n, 0x6000000000000000n])
    expect(() => shardParent(WHOLE)).toThrow(/no parent/)
    for (const bad of [0n, 1n, 4n, -1n, 1n << 64n]) expect(() => shardPrefixLength(bad)).toThrow(/is not a shard/)
    expect(() => loadShardIdent(beginCell().storeUint(61, 8).storeUint(0n, 96).end().slice())).toThrow(/61 bits/)
  })
})

describe('shard configurations', () => {
  const [left, right] = shardChildren(WHOLE)
  const [a, b] = shardChildren(right)
  const entries = [
    { workchain: -5, shard: WHOLE, descr: shardDescr(1, false) },
    { workchain: 0, shard: left, descr: shardDescr(2, true) },
    { workchain: 0, shard: a, descr: shardDescr(3, false) },
    { workchain: 0, shard: b, descr: shardDescr(4, true) },
  ]
  const root = storeShardEntries([...entries].reverse())

  it('shard configurations keep every descriptor in place, in both of its forms', () => {
    // Workchain 0 stands before -5: keys are unsigned.
    expect(plain(shardEntries(root))).toEqual(plain([...entries.slice(1), entries[0]!]))
    // Which block each of them names is read without the rest.
    expect(topsOf(root)).toEqual(
      shardEntries(root).map(({ workchain, shard, descr: { seqno, rootHash, fileHash } }) => ({
        workchain,
        shard,
        seqno,
        rootHash,
        fileHash,
      })),
    )
    expect(() => loadShardDescrBlock(beginCell().storeUint(0xc, 4).end().slice())).toThrow('no constructor')
    expect(shardEntries(undefined)).toEqual([])
    expect(storeShardEntries([])).toBeUndefined()
  })

  it('a shard is found exactly, or the one that is there instead', () => {
    const at = (workchain: number, shardId: bigint, exact: boolean) => findShard(root, workchain, shardId, exact)?.descr.seqno
    expect([at(0, left, true), at(0, a, true), at(0, b, true), at(-5, WHOLE, true)]).toEqual([2, 3, 4, 1])
    expect([at(0, right, true), at(0, WHOLE, true), at(7, WHOLE, false)]).toEqual([undefined, undefined, undefined])
    // A part of a shard leads to the shard, a whole to its left-most part.
    expect([at(0, shardChildren(left)[1], false), at(0, right, false), at(0, WHOLE, false)]).toEqual([2, 3, 2])
    expect(at(0, shardChildren(left)[1], true)).toBeUndefined()
  })

  it('shard configurations with holes and overlaps are refused', () => {
    expect(() => storeShardEntries(entries.slice(2))).toThrow(/no shard covers 0x4000000000000000/)
    expect(() => storeShardEntries([...entries, { workchain: 0, shard: WHOLE, descr: shardDescr(9, true) }])).toThrow(
      /overlap at 0x8000000000000000/,
    )
    expect(() => storeShardEntries([...entries, { workchain: 0, shard: a, descr: shardDescr(9, true) }])).toThrow(/ShardHashes/)
  })
})
