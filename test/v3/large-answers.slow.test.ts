import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { textOfPiece } from '../../server/base/pieces.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Dispatch, Outcome } from '../../server/dispatch/types.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'

/* The largest answers of the index: read and written bit by bit, with connections left for others. */

const CONNECTIONS = 3

let server: TestServer
let database: ClientConfig
let reader: Reader
let client: Client
let dispatch: Dispatch
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  await fill(server, database, 1_500)
  reader = createReader(database, { connections: CONNECTIONS, statementTimeout: 20_000 })
  client = new Client(database)
  await client.connect()
  const cache = createCache<Outcome>({ entries: 1, bytes: 1 })
  dispatch = createDispatch({
    methods: registry,
    handlers: createV3Handlers({ reader, v2: {} as never }),
    head: () => undefined,
    headCache: cache,
    finalCache: cache,
  })
})
afterAll(async () => {
  await client?.end()
  await reader?.close()
  await server?.close()
})

const callOf = (more: Partial<Call> = {}): Call => ({
  network: 'local',
  signal: new AbortController().signal,
  requestId: 'large',
  log: silentLog,
  localAllowed: true,
  ...more,
})
const inPieces: Partial<Call> = { acceptsPieces: true }

const ask = async (params: object, call: Call, name = 'v3.traces') => {
  const outcome = await dispatch(name, params, call)
  if (!outcome.ok) throw outcome.error
  return outcome
}

/** Connections in a transaction: what is being read. */
const reading = async (): Promise<number> => {
  const { rows } = await client.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'tonway' and state in ('idle in transaction', 'active')`,
  )
  return rows[0].n
}

describe('a page of many traces', () => {
  it.each([
    { limit: 400 },
    { limit: 400, cursor: '' },
    { limit: 400, x_no_address_book: true },
    { limit: 20 },
    { limit: 10, end_lt: '1' },
  ])('a page of many traces is the same in pieces and whole, and follows the registry: %j', async (params) => {
    const whole = await ask(params, callOf())
    const begun = await ask(params, callOf(inPieces))
    let text = begun.json
    let pieces = 0
    for await (const piece of begun.rest ?? []) {
      text += textOfPiece(piece)
      pieces++
    }
    expect(text).toBe(whole.json)
    expect(begun.headers).toEqual(whole.headers)
    const result = registry['v3.traces'].result.parse(JSON.parse(text))
    expect(result.traces).toHaveLength('end_lt' in params ? 0 : params.limit)
    if (params.limit === 400) expect(pieces).toBeGreaterThan(10)
    await expect.poll(reading).toBe(0)
  })

  it('a page of many traces holds one connection until it is read or given up, and none afterwards', async () => {
    const { rest } = await ask({ limit: 400 }, callOf(inPieces))
    expect(await reading()).toBe(1)
    await rest!.next()
    expect(await reading()).toBe(1)
    await rest!.return()
    await expect.poll(reading).toBe(0)
    const leaving = new AbortController()
    const left = await ask({ limit: 400 }, callOf({ ...inPieces, signal: leaving.signal }))
    leaving.abort()
    await left.rest!.return()
    await expect.poll(reading).toBe(0)
  })

  it('a page of many traces fails in the middle if its connection is lost', async () => {
    const { rest } = await ask({ limit: 400 }, callOf(inPieces))
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonway' and state <> 'idle'`,
    )
    await expect(
      (async () => {
        for await (const _ of rest!);
      })(),
    ).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    expect((await ask({ limit: 400 }, callOf())).json.length).toBeGreaterThan(1_000_000)
  })
})

/** Runs `work` while nobody can read the traces. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const locking = new Client(database)
  await locking.connect()
  await locking.query('begin')
  await locking.query('lock table traces in access exclusive mode')
  try {
    await work()
  } finally {
    await locking.end()
  }
}

describe('connections to the database', () => {
  it.each([
    { limit: 11 },
    { limit: 11, x_timeout: 60_000 },
  ])('a connection is free as soon as the only caller of a read that waits for the database leaves: %j', async (params) => {
    await whileLocked(async () => {
      const leaving = new AbortController()
      const left = expect(ask(params, callOf({ signal: leaving.signal }))).rejects.toThrow()
      await expect.poll(reading).toBe(1)
      leaving.abort()
      await left
      // The statement's own time is 20 seconds.
      await expect.poll(reading, { timeout: 15_000 }).toBe(0)
    })
  })

  it('a connection is free as soon as the time is over that its caller set', async () => {
    await whileLocked(async () => {
      await expect(ask({ limit: 11, x_timeout: 200 }, callOf())).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT' })
      await expect.poll(reading).toBe(0)
    })
  })

  it('small calls have connections left while all large pages wait for the database', async () => {
    const large: Promise<unknown>[] = []
    await whileLocked(async () => {
      large.push(...Array.from({ length: 12 }, () => ask({ limit: 11 }, callOf())))
      await expect.poll(reading).toBeGreaterThanOrEqual(CONNECTIONS - 1)
      for (let i = 0; i < 5; i++) {
        const { json } = await ask({ limit: 1 }, callOf(), 'v3.blocks')
        expect(JSON.parse(json)).toMatchObject({ blocks: [{}] })
      }
    })
    await Promise.allSettled(large)
  })
})
