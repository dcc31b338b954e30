import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { augEntries, augGet, augRootExtra, augSet, loadAugE } from '../../../server/cell/aug.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { openProof, recordUsage } from '../../../server/cell/merkle.ts'
import { createCollator } from '../../../server/chain/local/collator.ts'
import { type ForkBase, readForkBase } from '../../../server/chain/local/fork/base.ts'
import { createForkCollator, fetching } from '../../../server/chain/local/fork/collator.ts'
import { pathOf, treeOf } from '../../../server/chain/local/fork/dictionary-paths.ts'
import { createFetcher, createOpening } from '../../../server/chain/local/fork/fetcher.ts'
import { createForkGenesis, readByEveryBlock } from '../../../server/chain/local/fork/genesis.ts'
import { graft } from '../../../server/chain/local/fork/graft-proof.ts'
import type { ForkReads } from '../../../server/chain/local/fork/reads.ts'
import type { ChainTip, Collator, StepInput } from '../../../server/chain/local/model.ts'
import { type ChainStore, openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { type FetchedLog, openFetchedLog } from '../../../server/chain/local/store/fetched-log.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { storeAccount } from '../../../server/tlb/state/account.ts'
import { loadShardAccount, shardAccountsAug, storeShardAccount } from '../../../server/tlb/state/shard-account.ts'
import { accountsOfState } from '../../../server/tlb/state/shard-state.ts'
import { appendStep } from '../../kit/chain/hand-made.ts'
import { readData } from '../../kit/data.ts'
import { createRandom, seed } from '../../kit/random.ts'
import { augFromEntries } from '../../kit/tlb/aug.ts'

/*
 * A fork of recorded states of mainnet: the accounts of the masterchain and of a shard, which is split in two here, with the configuration of 2026. A
 * chain over the whole states is the model: after the same input both must have the same accounts.
 */

const signal = new AbortController().signal
const TON = 1_000_000_000n
const VALIDATOR = new Uint8Array(32).fill(3)
const UTIME = 1_780_000_000
const END_LT = 70_000_000_000_000n
const block: BlockId = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 1, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

const accountsIn = (state: Cell): Cell => loadAugE(accountsOfState(state).slice(), shardAccountsAug)!
const keyOf = ({ hash }: AccountId): bigint => BigInt(`0x${Buffer.from(hash).toString('hex')}`)
const idOf = (key: bigint): AccountId => ({ workchain: 0, hash: new Uint8Array(Buffer.from(key.toString(16).padStart(64, '0'), 'hex')) })

/** 000 and 001 are halves of the recorded shard; 01 and 1 have no accounts. */
const SHARDS = [0x1000_0000_0000_0000n, 0x3000_0000_0000_0000n, 0x6000_0000_0000_0000n, 0xc000_0000_0000_0000n]

let folder: string
/** The accounts of the other network. */
interface Whole {
  readonly master: Cell
  readonly shard: Cell
  readonly halves: ReadonlyMap<bigint, Cell | undefined>
  readonly keys: readonly bigint[]
}
let whole: Whole
let config: Cell
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-fork-'))
  const shard = accountsIn(parseBocRoot(readData('chain/mainnet-shard2000-571525-571555.state-571524.boc')))
  const rows = [...augEntries(shardAccountsAug, shard, { cells: 1e9 })].map(([key, , value]) => [key, value] as const)
  const half = (bits: bigint) =>
    augFromEntries(
      shardAccountsAug,
      rows.filter(([key]) => key >> 253n === bits),
    )
  whole = {
    master: accountsIn(parseBocRoot(readData('chain/mainnet-mc-2660-2690.state-2690.boc'))),
    shard,
    halves: new Map(SHARDS.map((id, i) => [id, i < 2 ? half(BigInt(i)) : undefined])),
    keys: rows.map(([key]) => key),
  }
  config = parseBocRoot(readData('config/acton-mainnet-config-84773657.boc'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stateOf = () => ({ globalId: -239, utime: UTIME, endLt: END_LT, config, configAddr: new Uint8Array(32).fill(0x55) })

/** Reads of a network, with real proofs of paths. `asked`: the accounts that were fetched; `totals`: the shards whose total was. */
const createReads = (whole: Whole, asked: string[], totals: bigint[]): ForkReads => ({
  block,
  state: async () => stateOf(),
  shards: async () => SHARDS.map((shard) => ({ id: { ...block, workchain: 0, shard }, descr: undefined as never })),
  account: async (id) => {
    const prefix = SHARDS.find((_, i) => [0n, 1n][i] === keyOf(id) >> 253n) ?? (keyOf(id) >> 255n === 1n ? SHARDS[3]! : SHARDS[2]!)
    const root = id.workchain === MASTERCHAIN ? whole.master : whole.halves.get(prefix)
    asked.push(Buffer.from(id.hash).toString('hex'))
    if (root === undefined) return undefined
    const usage = recordUsage(root)
    const leaf = augGet(shardAccountsAug, usage.root, keyOf(id))
    const account = leaf && loadShardAccount(augGet(shardAccountsAug, root, keyOf(id))!.value).accountCell
    const sent = new Map(account === undefined ? [] : [[account.hashKey(), account]])
    return { ...graft(openProof(usage.proof()), treeOf(id.workchain), sent), account }
  },
  total: async ({ workchain, shard }) => {
    totals.push(shard)
    return augRootExtra(shardAccountsAug, workchain === MASTERCHAIN ? whole.master : whole.halves.get(shard)).balance
  },
  libraries: async () => undefined,
})

const storeFor = async (name: string, make: () => ReturnType<typeof createForkGenesis>, fetched?: FetchedLog) => {
  const paths = { log: join(folder, `${name}.log`), index: join(folder, `${name}.idx`) }
  return openChainStore(paths, async () => ({ genesis: await make(), text: '{}' }), { fetched })
}

const step = async (store: ChainStore, collator: Collator, input: Partial<StepInput>): Promise<ChainTip> => {
  const all = { utime: UTIME + 10, externals: [], internals: [], accounts: [], config: new Map<number, Cell | undefined>(), ...input }
  const made = await collator.step(store.tip(), all, signal)
  return appendStep(store, made)
}
/** The accounts of both chains. The configuration names the zerostate, whose file hash depends on what was fetched, so its account is replaced by the elector's. */
const rootsOf = ({ master, shard }: ChainTip): readonly string[] => {
  const accounts = accountsIn(master.state)
  const other = augGet(shardAccountsAug, accounts, BigInt(`0x${'33'.repeat(32)}`))!.value
  return [augSet(shardAccountsAug, accounts, BigInt(`0x${'55'.repeat(32)}`), other).hashHex(), accountsIn(shard.state).hashHex()]
}

/** An account that holds two extra currencies. */
const holderOf = (workchain: number, key: bigint, amount: bigint): Builder => {
  const { hash } = idOf(key)
  const accountCell = storeAccount({
    addr: { type: 'std', workchain, hash },
    storageStat: { usedCells: 1n, usedBits: 1n, lastPaid: UTIME },
    lastTransLt: 0n,
    balance: { grams: TON, other: new Map([1, 2].map((id) => [id, amount * BigInt(id)])) },
    state: { type: 'uninit' },
  })
  return storeShardAccount(beginCell(), { accountCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n })
}

/** The recorded accounts, with one in the masterchain and one in each half of the shard that hold extra currencies. */
const withCurrencies = ({ master, shard, halves, keys }: Whole): Whole => {
  const holders = [0n, 1n].map((half): [bigint, Builder] => [(half << 253n) | 5n, holderOf(0, (half << 253n) | 5n, 10n + half)])
  return {
    master: augSet(shardAccountsAug, master, 7n, holderOf(MASTERCHAIN, 7n, 100n)),
    shard: holders.reduce((root, [key, holder]) => augSet(shardAccountsAug, root, key, holder), shard),
    halves: new Map(
      [...halves].map(([id, root], i) => [id, holders[i] === undefined ? root : augSet(shardAccountsAug, root, ...holders[i])]),
    ),
    keys,
  }
}

describe('a fork of recorded states of mainnet', () => {
  /** Makes the same blocks on a fork of a network and on a chain over its whole states; returns what the fork fetched. */
  const follow = async (name: string, whole: Whole, blocks: number) => {
    const asked: string[] = []
    const totals: bigint[] = []
    const reads = createReads(whole, asked, totals)
    const fetched = await openFetchedLog(join(folder, `${name}.cells`))
    const fetcher = createFetcher({ fetched, reads: async () => reads, place: () => ({ network: 'mainnet', block }) })
    const opening = createOpening(fetcher)
    const base = await readForkBase(reads, fetched, signal)
    const rich: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(0x12) }
    const options = { validatorSeed: VALIDATOR, accounts: [{ account: rich, balance: 1000n * TON }] }
    await fetcher.fetch([rich, ...readByEveryBlock(base)].map(pathOf), signal)
    const fork = await storeFor(`${name}-fork`, () => opening(() => createForkGenesis(base, options), signal), fetched)

    const model: ForkBase = {
      ...stateOf(),
      block,
      masterAccounts: () => whole.master,
      shardAccounts: () => whole.shard,
      libraries: undefined,
    }
    const plain = await storeFor(`${name}-model`, () => createForkGenesis(model, options))
    const own = { validatorSeed: VALIDATOR, globalId: -239 }
    const collator = createCollator(own)
    const fetchingCollator = fetching(createForkCollator(own), { fetcher, opening })
    expect(rootsOf(fork.tip())).toEqual(rootsOf(plain.tip()))

    const random = createRandom(seed)
    for (let i = 0; i < blocks; i++) {
      const known = Array.from({ length: 1 + random.below(4) }, () => random.pick(whole.keys))
      // Next to known accounts, and far from them.
      const fresh = [known[0]! ^ 1n, known[0]! ^ (1n << BigInt(random.below(250))), keyOf({ workchain: 0, hash: random.bytes(32) })]
      const input: Partial<StepInput> = {
        internals: [...known, ...fresh].map((key) => ({ from: rich, to: idOf(key), value: TON, bounce: random.chance(0.5) })),
        accounts: [{ account: idOf(random.pick(whole.keys)), balance: BigInt(random.below(1000)), code: beginCell().end() }],
        config: random.chance(0.2) ? new Map([[100 + i, beginCell().storeUint(i, 8).end()]]) : new Map(),
      }
      expect(rootsOf(await step(fork, fetchingCollator, input))).toEqual(rootsOf(await step(plain, collator, input)))
    }
    for (const store of [fork, plain]) store.close()
    fetched.close()
    return { asked, totals }
  }

  it('the accounts after every block are those of a chain over the whole states', async () => {
    const { asked, totals } = await follow('recorded', whole, 8)
    // Only paths that were needed were fetched: of 6325 accounts, those in the input, and those that every block reads.
    expect(asked.length).toBeLessThan(150)
    // Two extra currencies are in the masterchain's accounts.
    expect(totals).toEqual([WHOLE_SHARD])
  })

  it('totals of several extra currencies are taken from the blocks of the masterchain and of each shard', async () => {
    const { totals } = await follow('currencies', withCurrencies(whole), 3)
    expect(new Set(totals)).toEqual(new Set([WHOLE_SHARD, SHARDS[0], SHARDS[1]]))
  })
})
