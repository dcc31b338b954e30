import { expect, it } from 'vitest'
import type { TransactionInBlock } from '../../../server/chain/chain-port.ts'
import { createSignedTransactions } from '../../../server/live/pending/signed-transactions.ts'
import { createReceived, type ReceivedSource } from '../../../server/live/pending/transactions-by-message.ts'
import type { AccountId, BlockId } from '../../../server/tlb/ids.ts'

/* Messages are looked for among the transactions of the accounts that they are for. */

const ID: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(1) }
const AT = { seqno: 7 } as BlockId
const { signal } = new AbortController()
const NO_SIGNED = createSignedTransactions(async () => undefined)

const hashOf = (lt: bigint): string => `message ${lt}`
const transactionOf = (lt: bigint): TransactionInBlock =>
  ({ transaction: { lt, inMsg: { root: { hashKey: () => hashOf(lt) }, info: { type: 'internal' } } } }) as unknown as TransactionInBlock

/** An account with so many transactions, at lt 1, 2, 3, ... Each read of a page adds the lt of its first transaction to `pages`. */
const chainOf = (count: number, pages: bigint[]): ReceivedSource =>
  ({
    account: async () => ({ account: {}, lastTransLt: BigInt(count), lastTransHash: ID.hash }),
    async transactions(_: AccountId, { from, limit }: { from: { lt: bigint }; limit: number }) {
      await Promise.resolve()
      pages.push(from.lt)
      const length = Math.min(limit, Number(from.lt))
      const transactions = Array.from({ length }, (_, i) => transactionOf(from.lt - BigInt(i)))
      return { transactions, next: { lt: from.lt - BigInt(length), hash: ID.hash } }
    },
  }) as unknown as ReceivedSource

it('all of hundreds of messages to one account are found, and each of its transactions is read once', async () => {
  const pages: bigint[] = []
  const received = createReceived(chainOf(300, pages), AT, signal, NO_SIGNED)
  const lts = Array.from({ length: 300 }, (_, i) => BigInt(1 + ((i * 7) % 300)))
  const found = await Promise.all(lts.map((lt) => received.find(ID, lt - 1n, hashOf(lt))))
  expect(found.map((each) => each?.transaction.lt)).toEqual(lts)
  expect(pages).toEqual([...new Set(pages)])
  expect(pages.length).toBe(1 + Math.ceil((300 - 4) / 16))
})

it('a message that is in the newest transaction takes one short read', async () => {
  const pages: bigint[] = []
  const received = createReceived(chainOf(300, pages), AT, signal, NO_SIGNED)
  expect((await received.find(ID, 0n, hashOf(300n)))?.transaction.lt).toBe(300n)
  expect(pages).toEqual([300n])
})

it('a message is not looked for below the lt that it must be above, and not among more than a thousand transactions', async () => {
  const pages: bigint[] = []
  const received = createReceived(chainOf(5_000, pages), AT, signal, NO_SIGNED)
  expect(await received.find(ID, 4_990n, 'no message')).toBeUndefined()
  expect(pages.length).toBe(2)
  expect(await received.find(ID, 4_999n, hashOf(4_995n))).toBeUndefined()
  expect(await received.find(ID, 0n, 'no message')).toBeUndefined()
  expect(pages.length).toBe(1 + Math.ceil((1_024 - 4) / 16))
})

it('what could not be read is read again with the next message', async () => {
  const pages: bigint[] = []
  const chain = chainOf(10, pages)
  let isAway = true
  const received = createReceived(
    { ...chain, transactions: (...args) => (isAway ? Promise.reject(new Error('away')) : chain.transactions(...args)) },
    AT,
    signal,
    NO_SIGNED,
  )
  await expect(received.find(ID, 0n, hashOf(10n))).rejects.toThrow('away')
  isAway = false
  expect((await received.find(ID, 0n, hashOf(10n)))?.transaction.lt).toBe(10n)
})
