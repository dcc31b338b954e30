import { describe, expect, it } from 'vitest'
import { runSteps } from '../../server/base/yield.ts'
import { augSetManySteps } from '../../server/cell/aug.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { makeProof, openProof } from '../../server/cell/merkle.ts'
import { completeAccounts } from '../../server/index/derive/accounts.ts'
import { completeCells } from '../../server/index/derive/complete-cells.ts'
import type { AccountChange } from '../../server/index/derive/group-rows.ts'
import { createRecentRows } from '../../server/index/derive/recent-rows.ts'
import { accountTransactionsAug } from '../../server/tlb/block/account-block.ts'
import { loadCurrency, storeCurrency } from '../../server/tlb/currency.ts'
import { WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { wideTree } from '../kit/bombs.ts'
import { timeTurns } from '../kit/turns.ts'

/* One block can change a thousand accounts, each with as many cells as an account may have. */

const hash = new Uint8Array(32)
const id = { workchain: -1, shard: WHOLE_SHARD, seqno: 2, rootHash: hash, fileHash: hash }

/** Completes accounts whose block shows only the root of their data. Returns the number of rows, and times of turns. */
const complete = async (count: number, cells: number) => {
  const large = wideTree(cells)
  const stored = new Map<string, Buffer>()
  const changes = Array.from({ length: count }, (_, i): AccountChange => {
    const key = Buffer.alloc(36, i)
    const dataOf = (version: number) => beginCell().storeUint(version, 32).storeRef(large).end()
    stored.set(key.toString('hex'), Buffer.from(serializeBoc(dataOf(1))))
    const data = openProof(makeProof(dataOf(2), (cell) => cell.refCount === 1))
    const none = { extra: undefined, hidesExtra: false, codeHash: undefined, frozenHash: undefined, code: undefined }
    const facts = { ...none, stateHash: hash, status: 2, balance: 1n, dataHash: data.hash(0), data }
    return { key, facts, mcSeqno: 2, master: id, utime: 1, lastTransHash: hash, lastTransLt: 1n, firstLt: 1n, cells: [data] }
  })
  const query = async (_text: unknown, [keys]: readonly [readonly Buffer[]]) =>
    keys.map((account) => ({ account, data_boc: stored.get(account.toString('hex')), code_hash: null }))
  const known = createRecentRows({ query } as unknown as Parameters<typeof createRecentRows>[0])
  const source = { account: () => Promise.reject(new Error('the stored data has every cell')) }
  let rows = 0
  const times = await timeTurns(async () => {
    const accounts = new Map(changes.map((change) => [change.key.toString('latin1'), change]))
    rows = (await completeAccounts({ accounts, parts: [{ changes }], cells: new Map() }, known, source, new AbortController().signal))
      .length
  })
  return { rows, ...times }
}

describe('large accounts', () => {
  it.each([
    { accounts: 40, cells: 6_000 },
    { accounts: 1, cells: 60_000 },
  ])('those of a block are completed from their stored data in turns of the event loop: %j', async ({ accounts, cells }) => {
    const { rows, longest, all } = await complete(accounts, cells)
    expect(rows).toBe(accounts)
    expect(longest).toBeLessThan(all / 4)
  }, 120_000)

  it('new data each cell of which leads to an old one is completed in turns of the event loop', async () => {
    const old = beginCell().storeUint(1, 8).storeRef(beginCell().end()).end()
    const count = 20_000
    const whole = wideTree(count, (cell, i) => (4 * i + 1 < count ? cell : cell.storeRef(old)).storeUint(i, 32))
    const shown = openProof(makeProof(whole, (cell) => cell.bits > 8))
    let completed: Cell | undefined
    const { longest, all } = await timeTurns(async () => {
      completed = await runSteps(completeCells([old], [], shown))
    })
    expect(completed?.hashKey()).toBe(whole.hashKey())
    expect(longest).toBeLessThan(all / 3)
  })

  it('sums of the extra currencies of all messages of a block are made in turns of the event loop', async () => {
    const other = new Map(Array.from({ length: 200 }, (_, i) => [i, 2n ** 200n + BigInt(i)]))
    const value = storeCurrency(beginCell(), { grams: 1n, other })
    const entries = Array.from({ length: 128 }, (_, i) => [BigInt(i), value] as const)
    const { longest, all } = await timeTurns(() =>
      runSteps(augSetManySteps({ ...accountTransactionsAug, leafExtra: loadCurrency }, undefined, entries)),
    )
    expect(longest).toBeLessThan(all / 2)
  })
})
