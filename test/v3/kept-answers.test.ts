import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { jsonText } from '../../server/base/json-text.ts'
import { silentLog } from '../../server/base/log.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { BehindError, createFloor } from '../../server/store/replicas/floor.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
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

const open = (admit: Reader['admit'] = undefined) => {
  const service = { snapshots: 0, heads: 0, headFails: false, handlers: {} as ReturnType<typeof createV3Handlers> }
  const counting: Reader = {
    ...reader,
    admit,
    rows(query, signal) {
      service.heads++
      return service.headFails ? Promise.reject(new Error('no head')) : reader.rows(query, signal)
    },
    snapshot(run, signal, by) {
      service.snapshots++
      return reader.snapshot(run, signal, by)
    },
  }
  service.handlers = createV3Handlers({ reader: counting, v2: {} as never })
  const ask = async (method: MethodName, params: object, signal: AbortSignal = new AbortController().signal) => {
    const call: Call = { network: 'local', signal, requestId: 'kept', log: silentLog, localAllowed: true }
    const answer = await service.handlers[method]!(parseParams(registry[method], params, 'body') as never, call)
    return { body: JSON.parse(await jsonText(answer, signal)), headers: answer.headers }
  }
  return { service, ask }
}

const publish = (head: number, epoch: number): Promise<unknown> =>
  client.query('update published_head set mc_seqno = $1, epoch = $2', [head, epoch])

const PAGE = { limit: 3 }

/** A read of a cluster asks for the head once more, at its end. */
const ON_PLAIN = it.skipIf(CITUS_URL !== undefined)

describe('answers that are kept', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    await publish(12, 1)
    return () => vi.useRealTimers()
  })

  ON_PLAIN('an answer that is asked for repeatedly is kept and equals the one that was read, and costs one statement', async () => {
    // A reader learns with its first answer whether it reads a cluster.
    await open().ask('v3.masterchainInfo', {})
    const { service, ask } = open()
    const first = await ask('v3.transactions', PAGE)
    const second = await ask('v3.transactions', PAGE)
    expect([service.snapshots, service.heads]).toEqual([2, 0])
    const third = await ask('v3.transactions', PAGE)
    expect([service.snapshots, service.heads]).toEqual([2, 1])
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(third.headers).toMatchObject({ 'X-Index-Seqno': '12', 'X-Next-Cursor': expect.any(String) })
    await ask('v3.transactions', { limit: 4 })
    expect(service.snapshots).toBe(3)
    const traces = await ask('v3.traces', PAGE)
    for (let i = 0; i < 3; i++) expect(await ask('v3.traces', PAGE)).toEqual(traces)
    expect(service.snapshots).toBe(5)
  })

  it('a kept answer is read anew once a block is published, a chain is reverted, or history is removed', async () => {
    const { ask } = open()
    const seqnos = async () => {
      const { body } = await ask('v3.masterchainInfo', {})
      return [body.first.seqno, body.last.seqno]
    }
    const often = async () => {
      await seqnos()
      await seqnos()
      return await seqnos()
    }
    await publish(10, 1)
    expect(await often()).toEqual([1, 10])
    await publish(11, 1)
    expect(await seqnos()).toEqual([1, 11])
    expect(await often()).toEqual([1, 11])
    await publish(9, 2)
    expect(await seqnos()).toEqual([1, 9])
    expect(await often()).toEqual([1, 9])
    await client.query('update index_checkpoint set kept_mc_seqno = 4')
    expect(await seqnos()).toEqual([4, 9])
    await client.query('update index_checkpoint set kept_mc_seqno = null')
    expect(await seqnos()).toEqual([1, 9])
  })

  it('a kept answer is read anew after a second, for what does not come from blocks', async () => {
    const { ask } = open()
    const richest = async (): Promise<string> => (await ask('v3.topAccountsByBalance', { limit: 1 })).body[0].balance
    const [before, after] = [`1${'0'.repeat(30)}`, `2${'0'.repeat(30)}`]
    await client.query(
      `insert into accounts (account, mc_seqno, utime, status, balance, state_hash, last_trans_hash, last_trans_lt, first_lt)
        values ('\\x00000000'::bytea || sha256('kept'), 1, 1, 2, $1, sha256('state'), sha256('last'), 1, 1)`,
      [before],
    )
    for (let i = 0; i < 3; i++) expect(await richest()).toBe(before)
    await client.query('update accounts set balance = $1 where balance = $2', [after, before])
    expect(await richest()).toBe(before)
    vi.advanceTimersByTime(1_001)
    expect(await richest()).toBe(after)
  })

  ON_PLAIN('many callers of kept answers share the question for the head, but not one that was asked before they came', async () => {
    const { service, ask } = open()
    await ask('v3.masterchainInfo', {})
    await ask('v3.masterchainInfo', {})
    const together = () => Promise.all(Array.from({ length: 50 }, () => ask('v3.masterchainInfo', {})))
    await together()
    expect([service.snapshots, service.heads]).toEqual([2, 1])
    const early = ask('v3.masterchainInfo', {})
    await Promise.resolve()
    const late = together()
    await Promise.all([early, late])
    expect([service.snapshots, service.heads <= 3]).toEqual([2, true])
  })

  ON_PLAIN('a call with a kept answer that cannot ask for the head reads anew, and one that has left ends', async () => {
    const { service, ask } = open()
    await ask('v3.masterchainInfo', {})
    await ask('v3.masterchainInfo', {})
    service.headFails = true
    expect((await ask('v3.masterchainInfo', {})).body.last.seqno).toBe(12)
    expect(service.snapshots).toBe(3)
    const leaving = new AbortController()
    const left = ask('v3.masterchainInfo', {}, leaving.signal)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
  })

  it('a kept answer is refused if another answer was of a later head', async () => {
    const floor = createFloor()
    const { ask } = open(floor.admit)
    await ask('v3.masterchainInfo', {})
    await ask('v3.masterchainInfo', {})
    floor.raise({ epoch: 1, seqno: 13 })
    await expect(ask('v3.masterchainInfo', {})).rejects.toBeInstanceOf(BehindError)
  })
})
