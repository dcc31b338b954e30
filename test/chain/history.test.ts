import { expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { CheckedQuery } from '../../server/chain/checked-query.ts'
import { createHistory } from '../../server/chain/history.ts'
import { storeMessage } from '../../server/tlb/message/message.ts'
import { storeTransaction } from '../../server/tlb/transaction/transaction.ts'
import { transactionHandlers } from '../../server/v2/transactions.ts'
import { wideTree } from '../kit/bombs.ts'
import { fakeChain } from '../v2/fake-chain.ts'

/* A thousand transactions, each with a message of 8,000 cells, took 400 MB before their texts were found to be too long. */

const CELLS = 60_000
const ID = { workchain: 0, hash: new Uint8Array(32).fill(3) }
const ZERO = new Uint8Array(32)
const BLOCK = { workchain: 0, shard: 1n << 63n, seqno: 1, rootHash: ZERO, fileHash: ZERO }
const NEWEST = 60n

const info = { type: 'external-in', src: undefined, dest: { type: 'std', ...ID }, importFee: 0n } as const
const inMsg = storeMessage({ info, body: wideTree(CELLS, (cell, i) => cell.storeUint(i, 16)) })
const state = { origStatus: 'active', endStatus: 'active', stateUpdate: { oldHash: ZERO, newHash: ZERO } } as const
const compute = { type: 'skipped', reason: 'no_state' } as const
const description = { type: 'ordinary', creditFirst: false, compute, aborted: true, destroyed: false } as const

/** The account's transactions by lt: each has the same message. */
const roots = new Map([[0n, beginCell().end()]])
for (let lt = 1n; lt <= NEWEST; lt++) {
  const prevTransHash = lt === 1n ? ZERO : roots.get(lt - 1n)!.hash()
  const made = { account: ID.hash, lt, prevTransHash, prevTransLt: lt - 1n, now: 1, inMsg, outMsgs: [], totalFees: { grams: 0n } }
  roots.set(lt, storeTransaction({ ...made, ...state, description } as never))
}
const newest = { lt: NEWEST, hash: roots.get(NEWEST)!.hash() }

/** Answers with one transaction, as an embedded chain does if it is large. */
const ask = (async (_name, args, _signal, check) =>
  check({ ids: [BLOCK], transactions: serializeBoc(roots.get((args as { readonly lt: bigint }).lt)!) } as never)) as CheckedQuery
const history = createHistory(ask, async () => newest)
const { signal } = new AbortController()

const read = history(ID, { from: undefined, limit: 1_000, toLt: 0n }, signal)

it('a read of large transactions ends after a million cells, and says where to go on', async () => {
  const { transactions, next } = await read
  expect(transactions).toHaveLength(Math.ceil(2 ** 20 / CELLS))
  expect(next).toEqual({ lt: NEWEST - BigInt(transactions.length), hash: roots.get(transactions.at(-1)!.transaction.lt - 1n)!.hash() })
}, 120_000)

it('getTransactions, which cannot say so, refuses such a list, and takes one that ends before', async () => {
  const { getTransactions } = transactionHandlers({
    chain: fakeChain({ transactions: (id, query, stop) => (query.limit === 1_000 ? read : history(id, query, stop)) }),
  })
  const asked = { address: { ...ID, friendly: undefined } as never, to_lt: 0n, archival: false, lt: undefined, hash: undefined }
  await expect(getTransactions({ ...asked, limit: 1_000 }, { signal } as never)).rejects.toMatchObject({ kind: 'TOO_LARGE' })
  expect(await getTransactions({ ...asked, limit: 2 }, { signal, acceptsPieces: true } as never)).toHaveLength(2)
})
