import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { HEAD_QUERY } from '../../server/store/head/index-head.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import type { IndexHead } from '../../server/store/schema/head.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'

/* Answers that are kept until the next head, over a real database whose head the test moves as the index does. */

let server: TestServer
let client: Client
let reader: Reader
beforeAll(async () => {
  server = await startTestServer()
  const database = await server.database()
  await fill(server, database, 600)
  reader = createReader(database, { connections: 4 })
  client = new Client(database)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await reader?.close()
  await server?.close()
})

/** The dispatch of a service whose head in memory the test sets: `state.present`. */
const open = (present?: IndexHead) => {
  const state = { present, snapshots: 0 }
  const head = { now: () => state.present, onHead: () => () => {}, published() {}, async close() {} }
  const counting: Reader = {
    ...reader,
    head,
    snapshot(run, signal, by) {
      state.snapshots++
      return reader.snapshot(run, signal, by)
    },
  }
  const cache = () => createCache<Outcome>({ entries: 100, bytes: 1 << 20, age: 1_000 })
  const dispatch = createDispatch({
    methods: registry,
    handlers: createV3Handlers({ reader: counting, v2: {} as never }),
    head: () => undefined,
    headCache: cache(),
    finalCache: cache(),
    indexed: { cache: cache(), head: head.now },
  })
  const ask = async (method: MethodName, params: object, signal: AbortSignal = new AbortController().signal) => {
    const call: Call = { network: 'local', signal, requestId: 'kept', log: silentLog, localAllowed: true }
    const outcome = await dispatch(method, params, call)
    if (!outcome.ok) throw outcome.error
    return { body: JSON.parse(outcome.json), headers: outcome.headers, cached: outcome.cached }
  }
  const seqnos = async (): Promise<[number, number]> => {
    const { body } = await ask('v3.masterchainInfo', {})
    return [body.first.seqno, body.last.seqno]
  }
  return { state, ask, seqnos }
}

const headNow = async (): Promise<IndexHead> => (await reader.rows(HEAD_QUERY, new AbortController().signal))[0]!
/** Publishes a head, and returns it. */
const publish = async (head: number, epoch: number): Promise<IndexHead> => {
  await client.query('update published_head set mc_seqno = $1, epoch = $2', [head, epoch])
  return headNow()
}

const PAGE = { limit: 3 }
/** The clock of the cache stands still unless a test moves it. */
let now = 0

describe('answers that are kept', () => {
  beforeEach(async () => {
    now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    await publish(12, 1)
    return () => vi.restoreAllMocks()
  })

  it('an answer that is asked for again is the one that was read, and is not read again', async () => {
    const { state, ask } = open(await headNow())
    const first = await ask('v3.transactions', PAGE)
    expect(first.headers).toMatchObject({ 'X-Index-Seqno': '12', 'X-Next-Cursor': expect.any(String) })
    for (let i = 0; i < 3; i++) expect(await ask('v3.transactions', PAGE)).toEqual({ ...first, cached: true })
    expect(state.snapshots).toBe(1)
    await ask('v3.transactions', { limit: 4 })
    expect(state.snapshots).toBe(2)
  })

  it('an answer is read anew once a block is published, a chain is reverted, or history is removed', async () => {
    const { state, seqnos } = open(await publish(10, 1))
    const both = async () => {
      expect(await seqnos()).toEqual(await seqnos())
      return await seqnos()
    }
    expect(await both()).toEqual([1, 10])
    state.present = await publish(11, 1)
    expect(await both()).toEqual([1, 11])
    state.present = await publish(9, 2)
    expect(await both()).toEqual([1, 9])
    await client.query('update index_checkpoint set kept_mc_seqno = 4')
    state.present = await headNow()
    expect(await both()).toEqual([4, 9])
    await client.query('update index_checkpoint set kept_mc_seqno = null')
    state.present = await headNow()
    expect(await both()).toEqual([1, 9])
    // Back at a head that was there before, whose answers were dropped.
    state.present = await publish(10, 1)
    expect(await both()).toEqual([1, 10])
  })

  it('an answer is read anew after a second, for what does not come from blocks', async () => {
    const { ask } = open(await headNow())
    const richest = async (): Promise<string> => (await ask('v3.topAccountsByBalance', { limit: 1 })).body[0].balance
    const [before, after] = [`1${'0'.repeat(30)}`, `2${'0'.repeat(30)}`]
    await client.query(
      `insert into accounts (account, mc_seqno, utime, status, balance, state_hash, last_trans_hash, last_trans_lt, first_lt)
        values ('\\x00000000'::bytea || sha256('kept'), 1, 1, 2, $1, sha256('state'), sha256('last'), 1, 1)`,
      [before],
    )
    expect(await richest()).toBe(before)
    await client.query('update accounts set balance = $1 where balance = $2', [after, before])
    expect(await richest()).toBe(before)
    now += 1_001
    // The cache reads its clock once a millisecond.
    await sleep(5)
    expect(await richest()).toBe(after)
  })

  it('an answer of another head than that in memory is not kept, and none is while there is no head in memory', async () => {
    const { state, ask } = open(await headNow())
    const newer = await publish(11, 1)
    await publish(10, 1)
    for (const present of [newer, undefined]) {
      state.present = present
      for (let i = 0; i < 2; i++) expect((await ask('v3.masterchainInfo', {})).body.last.seqno).toBe(10)
    }
    expect(state.snapshots).toBe(4)
    state.present = await headNow()
    expect((await ask('v3.masterchainInfo', {})).cached).toBe(false)
    expect((await ask('v3.masterchainInfo', {})).cached).toBe(true)
  })

  it('a caller who has left ends, and his answer is read for the next one', async () => {
    const { ask } = open(await headNow())
    const leaving = new AbortController()
    const left = ask('v3.masterchainInfo', {}, leaving.signal)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow()
    expect((await ask('v3.masterchainInfo', {})).body.last.seqno).toBe(12)
  })
})
