import { expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { countAtMost } from '../../server/cell/budget.ts'
import { createAccountStates } from '../../server/chain/account-states.ts'
import type { LiteAnswer } from '../../server/chain/liteserver.ts'
import type { ProvenAccount } from '../../server/chain/proofs/account.ts'
import type { BlockId } from '../../server/tlb/ids.ts'
import { wideTree } from '../kit/bombs.ts'
import { applyAccountInput } from '../kit/chain/account-input.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { collectGarbage } from '../kit/gc.ts'

const blockOf = (n: number): BlockId => ({
  workchain: -1,
  shard: 1n << 63n,
  seqno: n,
  rootHash: Buffer.alloc(32, n),
  fileHash: Buffer.alloc(32),
})
const memory = (): number => {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const signal = new AbortController().signal

/** States of an account at any block, parsed from a BoC each time, as those of a lite-server. */
const statesOf = (bocAt: (block: number) => Uint8Array) => {
  let reads = 0
  const states = createAccountStates({
    account: async (block, _, _signal, read) => {
      reads++
      const state = bocAt(block.seqno)
      const account = parseBocRoot(state)
      const times = { genUtime: 1, genLt: 1n, lastTransLt: 1n, lastTransHash: new Uint8Array(32) }
      return read({ shardBlock: blockOf(0), account, ...times } as ProvenAccount, { state } as LiteAnswer<'getAccountState'>)
    },
  })
  return { states, reads: () => reads }
}

const { id, account } = ownWallet(1)
const bocWith = (part: 'data' | 'code', cells: number, n: number): Uint8Array => {
  const tree = wideTree(cells, (cell, i) => cell.storeUint(i, 16).storeUint(n, 8))
  return serializeBoc(applyAccountInput(undefined, id, { ...account, [part]: tree }, 1_800_000_000))
}

it('accounts of tens of thousands of tiny cells at dozens of blocks take less than 50 MB, and the last one is cached', async () => {
  const whole = bocWith('data', 60_000, 0)
  const { states, reads } = statesOf(() => whole)
  const before = memory()
  for (let n = 1; n <= 12; n++) countAtMost([(await states(id, blockOf(n), signal)).accountCell], 1e6)
  await states(id, blockOf(12), signal)
  expect(reads()).toBe(12)
  expect(memory() - before).toBeLessThan(50)
}, 120_000)

it('different codes of thousands of tiny cells take less than 30 MB', async () => {
  const { states } = statesOf((n) => bocWith('code', 22_000, n))
  const before = memory()
  for (let n = 1; n <= 10; n++) await states(id, blockOf(n), signal)
  expect(memory() - before).toBeLessThan(30)
}, 120_000)
