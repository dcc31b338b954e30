import { expect, it, vi } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Pool } from '../../../server/index/topics/staking/apply-to-pool.ts'
import { afterOrder, type Order } from '../../../server/index/topics/staking/apply-to-pool.ts'

const GRAM = 1_000_000_000n
const COUNT = 4_000
const idOf = (n: number): string => n.toString(16).padStart(64, '0')

const poolOf = (amountOf: (n: number) => bigint): Pool => ({
  state: 2,
  stakeAmountSent: 0n,
  validatorAmount: 0n,
  stakeAt: 0,
  nominators: new Map(Array.from({ length: COUNT }, (_, n) => [idOf(n), { amount: amountOf(n), pendingDeposit: 0n }])),
  withdrawRequests: new Set(Array.from({ length: COUNT }, (_, n) => idOf(COUNT - 1 - n))),
  config: { validatorAddress: new Uint8Array(32), validatorRewardShare: 0 },
})

/** Process withdraw requests: op 2, a query id, and how many. The pool pays these nominators. */
const processing = (limit: number, paid: readonly number[]): Order => ({
  tx: {
    outMsgs: paid.map((n) => ({
      info: {
        type: 'internal',
        dest: { type: 'std', workchain: 0, hash: Buffer.from(idOf(n), 'hex') },
        value: { grams: 5n * GRAM - 1n },
        fwdFee: 1n,
      },
    })),
  } as never,
  sender: { type: 'std', workchain: 0, hash: new Uint8Array(32) } as never,
  value: GRAM,
  op: 2,
  body: () => beginCell().storeUint(0, 64).storeUint(limit, 8).end().slice(),
  fromElector: false,
})

it('an order to pay out pays the first requests by their address, up to the first that the pool did not pay', () => {
  // Nominators 0 and 1 have less than a GRAM, for which the pool sends no message.
  const pool = poolOf((n) => (n < 2 ? 1n : 5n * GRAM))
  const after = afterOrder(pool, processing(255, [2, 3, 5]))
  expect([...after.nominators.keys()]).toEqual(Array.from({ length: COUNT - 4 }, (_, n) => idOf(n + 4)))
  expect(after.withdrawRequests.size).toBe(COUNT - 4)
  expect(after.withdrawRequests.has(idOf(4))).toBe(true)
  expect(afterOrder(pool, processing(1, [2])).nominators.size).toBe(COUNT - 1)
  expect(
    afterOrder(
      poolOf(() => 5n * GRAM),
      processing(255, []),
    ),
  ).toMatchObject({ nominators: { size: COUNT } })
  expect(pool.nominators.size).toBe(COUNT)
})

it('an order to pay out 255 of thousands of nominators copies them once', () => {
  const pool = poolOf(() => 1n)
  let copies = 0
  class CountedMap extends Map<unknown, unknown> {
    constructor(entries?: Iterable<[unknown, unknown]>) {
      super(entries)
      copies++
    }
  }
  vi.stubGlobal('Map', CountedMap)
  const after = afterOrder(pool, processing(255, []))
  vi.unstubAllGlobals()
  expect(after.nominators.size).toBe(COUNT - 255)
  expect(copies).toBe(1)
})
