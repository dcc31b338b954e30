import { expect, it } from 'vitest'
import { createConfigs } from '../../../server/index/derive/config-at.ts'
import { linkItems } from '../../../server/index/topics/nfts/links.ts'
import type { Sale } from '../../../server/index/topics/nfts/sales.ts'
import { createTopicRunner } from '../../../server/index/topics/run-topics.ts'
import type { Topic, TopicContext } from '../../../server/index/topics/topic.ts'
import { createLateRows } from '../../../server/index/write/writer.ts'
import { rowsOf } from '../../../server/store/rows/copy-rows.ts'
import { nftItems, nftSales } from '../../../server/store/schema/nfts.ts'
import { vestingWhitelist } from '../../../server/store/schema/wallets.ts'
import { WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { timeTurns } from '../../kit/turns.ts'

/* One block can have a thousand contracts with a thousand addresses each, and a sale can own any number of items. */

const CONTRACTS = 100
const ADDRESSES = 1_000

const keyOf = (i: number): Buffer => {
  const key = Buffer.alloc(36)
  key.writeUInt32BE(i, 32)
  return key
}
const rows = Array.from({ length: CONTRACTS * ADDRESSES }, (_, i) => ({
  ...{ account: keyOf(Math.floor(i / ADDRESSES)), wallet: keyOf(i % ADDRESSES), mc_seqno: 1, place: i % ADDRESSES },
}))
const made = [rowsOf(vestingWhitelist, rows, [keyOf(1)])]
const whitelists: Topic = { name: 'whitelists', version: 1, tables: [vestingWhitelist], derive: async () => made }

it('a hundred thousand rows of one block are written in turns of the event loop', async () => {
  const connection = { query: async () => [] }
  const source = {} as Parameters<typeof createTopicRunner>[0]['source']
  const runner = createTopicRunner({ topics: [whitelists], connection, source, configs: createConfigs(source), tvm: undefined })
  const hash = new Uint8Array(32)
  const at = { id: { workchain: -1, shard: WHOLE_SHARD, seqno: 0, rootHash: hash, fileHash: hash }, utime: 1 }
  const put: string[] = []
  const sink = { put: async (script: string) => void put.push(script), read: async () => [] }
  const { longest, all } = await timeTurns(() => runner.states(at, [], sink, new AbortController().signal, [keyOf(1)]))
  expect(longest).toBeLessThan(all / 3)
  expect(put).toHaveLength(1 + CONTRACTS)
})

it('rows that are written at the end of a group of blocks are collected in turns of the event loop', async () => {
  const late = createLateRows()
  const { longest, all } = await timeTurns(() => late.add(made))
  expect(longest).toBeLessThan(all / 3)
  expect(late.take()).toHaveLength(1)
  expect(await late.add([])).toBe(0)
})

it('of the items that a sale owns, those are written again that it names and that it named before', async () => {
  const [sale, seller] = [keyOf(1_000_000), keyOf(1_000_001)]
  const items = Array.from({ length: ADDRESSES }, (_, i) => ({
    ...{ account: keyOf(i), owner: sale, real_owner: i === 3 ? seller : sale, sale: i === 3 ? sale : null, sale_kind: i === 3 ? 0 : null },
    ...{ last_trans_lt: '1', first_lt: '1', index: '1' },
  }))
  const before = { account: sale, item: keyOf(3), seller, open: true, kind: 0 }
  const stored = new Map<unknown, readonly { readonly account: Buffer }[]>([
    [nftItems, items],
    [nftSales, [before]],
  ])
  const context = {
    rows: async () => items,
    accountRows: async (table: unknown, keys: readonly Buffer[]) =>
      new Map(
        stored
          .get(table)!
          .filter(({ account }) => keys.some((key) => key.equals(account)))
          .map((row) => [row.account.toString('latin1'), [row]]),
      ),
  } as unknown as TopicContext
  const now = { ...before, item: keyOf(7) } as unknown as Sale
  const linked = await linkItems([], [now], { items: [], sales: [sale], undone: [] }, context)
  expect(linked.map((item) => [item.account, item.real_owner, item.sale])).toEqual([
    [keyOf(3), sale, undefined],
    [keyOf(7), seller, sale],
  ])
})
