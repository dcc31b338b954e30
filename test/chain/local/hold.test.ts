import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createBlocks } from '../../../server/chain/blocks.ts'
import { createRawQuery } from '../../../server/chain/checked-query.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { type BlockId, sameBlock } from '../../../server/tlb/ids.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'

/* Shard blocks that the embedded chain holds back from the masterchain. */

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
const open: LocalChain[] = []
afterAll(async () => {
  await Promise.all(open.map((chain) => chain.close()))
  await tvm.close()
  rmSync(root, { recursive: true, force: true })
})
const { signal } = new AbortController()
const wallet = ownWallet(7)
const nobody = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }

const start = async (options: Parameters<typeof createTestChain>[1] = {}): Promise<LocalChain> => {
  const chain = await createTestChain(tvm, options)
  open.push(chain)
  return chain
}
const withWallet = (options: Parameters<typeof createTestChain>[1] = {}): Promise<LocalChain> =>
  start({ accounts: [wallet.account], ...options })
const send = async (chain: LocalChain, seqno: number): Promise<void> => {
  await chain.query('sendMessage', { body: wallet.transfer(seqno, nobody, 1_000_000n) }, signal)
  await chain.control.idleOrBusyTooLong(signal)
}
const listed = async (chain: LocalChain): Promise<readonly BlockId[]> =>
  (await chain.query('nonfinal.getPendingShardBlocks', {}, signal)).signedBlocks
const blocksOf = (chain: LocalChain) => createBlocks(createRawQuery(chain))

it('blocks that are held back are listed and found by their ids, each after the one before it, and come into the chain in their order', async () => {
  const chain = await withWallet()
  const head = chain.head!().id
  expect(await chain.control.holdShardBlocks(true, signal)).toEqual({ hold: true, blocks: 0 })
  expect(await listed(chain)).toEqual([])
  await send(chain, 0)
  await send(chain, 1)
  expect(await chain.control.holdShardBlocks(undefined, signal)).toEqual({ hold: true, blocks: 2 })
  expect(chain.head!().id).toEqual(head)
  const [newest, ...others] = await listed(chain)
  expect(others).toEqual([])
  const blocks = blocksOf(chain)
  const second = await blocks.block(newest!, signal)
  const first = await blocks.block(second.prev[0]!, signal)
  const read = await blocks.account(second.id, wallet.id, signal, (account) => account)
  expect([second.id.seqno, first.id.seqno, first.prev[0]!.seqno]).toEqual([head.seqno + 2, head.seqno + 1, head.seqno])
  expect(read.lastTransLt).toBeGreaterThan(first.info.endLt)

  expect(await chain.control.holdShardBlocks(false, signal)).toEqual({ hold: false, blocks: 0 })
  expect(await listed(chain)).toEqual([])
  expect(chain.head!().id.seqno).toBe(head.seqno + 2)
  for (const { id } of [first, second]) {
    const by = { workchain: 0, shard: id.shard, seqno: id.seqno }
    const { id: found } = await chain.query('lookupBlock', { id: by, by: { seqno: true } }, signal)
    expect(sameBlock(found, id)).toBe(true)
  }
  await send(chain, 2)
  expect(chain.head!().id.seqno).toBe(head.seqno + 3)
})

it('a revert drops the blocks that are held back', async () => {
  const chain = await withWallet()
  const mark = await chain.control.snapshot(signal)
  await chain.control.holdShardBlocks(true, signal)
  await send(chain, 0)
  const [dropped] = await listed(chain)
  await chain.control.revert(mark, signal)
  expect(await listed(chain)).toEqual([])
  await expect(blocksOf(chain).block(dropped!, signal)).rejects.toThrow('is not in db')
  await chain.control.holdShardBlocks(false, signal)
  await send(chain, 0)
  expect(chain.head!().epoch).toBe(1)
})

it('at most 20 blocks are held back; messages wait for their turn, and controls are refused', async () => {
  const chain = await withWallet()
  const head = chain.head!().id
  await chain.control.holdShardBlocks(true, signal)
  for (let i = 0; i < 20; i++) await chain.control.mine(1, signal)
  await expect(chain.control.mine(1, signal)).rejects.toThrow(
    '20 shard blocks are held back, and no more can be: call local.holdShardBlocks',
  )
  await send(chain, 0)
  expect(await chain.control.holdShardBlocks(undefined, signal)).toEqual({ hold: true, blocks: 20 })
  await chain.control.holdShardBlocks(false, signal)
  await chain.control.idleOrBusyTooLong(signal)
  expect(chain.head!().id.seqno).toBe(head.seqno + 21)
})

it('messages of blocks that were held back when the chain ended are in blocks after the next start', async () => {
  const dataDir = join(root, 'kept')
  const before = await withWallet({ dataDir })
  const { seqno } = before.head!().id
  await send(before, 0)
  await before.control.holdShardBlocks(true, signal)
  await send(before, 1)
  await send(before, 2)
  expect(before.head!().id.seqno).toBe(seqno + 1)
  await before.close()
  const after = await withWallet({ dataDir })
  await after.control.idleOrBusyTooLong(signal)
  const { data } = await after
    .query('getMasterchainInfo', {}, signal)
    .then(({ last }) => blocksOf(after).account(last, wallet.id, signal, ({ account }) => ({ data: account })))
  expect(data).toBeDefined()
  expect(after.head!().id.seqno).toBeGreaterThan(seqno + 1)
  await expect(send(after, 2)).rejects.toThrow('cannot apply external message')
  await send(after, 3)
})
