import { beforeAll, describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { applyUpdate } from '../../server/cell/merkle.ts'
import type { MadeBlock } from '../../server/chain/local/model.ts'
import { prevBlocksOf } from '../../server/chain/proofs/header.ts'
import { changedAccounts } from '../../server/index/derive/changed-accounts.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { shardHasAccount } from '../../server/tlb/block/shard-ident.ts'
import { blockFullText } from '../../server/tlb/ids.ts'
import { createNetwork, type NetworkStep } from '../kit/network/network.ts'

/* What the blocks of the made-up network have, besides what a follower checks. */

const OPTIONS = {
  seed: 7,
  utime: 1_780_000_000,
  stepMs: 400,
  pace: 4,
  mostShards: 4,
  keyEvery: 10,
  wallets: 60,
  perStep: 6,
  burst: 60,
  burstEvery: 20,
}
const STEPS = 40

describe('the made-up network', () => {
  const steps: NetworkStep[] = []
  const states = new Map<string, Cell>()
  const blocksOf = ({ master, shards }: NetworkStep): readonly MadeBlock[] => [...shards, master]

  beforeAll(async () => {
    const network = createNetwork(OPTIONS)
    const { masterState, shardState } = network.genesis
    for (const { id, root } of [masterState, shardState]) states.set(blockFullText(id), root)
    for (let i = 0; i < STEPS; i++) steps.push(await network.step())
    for (const { id, state } of steps.flatMap(blocksOf)) states.set(blockFullText(id), state)
  })

  it('makes the same blocks of the same options', async () => {
    const again = createNetwork(OPTIONS)
    for (const step of steps.slice(0, 12)) {
      const { master } = await again.step()
      expect(master.id).toEqual(step.master.id)
    }
  })

  it('splits, merges, key blocks and bursts all happen in forty steps', () => {
    const sum = (of: 'splits' | 'merges'): number => steps.reduce((total, step) => total + step[of], 0)
    expect(sum('splits')).toBeGreaterThan(3)
    expect(sum('merges')).toBeGreaterThan(2)
    expect(steps.filter(({ master }) => master.info.keyBlock).length).toBe(1 + STEPS / OPTIONS.keyEvery)
    expect(Math.max(...steps.map(({ shardCount }) => shardCount))).toBe(OPTIONS.mostShards)
  })

  it('each block leads from the states before it to its own', () => {
    for (const { id, root, info, state } of steps.flatMap(blocksOf)) {
      const before = prevBlocksOf(info).map((prev) => states.get(blockFullText(prev))!)
      const [old] = before.length === 1 ? before : [beginCell().storeUint(0x5f327da5, 32).storeRef(before[0]!).storeRef(before[1]!).end()]
      expect(applyUpdate(old!, loadBlock(root).stateUpdate).hashHex(), blockFullText(id)).toBe(state.hashHex())
    }
  })

  it('a block changes accounts of its own shard alone', () => {
    for (const { id, root, boc } of steps.flatMap(({ shards }) => shards)) {
      for (const [account, now] of endSteps(changedAccounts({ parts: loadBlock(root), size: boc.length }))) {
        expect(shardHasAccount(id.shard, Buffer.from(account, 'latin1'))).toBe(true)
        expect(now, 'no account is deleted').toBeDefined()
      }
    }
  })
})
