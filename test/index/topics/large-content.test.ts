import { createHash } from 'node:crypto'
import { type Address, type Builder, beginCell, Cell, Dictionary } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import { type Assets, account, speaking, startAssets } from './kit.ts'

/* Tokens whose get-methods make long content from a few cells. */

const MAX_CONTENT = 32 << 10
const TABLES = ['jetton_masters', 'nft_collections', 'nft_items'] as const

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
