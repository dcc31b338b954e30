import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Chain, TransactionInBlock } from '../../server/chain/chain-port.ts'
import type { AccountId } from '../../server/tlb/ids.ts'
import type { Message } from '../../server/tlb/message/message.ts'
import type { Transaction } from '../../server/tlb/transaction/transaction.ts'
import { locator } from '../../server/v2/locate.ts'
import { TonError } from '../../shared/errors.ts'
import { accountState, BLOCK } from './contracts-chain.ts'
import { fakeChain } from './fake-chain.ts'

/* A chain of 1,000 masterchain blocks, each a million lt long; transactions of a few accounts at given times. */

const LT = 1_000_000n
const HEAD = 1000
const id = (workchain: number, byte: number): AccountId => ({ workchain, hash: new Uint8Array(32).fill(byte) })
const keyOf = ({ workchain, hash }: AccountId): string => `${workchain}:${hash[0]}`

const message = (from: AccountId, to: AccountId, createdLt: bigint): Message => ({
  info: {
    type: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: { type: 'std', ...from },
    dest: { type: 'std', ...to },
    value: { grams: 1n },
    ihrFee: 0n,
    fwdFee: 0n,
    createdLt,
    createdAt: 0,
  },
  body: beginCell().end(),
  layout: { initRef: false, bodyRef: false },
  root: beginCell().end(),
})

interface Planned {
  readonly account: AccountId
  readonly lt: bigint
  readonly inMsg?: Message
  readonly outMsgs?: readonly Message[]
}

/** `gone`: accounts that are not there any more, with their history. */
const chainOf = (planned: readonly Planned[], gone: readonly AccountId[] = []) => {
  const found: TransactionInBlock[] = planned.map(({ account, lt, inMsg, outMsgs = [] }) => ({
    transaction: { account: account.hash, lt, outMsgs, ...(inMsg && { inMsg }) } as unknown as Transaction,
    hash: new Uint8Array(32),
    workchain: account.workchain,
    block: BLOCK,
  }))
  const asked = { states: 0, transactions: 0, blocks: 0 }
  const of = (account: AccountId): TransactionInBlock[] =>
    found
      .filter((item) => keyOf({ workchain: item.workchain, hash: item.transaction.account }) === keyOf(account))
      .sort((a, b) => (a.transaction.lt < b.transaction.lt ? 1 : -1))
  const members: Partial<Chain> = {
    head: () => ({ id: { ...BLOCK, seqno: HEAD }, utime: 0, epoch: 0 }),
    blockHeader: async (id) => ({ id, info: { endLt: 2n * LT } }) as never,
    lookupBlock: async (_, by) => {
      if ('seqno' in by) return { ...BLOCK, seqno: 1 }
      const seqno = Number((by as { lt: bigint }).lt / LT)
      if (seqno > HEAD) throw new TonError('CHAIN', 'LITE_SERVER_NOTREADY: ltdb: block not found')
      return { ...BLOCK, seqno }
    },
    account: async (account, at) => {
      asked.states++
      const end = BigInt(at as number) * LT + LT
      const last = gone.includes(account) ? undefined : of(account).find((item) => item.transaction.lt < end)
      return {
        ...accountState(account, undefined),
        shardBlock: { ...BLOCK, seqno: at as number },
        genLt: end,
        lastTransLt: last?.transaction.lt ?? 0n,
      }
    },
    blockTransactions: async ({ seqno }, { after, count }) => {
      asked.blocks++
      const all = found.filter(({ transaction: { lt } }) => lt / LT === BigInt(seqno) && lt > 0n)
      const key = (item: TransactionInBlock) => Buffer.from(item.transaction.account).toString('hex')
      const sorted = all.sort((x, y) => (key(x) === key(y) ? Number(x.transaction.lt - y.transaction.lt) : key(x) < key(y) ? -1 : 1))
      const from = Buffer.from(after!.account).toString('hex')
      const isAfter = (item: TransactionInBlock): boolean => key(item) > from || (key(item) === from && item.transaction.lt > after!.lt)
      return { incomplete: false, transactions: sorted.filter(isAfter).slice(0, count) }
    },
    transactions: async (account, { from, limit, toLt }) => {
      const all = of(account).filter(({ transaction }) => transaction.lt <= from!.lt)
      const page = all.slice(0, limit).filter(({ transaction }) => transaction.lt > toLt)
      asked.transactions += page.length
      const older = all[limit]
      return { transactions: page, next: { lt: older?.transaction.lt ?? 0n, hash: new Uint8Array(32) } }
    },
  }
  return { locate: locator(fakeChain(members)), asked }
}

const a = id(0, 1)
const b = id(0, 2)
const master = id(-1, 3)
const { signal } = new AbortController()
const sentAt = 500n * LT + 10n

