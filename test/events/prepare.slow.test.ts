import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { Emulator } from '../../server/emulate/emulator.ts'
import { EmulationError } from '../../server/emulate/error.ts'
import type { EmulateRequest } from '../../server/emulate/trace.ts'
import { createPrepare, type PrepareDeps, type Prepared } from '../../server/live/pending/emulate-sent.ts'
import { createFollowedTraces } from '../../server/live/pending/followed-traces.ts'
import { TvmError } from '../../server/tvm/tvm.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { until } from '../kit/wait.ts'

/* Emulations of sent messages: how many are in memory at a time. */

const SENT = 20
/** Those that hold a permit. */
const AT_ONCE = 8

const emulator = {
  trace: async ({ at, starts }: EmulateRequest) => ({
    at,
    isLate: false,
    nodes: starts.map(() => ({
      account: { workchain: 0, hash: new Uint8Array(32) },
      after: { accountCell: EMPTY_CELL, lastTransHash: new Uint8Array(32), lastTransLt: 0n },
      transaction: { prevTransLt: 0n },
    })),
  }),
} as unknown as Emulator

const friend = { workchain: 0, hash: new Uint8Array(32).fill(1) }

const prepareWith = (deps: Partial<PrepareDeps> = {}) => {
  const kept = createFollowedTraces()
  let orders = 0
  const prepare = createPrepare({
    chain: { head: () => ({ id: { seqno: 1 } }) as ReturnType<Chain['head']> },
    emulator,
    now: () => 0,
    followed: kept,
    hasRoom: () => true,
    nextOrder: () => orders++,
    add: kept.add,
    prepared: async (entry) => ({ entry }) as Prepared,
    closing: new AbortController().signal,
    ...deps,
  })
  return { kept, prepare }
}

/** Messages of many wallets that come at once. Telling a trace ends when the test says so. */
const sendAll = () => {
  const telling: (() => void)[] = []
  const { kept, prepare } = prepareWith({
    prepared: (entry) => new Promise((resolve) => telling.push(() => resolve({ entry } as Prepared))),
  })
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

/** An emulator that fails with these errors first. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors]
  let calls = 0
  const trace = async (request: EmulateRequest) => {
    calls++
    const error = left.shift()
    if (error !== undefined) throw error
    return await emulator.trace(request, new AbortController().signal)
  }
  return { emulator: { trace } as unknown as Emulator, calls: () => calls }
}
const LATE = new EmulationError('time', 'it took longer than 3 seconds')

it('a sent message whose emulation fails for a reason that passes is emulated once more, and the next one of its wallet waits', async () => {
  for (const error of [LATE, new TvmError('overloaded', 'many wait'), new Error('the source is away')]) {
    const { emulator } = failing(error)
    const { kept, prepare } = prepareWith({ emulator })
    const sent = [0, 1].map((seqno) => prepare(ownWallet(1).transfer(seqno, friend, 1n), Promise.resolve(true)))
    const [first, second] = await Promise.all(sent.map(({ made }) => made))
    expect(kept.all()).toEqual([first!.entry, second!.entry])
  }
}, 120_000)

it('an emulation fails for good when the account refuses, when the network does not take the message, and the second time', async () => {
  const cases = [
    { errors: [new EmulationError('refused', 'not accepted')], isSent: true, calls: 1 },
    { errors: [LATE], isSent: false, calls: 1 },
    { errors: [LATE, LATE], isSent: true, calls: 2 },
  ]
  for (const { errors, isSent, calls } of cases) {
    const own = failing(...errors)
    const { kept, prepare } = prepareWith({ emulator: own.emulator })
    const { begun, made } = prepare(ownWallet(1).transfer(0, friend, 1n), Promise.resolve(isSent))
    // Sending waits for no second attempt.
    await begun
    await made.catch(() => {})
    expect([own.calls(), kept.size()]).toEqual([calls, 0])
  }
})

it('a trace that was not finished in time is emulated again with the next head', async () => {
  const trace = async (request: EmulateRequest) => ({ ...(await emulator.trace(request, new AbortController().signal)), isLate: true })
  const { kept, prepare } = prepareWith({ emulator: { trace } as unknown as Emulator })
  await prepare(ownWallet(1).transfer(0, friend, 1n), Promise.resolve(true)).made
  expect(kept.all()).toMatchObject([{ isStale: true }])
})

it('messages of strangers that a wallet refuses do not keep its own from being followed, whether they come before or at the same time', async () => {
  const refused = (count: number) => Array.from({ length: count }, () => new EmulationError('refused', 'not accepted'))
  const { emulator } = failing(...refused(350))
  const { kept, prepare } = prepareWith({ emulator })
  const wallet = ownWallet(1)
  const send = (seqno: number) => prepare(wallet.transfer(seqno, friend, 1n), Promise.resolve(true)).made.catch(() => undefined)
  for (let sent = 0; sent < 300; sent += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => send(1_000 + sent + n)))
  for (let n = 0; n < 50; n++) void send(2_000 + n)
  const own = await send(0)
  expect(kept.all()).toEqual([own!.entry])
})

it('of one wallet at most twenty accepted messages in ten seconds are followed, and at most a hundred wait for their emulation', async () => {
  let calls = 0
  const trace = async () => {
    calls++
    throw new EmulationError('refused', 'not accepted')
  }
  const wallet = ownWallet(1)
  const send = (prepare: ReturnType<typeof prepareWith>['prepare']) => (_: unknown, n: number) =>
    prepare(wallet.transfer(n, friend, 1n), Promise.resolve(true)).made.catch(() => undefined)
  const accepting = prepareWith()
  await Promise.all(Array.from({ length: 30 }, send(accepting.prepare)))
  expect(accepting.kept.size()).toBe(20)
  await Promise.all(Array.from({ length: 300 }, send(prepareWith({ emulator: { trace } as unknown as Emulator }).prepare)))
  expect(calls).toBe(100)
})
