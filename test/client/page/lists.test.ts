import { expect, it } from 'vitest'
import { foldEmpty, rangesText } from '../../../client/page/base/block-rows.ts'
import type { Action } from '../../../client/page/base/types.ts'
import { byCause, byTrace } from '../../../client/page/parts/sort-actions.ts'

/* In which order, and under which heads, the page lists actions and blocks. */

const action = (trace: string | null, id: string, type: string, start: string, end: string): Action =>
  ({ trace_id: trace, trace_external_hash: null, action_id: id, type, start_lt: start, end_lt: end }) as unknown as Action

const idsOf = (actions: readonly Action[]): string => actions.map(({ action_id: id }) => id).join(' ')

it('within a trace what caused something stands before what came of it, whatever the order of the answer', () => {
  const actions = [
    action('t', 'excess', 'call_contract', '1000000', '1000001'),
    action('t', 'deploy', 'contract_deploy', '900002', '900003'),
    action('t', 'mint', 'nft_mint', '900002', '900003'),
    action('t', 'swap', 'jetton_swap', '900000', '1000009'),
    action('t', 'call', 'call_contract', '900000', '900001'),
  ]
  expect([idsOf(byCause(actions)), idsOf(byCause(actions.toReversed()))]).toEqual([
    'swap call mint deploy excess',
    'swap call mint deploy excess',
  ])
})

it('traces that went on at the same time have one place each, that of their newest action', () => {
  const rows = [
    action('b', 'b2', 'call_contract', '7', '8'),
    action('a', 'a2', 'call_contract', '5', '6'),
    action('b', 'b1', 'call_contract', '3', '4'),
    action('a', 'a1', 'call_contract', '1', '2'),
    action(null, 'alone', 'tick_tock', '0', '0'),
    action(null, 'another', 'tick_tock', '0', '0'),
  ]
  expect(byTrace(rows).map(idsOf)).toEqual(['b1 b2', 'a1 a2', 'alone', 'another'])
})

it('blocks in which nothing happened are one row between those with transactions, which says which they are', () => {
  const block = (workchain: number, seqno: number, tx_count: number) => ({
    ...{ workchain, seqno, tx_count },
    shard: '8000000000000000',
  })
  const rows = foldEmpty([block(-1, 1_004, 0), block(0, 9, 0), block(-1, 1_003, 0), block(0, 8, 2), block(-1, 1_002, 1), block(0, 7, 0)])
  expect(rows.map((row) => row.map(({ seqno }) => seqno))).toEqual([[1_004, 9, 1_003], [8], [1_002], [7]])
  expect(rangesText(rows[0]!)).toBe('masterchain 1\u202f003 to 1\u202f004, basechain 9')
  // Shards of one workchain have numbers of their own.
  const shards = [12, 13].map((seqno) => ({ ...block(0, seqno, 0), shard: seqno === 12 ? '4000000000000000' : 'c000000000000000' }))
  expect(rangesText(shards)).toBe('basechain 12 of shard 4, basechain 13 of shard c')
  expect(foldEmpty([])).toEqual([])
})
