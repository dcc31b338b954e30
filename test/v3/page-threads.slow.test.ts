import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../server/base/answer.ts'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { builtWorker } from '../../server/base/threads/built-worker.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { inThreads } from '../../server/dispatch/choose-handler.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createFloor, type Floor, type ReadableDatabase } from '../../server/store/replicas/floor.ts'
import { createIndexHandlers } from '../../server/v3/index.ts'
import { createPageThreads, type PageThreads, type PageThreadsOptions } from '../../server/v3/large-pages/thread.ts'
import { parseParams } from '../../shared/params.ts'
import { type MethodName, registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { jsonText } from '../kit/service/results.ts'

/* Large pages that are made in threads are those that the main thread would make. The threads are the built ones (npm run build). */

let server: TestServer
/** A filled database that nobody is connected to: others are copies of it. */
let filledOnce: string
let database: ClientConfig
let client: Client
let reader: Reader
const open: PageThreads[] = []
const start = (options: Partial<PageThreadsOptions> = {}): PageThreads => {
  const threads = createPageThreads({ log: silentLog, want: undefined, slowQuery: 0, ...options })
  open.push(threads)
  return threads
}
beforeAll(async () => {
  server = await startTestServer()
  const template = await server.database()
  await fill(server, template, 1_500)
  filledOnce = template.database
  database = await server.database(filledOnce)
  reader = createReader(database, { connections: 1, statementTimeout: 20_000 })
  client = new Client(database)
  await client.connect()
})
afterAll(async () => {
  for (const threads of open) await threads.close()
  await client?.end()
  await reader?.close()
  await server?.close()
})

const signal = new AbortController().signal
const callOf = (of: AbortSignal = signal): Call => ({ network: 'local', signal: of, requestId: 'x', log: silentLog, localAllowed: true })
const page = (method: MethodName, params: object, connection = database, floor: Floor = createFloor()) => ({
  method,
  params: parseParams(registry[method], params, 'body'),
  network: 'local',
  database: { connection, floor },
})

/** Connections of the threads in a transaction. */
const reading = async (): Promise<number> => {
  const { rows } = await client.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'tonway' and state in ('idle in transaction', 'active')`,
  )
  return rows[0].n
}

describe('a page that is made in a thread', () => {
  const threads = start()

  it.each([
    ['v3.traces', { limit: 200, cursor: '', include_actions: true }],
    ['v3.transactions', { limit: 1000, sort: 'asc' }],
    ['v3.messages', { limit: 1000 }],
    ['v3.blocks', { limit: 1000 }],
    ['v3.topAccountsByBalance', { limit: 1000 }],
  ] as const)('a page made in a thread equals that of the main thread: %s %j', async (method, params) => {
    const own = (await createIndexHandlers({ reader })[method]!(page(method, params).params as never, callOf())) as Answer
    const other = await threads.ask(page(method, params), signal)
    expect(await jsonText(other, signal)).toBe(await jsonText(own, signal))
    expect(other.headers).toEqual(own.headers)
    await expect.poll(reading).toBe(0)
  })

  it('a page made in a thread fails as in the main thread', async () => {
    await expect(threads.ask(page('v3.traces', { limit: 400, cursor: 'x' }), signal)).rejects.toMatchObject({
      name: 'TonError',
      kind: 'INVALID_PARAMS',
      issues: [{ param: 'cursor', message: 'invalid cursor' }],
      headers: { 'X-Index-Seqno': expect.any(String), 'X-Index-First': '1' },
    })
    const empty = await server.database()
    await expect(threads.ask(page('v3.traces', { limit: 400 }, empty), signal)).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      retryAfter: 1,
    })
    const { pieces } = await threads.ask(page('v3.traces', { limit: 400 }), signal)
    const each = (pieces as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await each.next()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonway' and state <> 'idle'`,
    )
    await expect(
      (async () => {
        while (!(await each.next()).done);
      })(),
    ).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    expect((await jsonText(await threads.ask(page('v3.traces', { limit: 400 }), signal), signal)).length).toBeGreaterThan(1_000_000)
  })

  it('a page made in a thread waits for its reader, and is given up with it', async () => {
    const { pieces } = await threads.ask(page('v3.traces', { limit: 1000 }), signal)
    const each = (pieces as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await each.next()
    expect(await reading()).toBe(1)
    await each.return!()
    await expect.poll(reading).toBe(0)
    const leaving = new AbortController()
    const left = threads.ask(page('v3.traces', { limit: 1000 }), leaving.signal)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await expect(threads.ask(page('v3.traces', { limit: 1000 }), leaving.signal)).rejects.toThrow('left')
    await expect.poll(reading).toBe(0)
  })

  it('a page made in a thread is never of an earlier head than other answers, and no later answer is of an earlier one than the page', async () => {
    const floor = createFloor()
    const { headers } = await threads.ask(page('v3.blocks', { limit: 200 }, database, floor), signal)
    const { epoch, seqno } = floor.at()!
    expect(String(seqno)).toBe(headers!['X-Index-Seqno'])
    const behind = threads.ask(page('v3.blocks', { limit: 200 }, database, createFloor({ epoch, seqno: seqno + 1 })), signal)
    await expect(behind).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      message: `the database is at block ${seqno}, and answers up to block ${seqno + 1} were given`,
    })
    const later = createFloor({ epoch: epoch - 1, seqno: seqno + 1 })
    await threads.ask(page('v3.blocks', { limit: 200 }, database, later), signal)
    expect(later.at()).toEqual({ epoch, seqno })
  })

  it('pages made in a thread of two databases in turn keep both connections open', async () => {
    const own = start()
    const other = await server.database()
    const watcher = new Client(other)
    await watcher.connect()
    const pids = async (): Promise<unknown[]> => {
      const { rows } = await watcher.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'tonway'`,
      )
      return rows
    }
    const ask = async (connection: ClientConfig) => jsonText(await own.ask(page('v3.blocks', { limit: 200 }, connection), signal), signal)
    await expect(ask(other)).rejects.toThrow('the index has no block yet')
    const before = await pids()
    await ask(database)
    await expect(ask(other)).rejects.toThrow('the index has no block yet')
    expect(before).toHaveLength(1)
    expect(await pids()).toEqual(before)
    await watcher.end()
  })

  it('a page fails when its thread dies, and the next one has a new thread', async () => {
    const mark = join(tmpdir(), `tonway-pages-${process.pid}`)
    const program = `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync(${JSON.stringify(mark)})) await import(${JSON.stringify(builtWorker('v3').href)})
else { writeFileSync(${JSON.stringify(mark)}, ''); process.exit(7) }`
    const dying = start({ url: new URL(`data:text/javascript,${encodeURIComponent(program)}`) })
    try {
      const failed = dying.ask(page('v3.traces', { limit: 400 }), signal)
      await expect(failed).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: expect.stringContaining('try again') })
      expect(existsSync(mark)).toBe(true)
      const whole = await jsonText(await dying.ask(page('v3.traces', { limit: 400 }), signal), signal)
      expect(JSON.parse(whole).traces).toHaveLength(400)
    } finally {
      rmSync(mark, { force: true })
    }
  })
})

describe('pages of the index', () => {
  it('pages are made in threads if they are large and there is a database to read', async () => {
    const asked: string[] = []
    const threads: PageThreads = {
      ask: async ({ method }) => {
        asked.push(method)
        return { body: 'thread' }
      },
      close: async () => {},
    }
    let readable: ReadableDatabase | undefined = { connection: database, floor: createFloor() }
    const own = async (): Promise<Answer> => ({ body: 'main' })
    const handlers = inThreads({ 'v3.traces': own, 'v3.transactions': own, 'v3.addressBook': own, getShards: own }, threads, () => readable)
    const ask = async (method: string, params: object) => (await handlers[method]!(params as never, callOf())).body
    expect(await ask('v3.traces', { limit: 10 })).toBe('main')
    expect(await ask('v3.traces', { limit: 11 })).toBe('thread')
    expect(await ask('v3.transactions', { limit: 100 })).toBe('main')
    expect(await ask('v3.transactions', { limit: 101 })).toBe('thread')
    expect(await ask('v3.addressBook', { limit: 1000 })).toBe('main')
    expect(await ask('getShards', { limit: 1000 })).toBe('main')
    readable = undefined
    expect(await ask('v3.traces', { limit: 1000 })).toBe('main')
    expect(asked).toEqual(['v3.traces', 'v3.transactions'])
  })
})

/** The dispatch over a filled database of its own, and the methods whose pages were made in threads. */
const dispatching = async () => {
  const connection = await server.database(filledOnce)
  const filled = new Client(connection)
  await filled.connect()
  const own = createReader(connection, { connections: 1, statementTimeout: 20_000 })
  const threads = start()
  const made: string[] = []
  const counting: PageThreads = { ...threads, ask: (call, left) => threads.ask(call, left).finally(() => made.push(call.method)) }
  const handlers = createIndexHandlers({ reader: own })
  const cache = createCache<Outcome>({ entries: 10, bytes: 1_000 })
  const dispatch = createDispatch({
    methods: registry,
    handlers: inThreads(handlers, counting, () => ({ connection, floor: createFloor() })),
    head: () => undefined,
    headCache: cache,
    finalCache: cache,
  })
  return {
    filled,
    made,
    async ask(method: MethodName, params: object): Promise<string> {
      const outcome = await dispatch(method, params, callOf())
      if (!outcome.ok) throw outcome.error
      return outcome.json
    },
    /** The answer of the handler in this thread. */
    own: async (method: MethodName, params: object): Promise<string> =>
      jsonText((await handlers[method]!(page(method, params).params as never, callOf())) as Answer, signal),
    async [Symbol.asyncDispose]() {
      await filled.end()
      await own.close()
    },
  }
}

describe('a page of few rows', () => {
  it.each(['v3.traces', 'v3.events'] as const)('%s is made in a thread if its transactions are many', async (method) => {
    await using over = await dispatching()
    const { filled, made, ask, own } = over
    const small = await ask(method, { limit: 10, include_actions: true })
    expect(made).toEqual([])
    // The newest trace gets 255 transactions.
    const { rows } = await filled.query<{ trace_id: Buffer }>('select trace_id from traces order by end_lt desc limit 1')
    const newest = rows[0]!.trace_id
    await filled.query('update traces set nodes = 255 where trace_id = $1', [newest])
    await filled.query('update transactions set trace_id = $1 where lt in (select lt from transactions order by lt desc limit 255)', [
      newest,
    ])
    const large = await ask(method, { limit: 10, include_actions: true })
    expect(made).toEqual([method])
    expect(large.length).toBeGreaterThan(512 << 10)
    expect(large.length).toBeGreaterThan(small.length * 5)
    expect(large).toBe(await own(method, { limit: 10, include_actions: true }))
    await ask(method, { trace_id: newest.toString('base64'), limit: 1 })
    expect(made).toEqual([method, method])
    await ask(method, { limit: 10, offset: 100 })
    expect(made).toEqual([method, method])
  })

  it('actions are made in a thread if they repeat many transactions', async () => {
    await using over = await dispatching()
    const { filled, made, ask, own } = over
    const params = { limit: 10, include_transactions: true }
    const small = await ask('v3.actions', params)
    expect(made).toEqual([])
    // Each action covers the same 60 transactions.
    await filled.query(
      `update actions set tx_hashes = (select string_agg(hash, ''::bytea) from (select hash from transactions order by lt desc limit 60) last)`,
    )
    const large = await ask('v3.actions', params)
    expect(made).toEqual(['v3.actions'])
    expect(large.length).toBeGreaterThan(512 << 10)
    expect(large.length).toBeGreaterThan(small.length * 5)
    expect(large).toBe(await own('v3.actions', params))
    await ask('v3.actions', { limit: 10 })
    await ask('v3.actions', { ...params, limit: 2 })
    expect(made).toEqual(['v3.actions'])
  })

  it('states of accounts are made in a thread if their data or their codes are large', async () => {
    await using over = await dispatching()
    const { filled, made, ask, own } = over
    const { rows } = await filled.query<{ account: Buffer; code_hash: Buffer }>(
      'select account, code_hash from accounts where code_hash = (select code_hash from accounts order by code_hash limit 1) order by account limit 20',
    )
    const address = rows.map(({ account }) => `0:${account.toString('hex', 4)}`)
    const params = { address: address.slice(0, 5) }
    await ask('v3.accountStates', params)
    expect(made).toEqual([])
    await filled.query(`update accounts set data_boc = convert_to(repeat('data', 40000), 'utf8') where account = any($1)`, [
      rows.map(({ account }) => account),
    ])
    const large = await ask('v3.accountStates', params)
    expect(made).toEqual(['v3.accountStates'])
    expect(large.length).toBeGreaterThan(512 << 10)
    expect(large).toBe(await own('v3.accountStates', params))
    await ask('v3.accountStates', { ...params, include_boc: false })
    await ask('v3.accountStates', { address: address.slice(0, 2) })
    expect(made).toEqual(['v3.accountStates'])
    // One code of 40 KB, which is repeated.
    await filled.query(`update accounts set data_boc = ''`)
    await filled.query(`insert into cells (hash, mc_seqno, boc) values ($1, 1, convert_to(repeat('code', 10000), 'utf8'))`, [
      rows[0]!.code_hash,
    ])
    await ask('v3.accountStates', params)
    expect(made).toEqual(['v3.accountStates'])
    const repeated = await ask('v3.accountStates', { address })
    expect(made).toEqual(['v3.accountStates', 'v3.accountStates'])
    expect(repeated.length).toBeGreaterThan(256 << 10)
    expect(repeated).toBe(await own('v3.accountStates', { address }))
  })

  it('states of accounts whose BoCs no memory holds are refused before these are read, and told without them', async () => {
    await using over = await dispatching()
    const { filled, ask } = over
    const { rows } = await filled.query<{ account: Buffer }>('select account from accounts order by account limit 100')
    const address = rows.map(({ account }) => `0:${account.toString('hex', 4)}`)
    // PostgreSQL keeps what repeats in little space.
    await filled.query(`update accounts set data_boc = convert_to(repeat('data', 170000), 'utf8') where account = any($1)`, [
      rows.map(({ account }) => account),
    ])
    const refused = { kind: 'INVALID_PARAMS', message: expect.stringMatching(/more than 67108864 bytes.*fewer rows, or without BoCs/) }
    await expect(ask('v3.accountStates', { address })).rejects.toMatchObject(refused)
    expect(JSON.parse(await ask('v3.accountStates', { address, include_boc: false })).accounts).toHaveLength(100)
    const few = JSON.parse(await ask('v3.accountStates', { address: address.slice(0, 5) })) as { accounts: { data_boc: string }[] }
    expect(few.accounts.map(({ data_boc }) => data_boc.length)).toEqual(Array(5).fill(906_668))
    expect(JSON.parse(await ask('v3.walletStates', { address })).wallets).toHaveLength(100)
  })

  it('messages are made in a thread if their bodies are large', async () => {
    await using over = await dispatching()
    const { filled, made, ask, own } = over
    await ask('v3.messages', { limit: 50 })
    expect(made).toEqual([])
    await filled.query(`insert into cells (hash, mc_seqno, boc) select distinct body_hash, 1, convert_to(repeat('body', 15000), 'utf8')
      from (select body_hash from messages order by created_lt desc nulls last limit 200) newest
      on conflict (hash) do update set boc = excluded.boc`)
    const large = await ask('v3.messages', { limit: 50 })
    expect(made).toEqual(['v3.messages'])
    expect(large.length).toBeGreaterThan(512 << 10)
    expect(large).toBe(await own('v3.messages', { limit: 50 }))
  })

  it('jettons are made in a thread if their contents are large', async () => {
    await using over = await dispatching()
    const { filled, made, ask, own } = over
    await filled.query(`insert into jetton_masters
      select account, 1, 1000, true, null, '{"name":"J"}', sha256('w'), 1000000 from accounts limit 20`)
    await ask('v3.jetton.masters', { limit: 10 })
    expect(made).toEqual([])
    await filled.query(`update jetton_masters set content = '{"name":"' || repeat('J', 80000) || '"}'`)
    const large = await ask('v3.jetton.masters', { limit: 10 })
    expect(made).toEqual(['v3.jetton.masters'])
    expect(large).toBe(await own('v3.jetton.masters', { limit: 10 }))
    await ask('v3.jetton.masters', { limit: 2 })
    expect(made).toEqual(['v3.jetton.masters'])
  })
})
