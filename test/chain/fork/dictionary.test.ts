import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AbsentCellError, absentCell, dictPathOf } from '../../../server/cell/absent.ts'
import { type AugSpec, augGet, augRootExtra } from '../../../server/cell/aug.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { applyUpdate, openProof, pruneAbsent, recordUsage } from '../../../server/cell/merkle.ts'
import { TREE } from '../../../server/chain/local/fork/dictionary-paths.ts'
import { graft } from '../../../server/chain/local/fork/graft-proof.ts'
import { joinShards } from '../../../server/chain/local/fork/join-shards.ts'
import { type FetchedLog, openFetchedLog } from '../../../server/chain/local/store/fetched-log.ts'
import { storeAccount } from '../../../server/tlb/state/account.ts'
import { shardAccountsAug, storeShardAccount } from '../../../server/tlb/state/shard-account.ts'
import { makeUpdate } from '../../kit/make-update.ts'
import { createRandom, type Random, seed } from '../../kit/random.ts'
import { augFromEntries, augSetMany } from '../../kit/tlb/aug.ts'

const NO_HASH = new Uint8Array(32)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-fork-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A key that shares a long prefix with others now and then. */
const keyOf = (random: Random): bigint => {
  const bytes = Buffer.alloc(32)
  bytes[0] = random.below(4) << 6
  bytes[1] = random.below(256)
  if (random.chance(0.5)) bytes[31] = random.below(256)
  return BigInt(`0x${bytes.toString('hex')}`)
}

/** An account with code that has references, so that nothing but its whole cell can be in its place. */
const leafOf = (key: bigint, balance: bigint) => {
  const hash = new Uint8Array(Buffer.from(key.toString(16).padStart(64, '0'), 'hex'))
  const code = beginCell()
    .storeUint(balance % 1000n, 16)
    .storeRef(beginCell().storeUint(7n, 8).end())
    .end()
  const accountCell = storeAccount({
    addr: { type: 'std', workchain: 0, hash },
    storageStat: { usedCells: 1n, usedBits: 1n, lastPaid: 0 },
    lastTransLt: 0n,
    balance: { grams: balance },
    state: { type: 'active', init: { code } },
  })
  return storeShardAccount(beginCell(), { accountCell, lastTransHash: NO_HASH, lastTransLt: 0n })
}

/** Accounts with the keys 0, 1, 2 ... moved left by `shift` bits. */
const accountsAt = (count: number, shift: bigint): Cell =>
  augFromEntries(
    shardAccountsAug,
    Array.from({ length: count }, (_, i) => [BigInt(i) << shift, leafOf(BigInt(i) << shift, BigInt(i))] as const),
  )!

/** A network from which paths can be fetched, and what was fetched of it. */
const createRemote = async (whole: Cell, name: string) => {
  const fetched: FetchedLog = await openFetchedLog(join(folder, name))
  const rootKey = whole.hashKey()
  const asked: string[] = []
  return {
    fetched,
    asked,
    root: (): Cell => fetched.find(rootKey) ?? absentCell(rootKey, whole.depth(), { tree: TREE.shardAccounts, key: '\0'.repeat(32) }),
    fetch: async (key: string): Promise<void> => {
      asked.push(key)
      const usage = recordUsage(whole)
      const leaf = augGet(shardAccountsAug, usage.root, BigInt(`0x${Buffer.from(key, 'latin1').toString('hex')}`))
      const account = leaf?.value.loadRef()
      const sent = new Map(account === undefined ? [] : [[account.hashKey(), account]])
      await fetched.add(graft(openProof(usage.proof()), TREE.shardAccounts, sent).found, new AbortController().signal)
    },
  }
}

/** Runs something on the known part of a dictionary until nothing that it needs is absent. */
const untilPresent = async <T>(remote: Awaited<ReturnType<typeof createRemote>>, run: (root: Cell) => T): Promise<T> => {
  const before = remote.asked.length
  for (;;) {
    try {
      return run(remote.root())
    } catch (error) {
      if (!(error instanceof AbsentCellError)) throw error
      expect(remote.asked.slice(before)).not.toContain(error.at.key)
      await remote.fetch(error.at.key)
    }
  }
}

