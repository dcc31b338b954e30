import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { Emulator } from '../../server/emulate/emulator.ts'
import type { EmulateRequest } from '../../server/emulate/trace.ts'
import { createPrepare, type Prepared } from '../../server/live/pending/emulate-sent.ts'
import { createFollowedTraces } from '../../server/live/pending/followed-traces.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { until } from '../kit/wait.ts'

/* Emulations of sent messages: how many are in memory at a time. */

const SENT = 20
/** Those that hold a permit. */
const AT_ONCE = 8

const emulator = {
  trace: async ({ at, starts }: EmulateRequest) => ({
    at,
    nodes: starts.map(() => ({
      account: { workchain: 0, hash: new Uint8Array(32) },
      after: { accountCell: EMPTY_CELL, lastTransHash: new Uint8Array(32), lastTransLt: 0n },
      transaction: { prevTransLt: 0n },
    })),
  }),
} as unknown as Emulator

/** Messages of many wallets that come at once. Telling a trace ends when the test says so. */
const sendAll = () => {
  const kept = createFollowedTraces()
  const telling: (() => void)[] = []
  let orders = 0
  const prepare = createPrepare({
    chain: { head: () => ({ id: { seqno: 1 } }) as ReturnType<Chain['head']> },
    emulator,
    now: () => 0,
    followed: kept,
    hasRoom: () => true,
    nextOrder: () => orders++,
    add: kept.add,
    prepared: (entry) => new Promise((resolve) => telling.push(() => resolve({ entry } as Prepared))),
    closing: new AbortController().signal,
  })
  const friend = { workchain: 0, hash: new Uint8Array(32).fill(1) }
  const made = Array.from({ length: SENT }, (_, n) => prepare(ownWallet(n).transfer(0, friend, 1n), Promise.resolve(true)).made)
  return { kept, telling, made: Promise.all(made) }
}

it('a sent message is emulated when an earlier one is told, so few emulated traces are in memory at a time', async () => {
  const { kept, telling, made } = sendAll()
  await until(() => telling.length === AT_ONCE)
  for (let told = 0; told < SENT; told++) {
    for (let i = 0; i < 5; i++) await turn()
    expect(kept.size()).toBe(Math.min(SENT, AT_ONCE + told))
    telling[told]!()
    await until(() => telling.length === Math.min(SENT, AT_ONCE + told + 1))
  }
  expect(new Set((await made).map((each) => each!.entry))).toEqual(new Set(kept.all()))
})

it('a sent message is emulated within seconds also while nothing can be told', async () => {
  const { kept, telling, made } = sendAll()
  await until(() => kept.size() === SENT)
  for (const tell of telling) tell()
  expect(await made).toHaveLength(SENT)
})
