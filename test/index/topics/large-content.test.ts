import { createHash } from 'node:crypto'
import { type Address, type Builder, beginCell, Cell, Dictionary } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { LargePage } from '../../../server/base/limits/large-page.ts'
import { silentLog } from '../../../server/base/log.ts'
import type { LiveEvent } from '../../../server/live/events.ts'
import type { Reader, RunQuery } from '../../../server/store/postgres/reader.ts'
import { findFetchedContents } from '../../../server/store/queries/jettons.ts'
import { readIndex } from '../../../server/store/queries/view.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { bookAndTokensOfEvents } from '../../../server/v3/live/book-and-tokens.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, type ParamsIn, registry } from '../../../shared/registry.ts'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import { resultsOf } from '../../kit/service/results.ts'
import { type Assets, account, raw, speaking, startAssets } from './kit.ts'

/* Tokens whose get-methods make long content from a few cells, and rows of an earlier release, which stored it as long as it was. */

const MAX_CONTENT = 32 << 10
const TABLES = ['jetton_masters', 'nft_collections', 'nft_items'] as const
const MiB = 1 << 20

let server: TestServer
let database: ClientConfig
let assets: Assets
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  assets = await startAssets({ databaseUrl: urlOf(database) })
})
afterAll(async () => {
  await assets?.close()
  await server?.close()
})

const snake = (bytes: Buffer): Cell => {
  let cell: Cell | undefined
  for (let at = Math.floor((bytes.length - 1) / 127) * 127; at >= 0; at -= 127) {
    const b = beginCell().storeBuffer(bytes.subarray(at, at + 127))
    cell = (cell ? b.storeRef(cell) : b).endCell()
  }
  return cell!
}

const VALUES = {
  serialize: (cell: Cell, b: Builder): void => void b.storeRef(cell),
  parse: () => Cell.EMPTY,
}
const onChain = (attributes: Readonly<Record<string, Buffer>>) => {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), VALUES)
  for (const [name, value] of Object.entries(attributes)) {
    const key = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
    dict.set(key, beginCell().storeUint(0, 8).storeRef(snake(value)).endCell())
  }
  return { cell: beginCell().storeUint(0, 8).storeDict(dict).endCell() }
}

/** A contract that is a jetton master, a collection and an item, with the same content. */
const put = async (at: Address, content: { readonly cell: Cell }): Promise<void> => {
  const nobody = { slice: beginCell().storeUint(0, 2).endCell() }
  await assets.put(
    at,
    speaking({
      get_jetton_data: [5n, -1n, nobody, content, { cell: Cell.EMPTY }],
      get_collection_data: [1n, content, nobody],
      get_nft_data: [-1n, 7n, nobody, nobody, content],
    }),
  )
}

const keyOf = (at: Address): Buffer => Buffer.concat([Buffer.alloc(4), at.hash])

const stored = async (at: Address): Promise<Readonly<Record<string, string>>[]> => {
  const rows = await Promise.all(
    TABLES.map((table) => server.run<{ content: string }>(database, `select content from ${table} where account = $1`, [keyOf(at)])),
  )
  const contents = rows.map(([row]) => row!.content)
  expect(Math.max(...contents.map((content) => Buffer.byteLength(content)))).toBeLessThanOrEqual(MAX_CONTENT)
  return contents.map((content) => JSON.parse(content) as Record<string, string>)
}

const HOSTILE = account(0x51)

it('of content beyond 32 KiB of JSON the longest attributes are left out, in all rows of the token', async () => {
  const long = Buffer.alloc(8_128, 1)
  const names = ['description', 'image', 'decimals', 'amount_style', 'render_type']
  await put(
    HOSTILE,
    onChain({
      name: Buffer.from('Acorn'),
      symbol: Buffer.alloc(5_000, 1),
      uri: Buffer.alloc(127, 0x61),
      ...Object.fromEntries(names.map((name) => [name, long])),
    }),
  )
  const expected = { name: 'Acorn', symbol: '\u0001'.repeat(5_000), uri: 'a'.repeat(127) }
  expect(await stored(HOSTILE)).toEqual([expected, expected, expected])
})

it('content of ordinary characters is stored as a whole, with a picture of 8 KB', async () => {
  const [picture, words] = [Buffer.alloc(8_128, 0xc8), Buffer.alloc(8_128, 0x62)]
  await put(account(0x52), onChain({ name: Buffer.from('Oak'), image_data: picture, description: words }))
  const expected = { name: 'Oak', image_data: picture.toString('base64'), description: words.toString() }
  expect(await stored(account(0x52))).toEqual([expected, expected, expected])
})

const OLD = 1_000
const OLD_BYTES = 100_000

