import { expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import { readGenesisAccounts } from '../../../server/chain/local/genesis-accounts.ts'
import { keyOf } from '../../../server/chain/local/hash-keys.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { timeTurns } from '../../kit/turns.ts'

it('a chain of many accounts is exported, read and started again in turns', async () => {
  const { signal } = new AbortController()
  const tvm = createTestTvm({ workers: 1 })
  const code = beginCell().storeUint(1, 32).end()
  const hashOf = (i: number): Uint8Array => Buffer.from(i.toString(16).padStart(8, '0').repeat(8), 'hex')
  const accounts = Array.from({ length: 4_000 }, (_, i) => ({
    account: { workchain: 0, hash: hashOf(i) },
    balance: BigInt(i),
    code,
    data: beginCell()
      .storeUint(keyOf(hashOf(i)), 256)
      .end(),
  }))
  /** No turn may have half of the work: of a tenth of a second, one slow turn on a busy machine is a third. */
  const inTurns = async <T>(work: () => Promise<T>): Promise<T> => {
    let result: T | undefined
    const { longest, all } = await timeTurns(async () => {
      result = await work()
    })
    expect(longest).toBeLessThan(all / 2)
    return result!
  }
  const one = await inTurns(() => createTestChain(tvm, { accounts }))
  const state = await one.control.exportState(signal)
  const read = await inTurns(() => readGenesisAccounts(state, -3))
  const two = await inTurns(() => createTestChain(tvm, read))
  expect((await two.control.exportState(signal)).boc).toBe(state.boc)
  for (const chain of [one, two]) await chain.close()
  await tvm.close()
}, 60_000)
