import { expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import type { SourceBlock } from '../../server/chain/blocks.ts'
import { deriveGroup } from '../../server/index/derive/derive.ts'
import { createOpenMessages } from '../../server/index/derive/traces.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { NO_CURRENCY } from '../../server/tlb/currency.ts'
import { storeAccount } from '../../server/tlb/state/account.ts'
import { shardAccountsAug, storeShardAccount } from '../../server/tlb/state/shard-account.ts'
import { makeUpdate } from '../kit/make-update.ts'
import { createNetwork } from '../kit/network/network.ts'
import { augSetMany } from '../kit/tlb/aug.ts'
import { timeTurns } from '../kit/turns.ts'

const ACCOUNTS = 2_000

/** A tree of distinct cells: 2^levels leaves. */
const wide = (levels: number, name: number): Cell => {
  const b = beginCell().storeUint(name, 32)
  return levels === 0
    ? b.end()
    : b
        .storeRef(wide(levels - 1, name * 2))
        .storeRef(wide(levels - 1, name * 2 + 1))
        .end()
}

const accountCell = (hash: Uint8Array, code: Cell): Cell =>
  storeAccount({
    addr: stdAddress(0, hash),
    storageStat: { usedCells: 1n, usedBits: 1n, lastPaid: 1 },
    lastTransLt: 1n,
    balance: NO_CURRENCY,
    state: { type: 'active', init: { code } },
  })

/** The part of a shard state that leads to its accounts. */
const stateOf = (accounts: Cell | undefined): Cell =>
  beginCell()
    .storeUint(0x9023afe2, 32)
    .storeRef(beginCell().end())
    .storeRef(beginCell().storeMaybeRef(accounts).storeUint(0, 10).end())
    .end()

it('the accounts and the codes that one block deploys are derived in turns', async () => {
  const network = createNetwork({
    ...{
      seed: 7,
      utime: 1_780_000_000,
      stepMs: 400,
      pace: 1,
      mostShards: 1,
      keyEvery: 10,
      wallets: 2,
      perStep: 1,
      burst: 1,
      burstEvery: 20,
    },
  })
  const { master } = await network.step()
  const rows = Array.from({ length: ACCOUNTS }, (_, i): [bigint, Builder] => {
    const hash = new Uint8Array(32)
    new DataView(hash.buffer).setUint32(28, i)
    const account = { accountCell: accountCell(hash, wide(5, i + 1)), lastTransHash: hash, lastTransLt: 1n }
    return [BigInt(i), storeShardAccount(beginCell(), account)]
  })
  const update = makeUpdate(stateOf(undefined), stateOf(augSetMany(shardAccountsAug, undefined, rows)))
  const parts = { ...loadBlock(master.root), stateUpdate: parseBocRoot(serializeBoc(update)) }
  const block = { ...master, parts, extra: loadBlockExtra(parts.extra), globalId: 0, size: 2 ** 30, prev: [] } as unknown as SourceBlock
  const deps = {
    open: createOpenMessages(),
    extras: { get: () => undefined, set: () => {}, stored: async () => undefined },
    configs: { version: async () => 0 },
    ...{ fromStart: false, senders: async () => new Map<string, string>(), source: { account: async () => undefined } },
  }
  let found = 0
  const { longest, all } = await timeTurns(async () => {
    const { accounts, cells } = await deriveGroup([{ master: block, shards: [], tops: [] }], deps, new AbortController().signal)
    found = accounts.size
    expect(cells.size).toBeGreaterThanOrEqual(ACCOUNTS)
  })
  expect(found).toBeGreaterThanOrEqual(ACCOUNTS)
  expect(longest).toBeLessThan(all / 3)
}, 120_000)
