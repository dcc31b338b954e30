import { expect, it } from 'vitest'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { EmulatedTrace } from '../../../server/emulate/trace.ts'
import { HEAD_QUERY } from '../../../server/store/head/index-head.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import { completeEmulated, type EmulatedOptions } from '../../../server/v3/answer/emulated.ts'
import { readJson } from '../../kit/data.ts'

const HEAD = { head: 1, first: 1, network: 'test', isDistributed: false, utime: 1, epoch: 1 }

it('the actions of an emulation are found after its connection to the database was given back', async () => {
  const [{ transaction: recorded }] = readJson<readonly [{ readonly transaction: { readonly boc: string } }]>(
    'transactions/rust-executor-triplets.json',
  )
  const transaction = loadTransaction(parseBocRoot(Buffer.from(recorded.boc, 'base64')))
  const account = { workchain: 0, hash: transaction.account }
  const trace = { nodes: [{ account, transaction, mcSeqno: 1 }] } as unknown as EmulatedTrace
  let isOpen = false
  const reader = {
    async snapshot(run: (rows: (query: unknown) => Promise<object[]>) => Promise<unknown>) {
      isOpen = true
      try {
        return await run(async (query) => (query === HEAD_QUERY ? [HEAD] : []))
      } finally {
        isOpen = false
      }
    },
  }
  /** Whether a connection was taken when the types of an action were looked at. */
  const seen: boolean[] = []
  const types = { has: () => seen.push(isOpen) > 0 }
  const recognizer = { within: (_trace: unknown, _caller: unknown, use: (noticed: undefined) => unknown) => use(undefined) }
  const wants = { actions: true, book: false, metadata: false, wallets: false }
  const options = { index: { reader }, recognizer, wants, types, network: 'test', client: undefined } as unknown as EmulatedOptions
  const { actions } = await completeEmulated(options, trace, '', 1_000, new AbortController().signal)
  expect(actions.length).toBeGreaterThan(0)
  expect(new Set(seen)).toEqual(new Set([false]))
})
