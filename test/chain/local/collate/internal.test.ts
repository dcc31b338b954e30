import { expect, it } from 'vitest'
import { createPauses } from '../../../../server/base/yield.ts'
import { beginCell } from '../../../../server/cell/builder.ts'
import { createJournal } from '../../../../server/chain/local/collate/block-so-far.ts'
import { createLimitStatus } from '../../../../server/chain/local/collate/limits.ts'
import type { Making } from '../../../../server/chain/local/collate/open-work.ts'
import { internal } from '../../../../server/chain/local/collate/phases/internal.ts'
import { createOutQueue } from '../../../../server/chain/local/collate/queue.ts'
import { storeMessage } from '../../../../server/tlb/message/message.ts'
import type { InternalMessageInfo } from '../../../../server/tlb/message/message-info.ts'
import { ACCOUNT_NONE, storeAccount, usedCellsOf } from '../../../../server/tlb/state/account.ts'
import { timeTurns } from '../../../kit/turns.ts'

const account = (workchain: number) => ({ type: 'std' as const, workchain, hash: new Uint8Array(32).fill(1) })

it('messages that a block does not deliver are queued in turns', async () => {
  const none = { underload: 0, softLimit: 0, hardLimit: 0 }
  const limits = createLimitStatus({ bytes: none, gas: none, ltDelta: none }, 0n)
  const journal = createJournal({ limits, minEndLt: 1n })
  const queue = createOutQueue(undefined, 0)
  for (let i = 0; i < 4_000; i++) {
    const info: InternalMessageInfo = {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: account(0),
      dest: account(-1),
      value: { grams: 5n },
      ihrFee: 0n,
      fwdFee: 3n,
      createdLt: BigInt(i),
      createdAt: 7,
    }
    const msg = storeMessage({ info, body: beginCell().storeUint(i, 32).end() })
    journal.fresh.push({ lt: BigInt(i), hash: msg.hashKey(), msg, info, transaction: beginCell().end() })
  }
  const making: Pick<Making, 'workchain' | 'limits' | 'journal' | 'queue' | 'pause'> = {
    workchain: 0,
    limits,
    journal,
    queue,
    pause: createPauses(3),
  }
  const { longest, all } = await timeTurns(() => internal(making as Making))
  expect(longest).toBeLessThan(all / 2)
  expect(queue.size).toBe(4_000)
})

it('a block has few transactions of large accounts, and then room for messages from outside', () => {
  const wide = { underload: 1e12, softLimit: 2e12, hardLimit: 3e12 }
  const open = () => createLimitStatus({ bytes: wide, gas: wide, ltDelta: wide }, 0n)
  const address = account(0)
  const stored = (usedCells: bigint) =>
    usedCellsOf(
      storeAccount({
        addr: address,
        storageStat: { usedCells, usedBits: 9n, dictHash: undefined, lastPaid: 1, duePayment: undefined },
        lastTransLt: 1n,
        balance: { grams: 5n },
        state: { type: 'uninit' },
      }),
    )
  const large = open()
  large.transaction(1, 1, 1n, stored(60_000n))
  expect([large.fitsInternal(), large.fitsExternal()]).toEqual([false, true])
  large.transaction(1, 1, 1n, stored(60_000n))
  expect(large.fitsExternal()).toBe(false)
  const small = open()
  for (let i = 0; i < 10_000; i++) small.transaction(1, 1, 1n, stored(4_000n))
  expect([small.fitsInternal(), stored(4_000n), usedCellsOf(ACCOUNT_NONE)]).toEqual([true, 4_000, 0])
})
