import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, pages } from '../../client/index.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { playScene, rawOf, type Scene, STRANGER } from './scene.ts'

/* Pages: complete, without overlap, in order, and stable while the chain grows. */

let service: V3Service
let scene: Scene
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
})
afterAll(() => service?.close())

type Row = Readonly<Record<string, unknown>>
interface Page {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly seqno: string | null
  readonly body: Row
}
const pageOf = async (path: string, query: Record<string, string>): Promise<Page> => {
  const { status, headers, body } = await service.get<Row>(`${path}?${new URLSearchParams(query)}`)
  if (status !== 200) throw new Error(`${status} ${body['error']}`)
  const rows = Object.values(body).find(Array.isArray) as readonly Row[]
  return { rows, next: headers.get('x-next-cursor'), seqno: headers.get('x-index-seqno'), body }
}
const keyOf = (row: Row): string => String(row['hash'] ?? row['root_hash'] ?? row['trace_id'])

const byOffset = async (path: string, query: Record<string, string>, limit: number): Promise<Row[]> => {
  const rows: Row[] = []
  for (;;) {
    const page = await pageOf(path, { ...query, limit: String(limit), offset: String(rows.length) })
    rows.push(...page.rows)
    if (page.rows.length < limit) return rows
  }
}
const byCursor = async (path: string, query: Record<string, string>, limit: number): Promise<Row[]> => {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await pageOf(path, { ...query, limit: String(limit), cursor })
    expect(page.body['next_cursor'] ?? null).toBe(page.next)
    rows.push(...page.rows)
    cursor = page.next
  }
  return rows
}

const account = () => rawOf(scene.wallet.address)
const lists: readonly (readonly [string, () => Record<string, string>])[] = [
  ['transactions', () => ({})],
  ['transactions', () => ({ account: account() })],
  ['transactions', () => ({ account: `${account()},${rawOf(STRANGER)}` })],
  ['transactions', () => ({ start_utime: '1' })],
  ['transactions', () => ({ start_lt: '1' })],
  ['transactions', () => ({ workchain: '0' })],
  ['messages', () => ({})],
  ['messages', () => ({ destination: rawOf(STRANGER) })],
  ['messages', () => ({ source: 'null' })],
  ['messages', () => ({ start_utime: '1' })],
  ['messages', () => ({ direction: 'in' })],
  ['traces', () => ({})],
  ['traces', () => ({ account: account() })],
  ['traces', () => ({ start_utime: '1' })],
  ['blocks', () => ({})],
  ['blocks', () => ({ workchain: '-1' })],
]

describe.each(lists)('%s %#', (path, query) => {
  it('pages by offset and by cursor have every row once, in both directions', async () => {
    const whole = (await pageOf(path, { ...query(), limit: '1000' })).rows
    expect(whole.length).toBeGreaterThan(4)
    const keys = whole.map(keyOf)
    expect(new Set(keys).size).toBe(keys.length)
    const third = Math.ceil(whole.length / 3)
    // A page that ends with the list is the same for all lists of a path.
    for (const limit of Object.keys(query()).length === 0 ? [third, whole.length] : [third]) {
      expect((await byOffset(path, query(), limit)).map(keyOf)).toEqual(keys)
      expect((await byCursor(path, query(), limit)).map(keyOf)).toEqual(keys)
    }
    const ascending = (await pageOf(path, { ...query(), limit: '1000', sort: 'asc' })).rows
    expect(ascending.map(keyOf)).toEqual([...keys].reverse())
    expect((await byCursor(path, { ...query(), sort: 'asc' }, third)).map(keyOf)).toEqual([...keys].reverse())
  })
})

describe('while the chain grows', () => {
  it('cursors, ascending pages and pages with as_of stay while the chain grows', async () => {
    const keysOf = async (path: string, query: Record<string, string>) => (await pageOf(path, query)).rows.map(keyOf)
    const befores = []
    for (const [path, of] of lists) {
      const query = of()
      const { seqno, next } = await pageOf(path, { ...query, limit: '2', cursor: '' })
      const frozen = { ...query, as_of: seqno! }
      befores.push({
        ...{ path, query, seqno, frozen },
        cursor: { ...query, limit: '2', cursor: next! },
        second: await keysOf(path, { ...query, limit: '2', cursor: next! }),
        whole: await keysOf(path, { ...frozen, limit: '1000' }),
        ascending: await keysOf(path, { ...query, sort: 'asc', limit: '1000' }),
      })
    }
    await service.call('local.fund', { address: scene.wallet.address.toString(), amount: '1000000' })
    await service.call('local.fund', { address: STRANGER.toString(), amount: '1000000' })
    await service.settle()
    for (const { path, query, seqno, frozen, cursor, second, whole, ascending } of befores) {
      const place = `${path} ${JSON.stringify(query)}`
      expect(Number((await pageOf(path, query)).seqno), place).toBeGreaterThan(Number(seqno))
      expect(await keysOf(path, cursor), place).toEqual(second)
      expect((await byOffset(path, frozen, 5)).map(keyOf), place).toEqual(whole)
      const later = await keysOf(path, { ...query, sort: 'asc', limit: '1000' })
      expect(later.slice(0, ascending.length), place).toEqual(ascending)
    }
  }, 120_000)
})

