import { internal } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../../server/base/log.ts'
import { createEmulator } from '../../../server/emulate/emulator.ts'
import { createBoard } from '../../../server/live/pending/board.ts'
import { createFollower } from '../../../server/live/pending/follower.ts'
import type { PublishedTrace } from '../../../server/live/pending/published-trace.ts'
import { createSignedTransactions } from '../../../server/live/pending/signed-transactions.ts'
import type { Reader } from '../../../server/store/postgres/reader.ts'
import type { TraceRecognizer } from '../../../server/v3/answer/recognize-trace.ts'
import { createFormatTrace } from '../../../server/v3/live/published-trace.ts'
import { TonError } from '../../../shared/errors.ts'
import { type ManualMining, startManualMining } from '../../emulate/scene.ts'
import { until } from '../../kit/wait.ts'
import { stranger } from '../kit.ts'

/* Pending traces while the index cannot be read. */

let service: ManualMining
beforeAll(async () => {
  service = await startManualMining()
}, 120_000)
afterAll(() => service?.close())

const AWAY = new TonError('UNAVAILABLE', 'the database cannot be reached')
const ACCOUNTS = { [`0:${'AB'.repeat(32)}`]: { code: { isBounceable: false, interfaces: null } } }

/** A follower whose recognitions fail with `fault.now`. `indexChanges`: what the index calls after it has changed. */
const startFollower = () => {
  const { chain, tvm } = service.tonway.app.network
  const fault: { now: Error | undefined } = { now: undefined }
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const recognizer: TraceRecognizer = {
    async within(_trace, _caller, use) {
      if (fault.now !== undefined) throw fault.now
      return await use({ hasContracts: false, recognize: async () => ({ facts: new Map(), accounts: ACCOUNTS }) })
    },
  }
  const published: PublishedTrace[] = []
  const board = createBoard({ published: (trace) => published.push(trace), removed() {} })
  const listeners = new Set<() => void>()
  const follower = createFollower({
    chain,
    emulator: createEmulator({ chain, tvm }),
    now: () => Math.floor(Date.now() / 1_000),
    format: createFormatTrace({ reader: {} as Reader, recognizer, isTestnet: false, log }),
    reached: async () => {},
    onHead(notice) {
      listeners.add(notice)
      return () => listeners.delete(notice)
    },
    board,
    signed: createSignedTransactions(async () => undefined),
    hasDemand: () => false,
    log,
  })
  const indexChanges = (): void => {
    for (const notice of [...listeners]) notice()
  }
  return { follower, fault, lines, published, listeners, indexChanges }
}

const order = () => Buffer.from(service.v4.order(service.nextSeqno(), [internal({ to: stranger(), value: '1', bounce: false })]), 'base64')

it('a trace that was formatted while the index was away is formatted again when the index can be read, and once', async () => {
  const { follower, fault, lines, published, listeners, indexChanges } = startFollower()
  fault.now = AWAY
  await follower.follow(order())
  expect(published.map(({ accounts }) => accounts)).toEqual([{}])
  // The index changes, but cannot be read yet.
  indexChanges()
  await until(() => listeners.size === 1)
  fault.now = undefined
  indexChanges()
  await until(() => published.at(-1)?.accounts !== undefined && Object.keys(published.at(-1)!.accounts).length > 0)
  expect([published.at(-1)!.accounts, listeners.size, lines]).toEqual([ACCOUNTS, 0, []])
  follower.close()
})

it('an error that is no outage of the index is logged, and the trace is published without facts and not made again', async () => {
  const { follower, fault, lines, published, listeners } = startFollower()
  fault.now = new TypeError('a bug')
  await follower.follow(order())
  expect(published.map(({ accounts }) => accounts)).toEqual([{}])
  expect(lines).toMatchObject([{ level: 'error', event: 'pending.not_recognized', err: { message: 'a bug' } }])
  expect(listeners.size).toBe(0)
  follower.close()
})

it('a follower that is closed waits for the index no more', async () => {
  const { follower, fault, listeners } = startFollower()
  fault.now = AWAY
  await follower.follow(order())
  expect(listeners.size).toBe(1)
  follower.close()
  expect(listeners.size).toBe(0)
})
