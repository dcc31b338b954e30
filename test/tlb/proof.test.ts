import { describe, expect, it } from 'vitest'
import { augGet, loadAugE } from '../../server/cell/aug.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { openProof, recordUsage } from '../../server/cell/merkle.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { loadMcBlockExtra } from '../../server/tlb/block/mc-block-extra.ts'
import { findShard } from '../../server/tlb/block/shard-hashes.ts'
import { loadValueFlow } from '../../server/tlb/block/value-flow.ts'
import { configParam } from '../../server/tlb/config/config-dictionary.ts'
import { loadAccount } from '../../server/tlb/state/account.ts'
import { loadMcStateExtra } from '../../server/tlb/state/mc-state-extra.ts'
import { loadShardAccount, shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { cellOf, chainRows, file } from './data.ts'

/* Loaders read no more than they are asked for: what they do not touch may be pruned, and says so only when it is asked for. */

/** What is left of a cell when everything but what `read` reads is cut away. */
const cutTo = (root: Cell, read: (root: Cell) => unknown): Cell => {
  const usage = recordUsage(root)
  read(usage.root)
  return openProof(parseBocRoot(serializeBoc(usage.proof())))
}
const pruned = expect.objectContaining({ kind: 'pruned' })
const reading = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe('loaders on proofs', () => {
  const blockRow = chainRows('mainnet-mc-3082181-3082201')[0]!
  const blockRoot = () => cellOf(Buffer.from(blockRow!.boc, 'base64'))
  const stateRoot = () => cellOf(file('chain/mainnet-state-mc-199.boc'))

  it('a header is read from a proof without value flow, state update and extra', () => {
    const proof = cutTo(blockRoot(), (root) => loadBlockInfo(loadBlock(root).info).seqno)
    const block = loadBlock(proof)
    const info = loadBlockInfo(block.info)
    expect(info.seqno).toBe(blockRow!.seqno)
    // A cell without references is no larger than what would stand for it, so proofs keep it unread.
    expect(info.prev).toHaveLength(1)
    expect(reading(() => loadValueFlow(block.valueFlow))).toEqual(pruned)
    expect(reading(() => loadBlockExtra(block.extra))).toEqual(pruned)
  })

  it('a shard of a masterchain block, and the configuration of a key block, are read from proofs', () => {
    const shards = (root: Cell) => loadMcBlockExtra(loadBlockExtra(loadBlock(root).extra).custom!)
    const wanted = 0x0200000000000000n
    const proof = cutTo(blockRoot(), (root) => findShard(shards(root).shardHashes, 0, wanted, true)!.descr.seqno)
    const extra = shards(proof)
    const found = findShard(extra.shardHashes, 0, wanted, true)!
    expect(found.descr.seqno).toBe(4168295)
    expect(reading(() => found.descr.feesCollected.grams)).toBeTypeOf('bigint')
    expect(reading(() => findShard(extra.shardHashes, 0, 0x0680000000000000n, true))).toEqual(pruned)
    expect(reading(() => extra.prevBlkSignatures)).toEqual(pruned)
    expect(reading(() => configParam(extra.config!.config, 34))).toEqual(pruned)
    const config = cutTo(blockRoot(), (root) => configParam(shards(root).config!.config, 8)!.slice())
    expect(configParam(shards(config).config!.config, 8)!.bits).toBe(104)
  })

  it('an account is read from a proof without its state, and a state without its totals', () => {
    const id = BigInt(`0x${'55'.repeat(32)}`)
    const shardAccount = (root: Cell) =>
      loadShardAccount(augGet(shardAccountsAug, loadAugE(loadShardState(root).accounts.slice(), shardAccountsAug), id)!.value)
    const proof = cutTo(stateRoot(), (root) => shardAccount(root).lastTransLt)
    expect(shardAccount(proof).lastTransLt).toBe(shardAccount(stateRoot()).lastTransLt)
    expect(shardAccount(proof).accountCell.hash(0)).toEqual(shardAccount(stateRoot()).accountCell.hash())
    expect(reading(() => loadAccount(shardAccount(proof).accountCell))).toEqual(pruned)
    expect(loadAccount(shardAccount(stateRoot()).accountCell)?.state.type).toBe('active')
    const state = loadShardState(proof)
    expect(state.seqno).toBe(199)
    expect(reading(() => state.totalBalance)).toEqual(pruned)
    expect(reading(() => loadMcStateExtra(state.custom!))).toEqual(pruned)
  })

  it('the shard list is read from a proof without validators, previous blocks and other balances', () => {
    const extra = (root: Cell) => loadMcStateExtra(loadShardState(root).custom!)
    const proof = cutTo(stateRoot(), (root) => findShard(extra(root).shardHashes, 0, 0x2000000000000000n, false)!.descr.seqno)
    const read = extra(proof)
    expect(findShard(read.shardHashes, 0, 0x2000000000000000n, false)?.descr.seqno).toBeGreaterThan(0)
    expect(reading(() => read.validatorInfo)).toEqual(pruned)
    expect(read.globalBalance.grams).toBeGreaterThan(0n)
    expect(reading(() => read.globalBalance.other)).toEqual(pruned)
    expect(reading(() => configParam(read.config.config, 0))).toEqual(pruned)
  })
})
