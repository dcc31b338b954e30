import { expect, it } from 'vitest'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { checkBlockRoot } from '../../server/chain/proofs/header.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo, storeBlockInfo } from '../../server/tlb/block/block-info.ts'
import { createNetwork } from '../kit/network/network.ts'

it('a block whose vertical seqno is 2^31 or more is refused', async () => {
  const shape = { pace: 1, mostShards: 1, keyEvery: 10, wallets: 2, perStep: 1, burst: 1, burstEvery: 20 }
  const { master } = await createNetwork({ seed: 7, utime: 1_780_000_000, stepMs: 400, ...shape }).step()
  const info = loadBlockInfo(loadBlock(master.root).info)
  const withVertSeqno = (vertSeqno: number) => {
    const head = storeBlockInfo(Object.assign(loadBlockInfo(loadBlock(master.root).info), { vertSeqno }))
    const root = [1, 2, 3].reduce(
      (b: Builder, i) => b.storeRef(master.root.ref(i)),
      beginCell().storeBits(master.root.slice().loadBits(master.root.bits), master.root.bits).storeRef(head),
    )
    const cell = root.end()
    return () => checkBlockRoot(cell, { ...master.id, rootHash: cell.hash() })
  }
  expect(withVertSeqno(info.vertSeqno)().info.seqno).toBe(1)
  expect(withVertSeqno(2 ** 31 - 1)().info.vertSeqno).toBe(2 ** 31 - 1)
  expect(withVertSeqno(2 ** 31)).toThrow('a seqno of 2^31 or more')
})
