import { expect, it } from 'vitest'
import { createConfigs } from '../../../server/index/derive/config-at.ts'
import { createTopicRunner } from '../../../server/index/topics/run-topics.ts'
import type { Topic } from '../../../server/index/topics/topic.ts'
import { createLateRows } from '../../../server/index/write/writer.ts'
import { rowsOf } from '../../../server/store/rows/copy-rows.ts'
import { vestingWhitelist } from '../../../server/store/schema/wallets.ts'
import { WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { timeTurns } from '../../kit/turns.ts'

/* One block can have a thousand contracts with a thousand addresses each. */

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
const made = { tables: [rowsOf(vestingWhitelist, rows, [keyOf(1)])] }
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
  const { longest, all } = await timeTurns(() => late.add(made.tables))
  expect(longest).toBeLessThan(all / 3)
  expect(late.lines()).toHaveLength(1)
})