/** Adds tokens as an earlier release stored them, in all three tables, and returns their addresses. */
const addOld = async (): Promise<string[]> => {
  const content = `'{"name":"' || repeat('x', ${OLD_BYTES}) || '"}'`
  for (const table of ['accounts', ...TABLES]) {
    const columns = await server.run<{ name: string }>(
      database,
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
    )
    const values = columns.map(({ name }) => {
      if (name === 'account') return `'\\x00000000'::bytea || sha256(i::text::bytea)`
      return name === 'content' ? content : name
    })
    await server.run(
      database,
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${values.join(', ')}
        from (select * from ${table} where account = $1) one, generate_series(1, ${OLD}) i`,
      [keyOf(HOSTILE)],
    )
  }
  return Array.from(
    { length: OLD },
    (_, i) =>
      `0:${createHash('sha256')
        .update(String(i + 1))
        .digest('hex')
        .toUpperCase()}`,
  )
}

/** A reader of the index, and the bytes that it has read. */
const counting = () => {
  const { reader } = assets.tonway.app.network.index!
  let bytes = 0
  const counted: Reader = {
    ...reader,
    rows: (query, signal) => reader.rows(query, signal),
    close: () => reader.close(),
    snapshot: (run, signal) => {
      const rows: (of: RunQuery) => RunQuery =
        (of) =>
        async (...query) => {
          const found = await of(...query)
          for (const row of found)
            for (const value of Object.values(row as object)) if (typeof value === 'string' || Buffer.isBuffer(value)) bytes += value.length
          return found
        }
      return reader.snapshot((of) => run(rows(of)), signal)
    },
  }
  return { reader: counted, read: () => bytes }
}

const ask = async <M extends MethodName>(reader: Reader, method: M, params: ParamsIn<M>, isLarge?: boolean): Promise<unknown> => {
  const handlers = resultsOf(createV3Handlers({ reader, v2: {} as never }))
  const call: Call = { signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: true, network: 'local', isLarge }
  return await handlers[method]!(parseParams(registry[method], params, 'body'), call)
}

let old: string[]

it.each([
  'v3.metadata',
  'v3.accountStates',
  'v3.jetton.masters',
  'v3.nft.items',
  'v3.nft.collections',
] as const)('%s refuses a thousand tokens with long content before it reads the content', async (method) => {
  old ??= await addOld()
  const params = {
    [method === 'v3.nft.collections' ? 'collection_address' : 'address']: old,
    ...('limit' in registry[method].params.shape && { limit: OLD }),
  } as never
  for (const [isLarge, error] of [
    [false, LargePage],
    [true, /ask for fewer rows/],
  ] as const) {
    const { reader, read } = counting()
    await expect(ask(reader, method, params, isLarge)).rejects.toThrow(error)
    expect(read()).toBeLessThan(2 * MiB)
  }
}, 120_000)

it('a few tokens with long content are answered as they are stored', async () => {
  old ??= await addOld()
  const { reader, read } = counting()
  const name = 'x'.repeat(OLD_BYTES)
  const address = old.slice(0, 3)
  const metadata = (await ask(reader, 'v3.metadata', { address })) as Record<string, { token_info: { name: string }[] }>
  expect(Object.values(metadata).map(({ token_info }) => token_info.map((info) => info.name === name))).toEqual(
    address.map(() => [true, true, true]),
  )
  expect(read()).toBeGreaterThan(9 * OLD_BYTES)
  const { jetton_masters } = (await ask(reader, 'v3.jetton.masters', { address })) as { jetton_masters: { jetton_content: object }[] }
  expect(jetton_masters.map(({ jetton_content }) => jetton_content)).toEqual(address.map(() => ({ name })))
  const { nft_items } = (await ask(reader, 'v3.nft.items', { address })) as { nft_items: { content: object }[] }
  expect(nft_items.map(({ content }) => content)).toEqual(address.map(() => ({ name })))
})

it('events have at most 8 MiB of metadata, and no more of it is read', async () => {
  old ??= await addOld()
  const eventOf = (name: string): LiveEvent => ({
    body: { type: 'account_state_change', account: name, wire: {} },
    ...{ finality: 'finalized', traceHash: undefined, otherHashes: [], place: '' },
  })
  const events = [...old, raw(HOSTILE)].map(eventOf)
  const fitting = Math.floor((8 * MiB) / (3 * (OLD_BYTES + 11)))
  // A token that is left out does not come back, without its flags, in its state after an emulation.
  const token = { kind: 0, content: '{}', owner: null, jetton: null, balance: null, index: null, domain: null }
  const emulated = Object.fromEntries(old.map((name) => [name, { tokens: [token] }]))
  for (const named of [events, [{ ...events[0]!, emulated }, ...events]]) {
    const { reader, read } = counting()
    const { book, tokens } = await readIndex(reader, new AbortController().signal, (view) =>
      bookAndTokensOfEvents(view, named, { book: true, metadata: true }),
    )
    expect([Object.keys(book).length, Object.keys(tokens).length]).toEqual([OLD + 1, fitting + 1])
    expect(read()).toBeLessThan(10 * MiB)
  }
})

it('fetched content that is long is not read for the wallets of its jetton', async () => {
  old ??= await addOld()
  await server.run(
    database,
    `insert into token_metadata (account, uri, content, fetched_at, tries, next_try)
      select account, 'x', '{"name":"' || repeat('x', case when i <= 2 then 7000 else 64000 end) || '"}', 0, 5, 0
      from (select account, row_number() over (order by account) as i from jetton_masters) each`,
  )
  const masters = await server.run<{ account: Buffer }>(database, 'select account from jetton_masters')
  const { reader, read } = counting()
  const keys = masters.map(({ account: key }) => key)
  const found = await readIndex(reader, new AbortController().signal, (view) => findFetchedContents(view, keys))
  expect([...found.values()].map(({ length }) => length)).toEqual([7_011, 7_011])
  expect(read()).toBeLessThan(MiB)
})
