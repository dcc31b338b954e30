import { expect, it } from 'vitest'
import type { Emulator } from '../../../server/emulate/emulator.ts'
import type { EmulatedNode } from '../../../server/emulate/trace.ts'
import { createFollowedTraces, type FollowedTrace } from '../../../server/live/pending/followed-traces.ts'
import { createReviewer, type ReviewDeps } from '../../../server/live/pending/review-traces.ts'
import { createSignedTransactions } from '../../../server/live/pending/signed-transactions.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'

/* Checks of pending traces, with a head and with each change of the signed blocks. */

const { signal } = new AbortController()
const NO_SIGNED = createSignedTransactions(async () => undefined)
const HEAD = { seqno: 7 } as BlockId
const TO = `0:${'11'.repeat(32)}`
const BASE = 'b'.repeat(32)

const entryOf = (order: number, inBlocks?: FollowedTrace['inBlocks']): FollowedTrace => ({
  pending: {
    hash: `h${order}`,
    hashNorm: `n${order}`,
    boc: '',
    to: TO,
    emulation: { at: HEAD, count: 1, afterLt: 0n },
    committedAt: undefined,
  },
  order,
  sent: Promise.resolve(true),
  after: [{ account: TO, accountCell: {} as never, lastTransHash: new Uint8Array(32), lastTransLt: 1n, base: BASE }],
  leavesAt: 0,
  isStale: false,
  lacksFacts: false,
  inBlocks,
  isAdopted: false,
})

const reviewerOf = (entries: readonly FollowedTrace[], deps: Partial<ReviewDeps> = {}) => {
  const kept = createFollowedTraces()
  for (const entry of entries) kept.add(entry)
  return createReviewer({
    chain: { account: async () => ({ lastTransHash: Buffer.from(BASE, 'latin1') }) } as never,
    emulator: {} as Emulator,
    now: () => 0,
    followed: kept,
    signed: NO_SIGNED,
    committed: () => {},
    changed: async () => {},
    invalid: () => {},
    lost: () => {},
    ...deps,
  })
}

it('of a trace whose block the masterchain has named, no block is signed only', async () => {
  const way = {
    message: { hashKey: () => 'message' },
    to: { workchain: 0, hash: new Uint8Array(32).fill(0x11) },
    lt: 1n,
    parent: {} as EmulatedNode,
  }
  const entry = entryOf(1, { nodes: [], open: [way as never], isCut: false, signed: ['named', 'signed'] })
  await reviewerOf([entry], { signed: { ...NO_SIGNED, isSigned: (key) => key === 'signed' } }).one(entry, HEAD, signal)
  expect(entry.inBlocks?.signed).toEqual(['signed'])
})

it('a trace is committed with the block that names its transactions, though a check began before that', async () => {
  const seqnos: number[] = []
  const entry = entryOf(1, { nodes: [{ mcSeqno: 8 } as EmulatedNode], open: [], isCut: false, signed: ['named'] })
  await reviewerOf([entry], { committed: (_, seqno) => seqnos.push(seqno) }).one(entry, HEAD, signal)
  expect([seqnos, entry.pending.committedAt]).toEqual([[8], 8])
})

it('checks of some traces do not change where the check of all goes on', async () => {
  const entries = Array.from({ length: 1_500 }, (_, order) => entryOf(order))
  const checked = new Set<number>()
  for (const entry of entries)
    Object.defineProperty(entry, 'inBlocks', {
      get: () => void checked.add(entry.order),
    })
  const reviewer = reviewerOf(entries)
  await reviewer.all(entries, HEAD, signal)
  expect(checked.size).toBe(1_024)
  await reviewer.all([], HEAD, signal)
  await reviewer.all(entries.slice(0, 3), HEAD, signal)
  await reviewer.all(entries, HEAD, signal)
  expect(checked.size).toBe(1_500)
})