describe('while blocks come', () => {
  it('while blocks come no answer has a part of a block, and traces and messages are whole', async () => {
    interface Seen {
      readonly seqno: number
      readonly rows: readonly Row[]
    }
    const seen: Seen[] = []
    let going = true
    const look = async (): Promise<void> => {
      while (going) {
        const { rows, seqno } = await pageOf('transactions', { limit: '1000' })
        seen.push({ seqno: Number(seqno), rows })
        const { traces } = await service.call('v3.traces', { limit: 5 })
        for (const trace of traces) {
          expect(trace.is_incomplete).toBe(false)
          expect(trace.transactions_order!.length).toBe(trace.trace_info.transactions)
        }
      }
    }
    const looking = [look(), look()]
    const heads = (): number => new Set(seen.map(({ seqno }) => seqno)).size
    // A slow machine answers fewer pages beside the same blocks.
    for (let i = 0; i < 30 || (heads() <= 3 && i < 1_000); i++) {
      const to = i % 2 ? scene.wallet.address : STRANGER
      await service.call('local.fund', { address: to.toString(), amount: String(1000 + i) })
    }
    await service.settle()
    going = false
    await Promise.all(looking)
    const { rows: all } = await pageOf('transactions', { limit: '1000' })
    expect(heads()).toBeGreaterThan(3)
    for (const { seqno, rows } of seen)
      expect(rows.map(keyOf)).toEqual(all.filter((row) => Number(row['mc_block_seqno']) <= seqno).map(keyOf))
    for (const row of all) {
      const messages = [row['in_msg'], ...(row['out_msgs'] as Row[])].filter((message) => message !== null) as Row[]
      for (const message of messages) expect(message['message_content'], String(row['hash'])).not.toBeNull()
    }
  }, 120_000)
})

describe('order', () => {
  it('transactions are ordered by logical time, blocks by time, traces by their end', async () => {
    const number = (rows: readonly Row[], name: string) => rows.map((row) => Number(row[name]))
    const descending = (values: readonly number[]) => [...values].sort((a, b) => b - a)
    for (const [path, name] of [
      ['transactions', 'lt'],
      ['blocks', 'gen_utime'],
      ['traces', 'end_lt'],
    ] as const) {
      const values = number((await pageOf(path, { limit: '1000' })).rows, name)
      expect(values, path).toEqual(descending(values))
    }
  })
})

describe('limits', () => {
  it.each([
    ['0', 1],
    ['-5', 1],
    ['', 1],
    ['1', 1],
  ])('the limit %j gives %i row', async (limit, rows) => {
    for (const path of ['transactions', 'messages', 'traces', 'blocks']) expect((await pageOf(path, { limit })).rows.length).toBe(rows)
  })

  it('the default is 10 rows, a negative offset is refused, and one beyond the end gives nothing', async () => {
    for (const path of ['transactions', 'messages', 'blocks']) {
      expect((await pageOf(path, {})).rows.length).toBe(10)
      expect((await pageOf(path, { offset: '-3' })).rows).toEqual((await pageOf(path, {})).rows)
      expect(await pageOf(path, { offset: '1000000' })).toMatchObject({ rows: [], next: null })
      expect(await pageOf(path, { offset: '9007199254740993' })).toMatchObject({ rows: [] })
    }
  })

  it('blocks of a masterchain block are walked to the end', async () => {
    const walked: unknown[] = []
    for await (const block of pages(createClient({ url: service.url }).v3.masterchainBlockShards, { seqno: 2, limit: 1 }))
      walked.push(block)
    expect(walked.length).toBeGreaterThan(1)
    expect(walked).toEqual((await service.call('v3.masterchainBlockShards', { seqno: 2 })).blocks)
  })

  it('a cursor is for one list, one direction and one order; anything else is refused', async () => {
    const { next } = await pageOf('transactions', { limit: '1' })
    const refused = async (path: string, query: Record<string, string>) => {
      const response = await service.get(`${path}?${new URLSearchParams(query)}`)
      return [response.status, (response.body as { error: string }).error]
    }
    for (const [path, query] of [
      ['transactions', { cursor: next!, sort: 'asc' }],
      ['transactions', { cursor: next!, account: account() }],
      ['messages', { cursor: next! }],
      ['traces', { cursor: next! }],
      ['blocks', { cursor: next! }],
      ['transactions', { cursor: 'AAAA' }],
      ['transactions', { cursor: Buffer.from('m|desc|1|1|AAAA').toString('base64url') }],
      ['transactions', { cursor: Buffer.from(`m|desc|99999999999|1|${'A'.repeat(48)}`).toString('base64url') }],
      ['transactions', { cursor: Buffer.from(`m|desc|1|99999999999999999999|${'A'.repeat(48)}`).toString('base64url') }],
      ['transactions', { cursor: Buffer.from(`m|desc|1|1;drop table blocks|${'A'.repeat(48)}`).toString('base64url') }],
      ['transactions', { cursor: "' or 1=1" }],
      ['transactions', { cursor: 'A'.repeat(201) }],
    ] as const)
      expect(await refused(path, query), `${path} ${JSON.stringify(query)}`).toEqual([422, 'invalid cursor'])
    expect(await refused('transactions', { cursor: next!, offset: '1' })).toEqual([422, 'cursor cannot be used with offset'])
  })
})