const spec: AugSpec<unknown> = shardAccountsAug as AugSpec<unknown>

describe('a dictionary that is known in part', () => {
  it('changes have the result that they have on the whole dictionary, and so has their Merkle update', async () => {
    const random = createRandom(seed)
    for (let round = 0; round < 20; round++) {
      const keys = [...new Set(Array.from({ length: 1 + random.below(60) }, () => keyOf(random)))]
      const whole = augFromEntries(
        shardAccountsAug,
        keys.map((key) => [key, leafOf(key, BigInt(1 + random.below(1_000_000)))] as const),
      )!
      const remote = await createRemote(whole, `changes-${round}`)
      const touched = new Map<bigint, bigint | undefined>()
      for (let i = random.below(6); i >= 0; i--) {
        const key = random.chance(0.7) ? random.pick(keys) : keyOf(random)
        touched.set(key, random.chance(0.5) ? undefined : BigInt(random.below(1_000_000)))
      }
      const changes = [...touched]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, balance]) => [key, balance === undefined ? undefined : leafOf(key, balance)] as const)
      const expected = augSetMany(spec, whole, changes)
      const found = await untilPresent(remote, (root) => {
        for (const [key] of changes) augGet(spec, root, key)
        return augSetMany(spec, root, changes)
      })
      expect(found?.hashHex()).toBe(expected?.hashHex())
      // A change needs its own path, and that of one sibling if its fork collapses.
      expect(remote.asked.length).toBeLessThanOrEqual(2 * changes.length)
      if (expected !== undefined && found !== undefined) {
        const update = makeUpdate(remote.root(), found)
        expect(update.hashHex()).toBe(makeUpdate(whole, expected).hashHex())
        expect(applyUpdate(whole, update).hashHex()).toBe(expected.hashHex())
      }
    }
  })

  it('an account that does not exist is known to be absent once it was looked for', async () => {
    const random = createRandom(seed + 1)
    const whole = accountsAt(40, 200n)
    const remote = await createRemote(whole, 'missing')
    for (let i = 0; i < 30; i++) {
      const key = keyOf(random)
      expect((await untilPresent(remote, (root) => augGet(spec, root, key)))?.value !== undefined).toBe(
        augGet(spec, whole, key) !== undefined,
      )
      const times = remote.asked.length
      await untilPresent(remote, (root) => augGet(spec, root, key))
      expect(remote.asked.length).toBe(times)
    }
  })

  it('the log of fetched cells has them again when it is opened, without a torn tail', async () => {
    const whole = accountsAt(20, 250n)
    const remote = await createRemote(whole, 'kept')
    const key = 3n << 250n
    const before = (await untilPresent(remote, (root) => augGet(shardAccountsAug, root, key)))!.value.loadRef().hashHex()
    remote.fetched.close()
    const again = await createRemote(whole, 'kept')
    expect(augGet(shardAccountsAug, again.root(), key)!.value.loadRef().hashHex()).toBe(before)
    expect(again.asked).toEqual([])
    expect(() => augGet(shardAccountsAug, again.root(), 7n << 250n)).toThrow(AbsentCellError)
    again.fetched.close()
  })

  it('a damaged log of fetched cells keeps what stands before the damage, and the file', async () => {
    const whole = accountsAt(20, 250n)
    const remote = await createRemote(whole, 'damaged')
    for (const key of [3n, 9n, 15n])
      await untilPresent(remote, (root) =>
        augGet(spec, root, key << 250n)!
          .value.loadRef()
          .slice(),
      )
    remote.fetched.close()
    const path = join(folder, 'damaged')
    const bytes = readFileSync(path)
    const second = bytes.indexOf(bytes.subarray(0, 4), 4)
    bytes[second + 40]! ^= 1
    writeFileSync(path, bytes)
    const again = await createRemote(whole, 'damaged')
    expect(augGet(spec, again.root(), 3n << 250n)?.value).toBeDefined()
    expect(() => augGet(spec, again.root(), 9n << 250n)).toThrow(AbsentCellError)
    expect((await untilPresent(again, (root) => augGet(spec, root, 9n << 250n)))?.value).toBeDefined()
    again.fetched.close()
    expect(readFileSync(`${path}.damaged`).equals(bytes)).toBe(true)
  })

  it('a tree with absent cells can be serialized with pruned branches in their place, and not otherwise', async () => {
    const whole = accountsAt(20, 250n)
    const remote = await createRemote(whole, 'pruned')
    await untilPresent(remote, (root) => augGet(spec, root, 3n << 250n))
    expect(() => serializeBoc(remote.root())).toThrow(AbsentCellError)
    const pruned = pruneAbsent(remote.root())
    expect(Buffer.from(pruned.hash(0)).toString('hex')).toBe(whole.hashHex())
    expect(pruned.level).toBe(1)
    expect(serializeBoc(pruned).length).toBeLessThan(serializeBoc(whole).length)
  })

  it('an absent cell answers its hash and depth, and nothing else', () => {
    const cell = absentCell('h'.repeat(32), 5, { tree: 1, key: 'k'.repeat(32) })
    expect([cell.hashKey(), cell.depth(), cell.level]).toEqual(['h'.repeat(32), 5, 0])
    expect(dictPathOf(cell)).toEqual({ tree: 1, key: 'k'.repeat(32) })
    for (const read of [() => cell.slice(), () => cell.sliceExotic(), () => cell.ref(0), () => cell.data(), () => serializeBoc(cell)]) {
      expect(read).toThrow(AbsentCellError)
    }
    expect(() => recordUsage(cell).root.slice()).toThrow(AbsentCellError)
  })
})