describe('tryLocateTx', () => {
  const delivered = (lt: bigint, to = b, from = a): Planned => ({ account: to, lt, inMsg: message(from, to, sentAt) })
  const noise = (account: AccountId, count: number, start: bigint): Planned[] =>
    Array.from({ length: count }, (_, i) => ({ account, lt: start + BigInt(i), inMsg: message(b, account, start + BigInt(i) - 1n) }))

  it.each<[string, Planned[], AccountId]>([
    ['in the same block', [delivered(sentAt + 5n)], b],
    ['in the next block', [delivered(sentAt + LT)], b],
    ['much later', [delivered(sentAt + 321n * LT)], b],
    ['in the last block', [delivered(BigInt(HEAD) * LT + 1n)], b],
    ['among 300 others of its account', [...noise(b, 150, sentAt + 1n), delivered(sentAt + 200n), ...noise(b, 150, sentAt + 300n)], b],
    ['on the masterchain', [delivered(sentAt + 5n, master)], master],
  ])('tryLocateTx finds the transaction that received a message %s', async (_, planned, to) => {
    const { locate } = chainOf(planned)
    const found = await locate.result(a, to, sentAt, signal)
    expect(found.transaction.inMsg?.info).toMatchObject({ createdLt: sentAt })
    expect(found.workchain).toBe(to.workchain)
  })

  it.each([
    ['in the same block', sentAt + 5n],
    ['some blocks later', sentAt + 7n * LT],
  ])('tryLocateTx finds what a deleted account received %s', async (_, lt) => {
    const { locate } = chainOf([...noise(b, 3, lt - 4n), delivered(lt), ...noise(id(0, 9), 3, lt)], [b])
    const found = await locate.result(a, b, sentAt, signal)
    expect(found.transaction).toMatchObject({ lt, inMsg: { info: { createdLt: sentAt } } })
  })

  it('tryLocateTx finds what a deleted account received after many other messages in the same block', async () => {
    const { locate } = chainOf([...noise(b, 200, sentAt + 300n), delivered(sentAt + 400n)], [b])
    expect((await locate.result(a, b, sentAt, signal)).transaction).toMatchObject({ lt: sentAt + 400n })
  })

  it('tryLocateTx searches a bounded number of blocks for a deleted account', async () => {
    const { locate, asked } = chainOf([delivered(sentAt + 100n * LT)], [b])
    await expect(locate.result(a, b, sentAt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
    expect(asked.blocks).toBeLessThanOrEqual(17)
  })

  it('tryLocateTx looks neither before the message nor twice at the same transactions', async () => {
    const { locate, asked } = chainOf([...noise(b, 500, 100n * LT), ...noise(b, 100, sentAt + 3n * LT), delivered(sentAt + 200n * LT)])
    await locate.result(a, b, sentAt, signal)
    expect(asked.transactions).toBe(101)
    expect(asked.states).toBeLessThanOrEqual(11)
  })

  it('tryLocateTx requires source, destination and time to match', async () => {
    const { locate } = chainOf([delivered(sentAt + 5n)])
    for (const [from, to, lt] of [
      [master, b, sentAt],
      [id(-1, 1), b, sentAt],
      [a, a, sentAt],
      [a, id(-1, 2), sentAt],
      [a, b, sentAt + 1n],
      [a, b, sentAt - 1n],
    ] as const) {
      await expect(locate.result(from, to, lt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND', message: 'transaction was not found' })
    }
  })

  it('tryLocateTx gives up after so many transactions', async () => {
    const { locate, asked } = chainOf([...noise(b, 5000, sentAt + 1n)])
    await expect(locate.result(a, b, sentAt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
    expect(asked.transactions).toBeLessThanOrEqual(2050)
  })

  it('tryLocateTx says that the time is not reached yet', async () => {
    const { locate } = chainOf([])
    await expect(locate.result(a, b, 5000n * LT, signal)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'failed to lookup block by given lt: LITE_SERVER_NOTREADY: ltdb: block not found',
    })
  })
})

describe('tryLocateSourceTx', () => {
  const sending = (lt: bigint, from = a, to = b): Planned => ({
    account: from,
    lt,
    outMsgs: [message(from, id(0, 9), sentAt - 1n), message(from, to, sentAt), message(from, to, sentAt + 1n)],
  })
  const quiet = (account: AccountId, lt: bigint): Planned => ({ account, lt })

  it.each<[string, Planned[], AccountId]>([
    ['as the account’s last', [sending(sentAt - 2n)], a],
    ['before many others', [sending(sentAt - 2n), ...Array.from({ length: 200 }, (_, i) => quiet(a, sentAt + 10n + BigInt(i)))], a],
    ['in a block of its own', [sending(sentAt - 2n), quiet(a, sentAt + 40n * LT)], a],
    ['on the masterchain', [sending(sentAt - 2n, master)], master],
  ])('tryLocateSourceTx finds the sender %s', async (_, planned, from) => {
    const { locate } = chainOf(planned)
    const { transaction } = await locate.source(from, b, sentAt, signal)
    expect(transaction.lt).toBe(sentAt - 2n)
  })

  it('tryLocateSourceTx looks only at the last transaction before the message', async () => {
    const { locate, asked } = chainOf([
      sending(sentAt - 2n - LT),
      quiet(a, sentAt - 1n),
      ...Array.from({ length: 50 }, (_, i) => quiet(a, BigInt(i))),
    ])
    await expect(locate.source(a, b, sentAt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND', message: 'transaction was not found' })
    expect(asked.states).toBe(1)
  })

  it('tryLocateSourceTx requires the destination to match', async () => {
    const { locate } = chainOf([sending(sentAt - 2n)])
    await expect(locate.source(a, id(-1, 2), sentAt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
    await expect(locate.source(b, b, sentAt, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
  })
})
