import { expect, it } from 'vitest'
import { type EmulatedToken, withEmulatedTokens } from '../../../server/book/emulated-accounts.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { EmulatedTrace } from '../../../server/emulate/trace.ts'
import { HEAD_QUERY } from '../../../server/store/head/index-head.ts'
import type { TokenRow } from '../../../server/store/queries/tokens.ts'
import { accountKey, rawOfKey } from '../../../server/store/row-keys.ts'
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

it('the stored tokens of an emulated account are found without a look at those of all others', () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => accountKey(0, Buffer.alloc(32, String(i).padStart(4, '0'))))
  let looks = 0
  const stored = keys.map((key) =>
    Object.defineProperty({ kind: 0, is_scam: true, fetched: key.toString('hex') }, 'account', { get: () => ++looks && key }),
  ) as unknown as TokenRow[]
  const token: EmulatedToken = { kind: 0, content: '{}', owner: null, jetton: null, balance: null, index: null, domain: null }
  const emulated = Object.fromEntries(keys.map((key) => [rawOfKey(key), { tokens: [token] }]))
  const rows = withEmulatedTokens(stored, emulated, Object.keys(emulated))
  expect(rows.map(({ account, content, is_scam, fetched }) => [content, is_scam, fetched === account.toString('hex')])).toEqual(
    keys.map(() => ['{}', true, true]),
  )
  expect(looks).toBeLessThan(3 * keys.length)
})
