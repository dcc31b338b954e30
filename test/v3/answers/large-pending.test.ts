import { expect, it } from 'vitest'
import type { Answer } from '../../../server/base/answer.ts'
import type { Call } from '../../../server/base/call.ts'
import { LargePage } from '../../../server/base/limits/large-page.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createBoard, type PendingBoard } from '../../../server/live/pending/board.ts'
import { type PublishedTrace, pack } from '../../../server/live/pending/published-trace.ts'
import { pendingHandlers } from '../../../server/v3/pending.ts'
import { readFake } from '../../events/fake-chain.ts'

/* Pending traces whose JSON is long: how much of it one answer unpacks. */

const account = { workchain: 0, hash: new Uint8Array(32).fill(0xab) }
const ACCOUNT = `0:${'AB'.repeat(32)}`
const LENGTH = 3 << 20
const TRACES = 60
const hashOf = (i: number): Buffer => Buffer.alloc(32, i)

/** A board with many long traces of one account, as one sender can make them. */
const fillBoard = async (): Promise<PendingBoard> => {
  const board = createBoard({ published() {}, removed() {} })
  const of = { account: ACCOUNT, lt: '1', hash: 'h' }
  const wire = { ...of, now: 1, mc_block_seqno: 1, out_msgs: [], in_msg: null, emulated: true, text: 'x'.repeat(LENGTH) }
  const trace = {
    transactions: [{ ...of, named: [], wire }],
    actions: [],
    accounts: {},
    tree: null,
    state: 'ok',
  } as unknown as PublishedTrace
  const packed = (await pack(trace, 4 << 20))!
  expect(packed.packed.length).toBeLessThan(LENGTH / 100)
  for (let i = 0; i < TRACES; i++) {
    const name = hashOf(i).toString('base64')
    board.put({ ...packed, hash: name, hashNorm: name }, trace)
  }
  return board
}

it('an answer unpacks pending traces up to a length: the newest of an account; named ones that are too long together are refused', async () => {
  const { reader } = readFake({ first: 1, names: ['a'], states: 0, gate: Promise.resolve() })
  const handlers = pendingHandlers({ reader }, { board: await fillBoard(), ask: async () => {} })
  const ask = async (params: object, isLarge?: boolean): Promise<{ traces: object[] }> => {
    const call: Call = {
      network: 'local',
      signal: new AbortController().signal,
      requestId: '',
      log: silentLog,
      localAllowed: true,
      isLarge,
    }
    const { pieces } = (await handlers['v3.pendingTraces'](
      { x_no_address_book: true, x_no_metadata: true, ...params } as never,
      call,
    )) as Answer
    let text = ''
    for await (const piece of pieces!) text += String(piece)
    return JSON.parse(text) as { traces: object[] }
  }
  expect((await ask({ account })).traces).toHaveLength(10)
  await expect(ask({ account }, false)).rejects.toThrow(LargePage)
  expect((await ask({ ext_msg_hash: [hashOf(1)] })).traces).toHaveLength(1)
  const all = Array.from({ length: TRACES }, (_, i) => hashOf(i))
  await expect(ask({ ext_msg_hash: all })).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
})