describe('shards that are joined', () => {
  /** Splits a workchain at random; ids as in TON. */
  const shardsOf = (random: Random, shard: bigint, depth: number): bigint[] => {
    if (depth === 0 || random.chance(0.3)) return [shard]
    const half = (shard & (~shard + 1n)) >> 1n
    return [...shardsOf(random, shard - half, depth - 1), ...shardsOf(random, shard + half, depth - 1)]
  }
  const holds = (shard: bigint, key: bigint): boolean => {
    const low = shard & (~shard + 1n)
    return ((key >> 192n) & ~(2n * low - 1n) & 0xffff_ffff_ffff_ffffn) === (shard & ~(2n * low - 1n) & 0xffff_ffff_ffff_ffffn & ~low)
  }

  it('the joined dictionary is that of all accounts, made from the root of each shard alone', async () => {
    const random = createRandom(seed + 2)
    for (let round = 0; round < 25; round++) {
      const shards = shardsOf(random, 0x8000_0000_0000_0000n, 4)
      const keys = [...new Set(Array.from({ length: random.below(40) }, () => keyOf(random)))]
      const rows = keys.map((key) => [key, leafOf(key, BigInt(1 + random.below(1000)))] as const)
      const parts = shards.map((shard) => ({
        shard,
        root: augFromEntries(
          shardAccountsAug,
          rows.filter(([key]) => holds(shard, key)),
        ),
      }))
      const remotes = await Promise.all(parts.map(({ root }, i) => root && createRemote(root, `shard-${round}-${i}`)))
      for (const [i, { shard }] of parts.entries()) {
        const key = Buffer.alloc(32)
        key.writeBigUInt64BE(shard & (shard - 1n))
        await remotes[i]?.fetch(key.toString('latin1'))
      }
      const joined = joinShards(shards.map((shard, i) => ({ shard, root: remotes[i]?.root() })))
      const expected = augFromEntries(shardAccountsAug, rows)
      expect(joined?.hashHex()).toBe(expected?.hashHex())
      expect(augRootExtra(shardAccountsAug, joined)).toEqual(augRootExtra(shardAccountsAug, expected))
      for (const remote of remotes) remote?.fetched.close()
    }
  })

  it('shards that do not cover the workchain are refused', () => {
    expect(() => joinShards([])).toThrow('the shards do not cover the workchain')
    expect(() => joinShards([{ shard: 0x4000_0000_0000_0000n, root: undefined }])).toThrow('the shards do not cover the workchain')
  })
})
