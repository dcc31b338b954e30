import { describe, expect, it } from 'vitest'
import { createClient, pages } from '../../client/index.ts'
import { type Answer, failing, type Rpc, send, serve } from './servers.ts'

/** A server with one method made of a function from params to result. */
const serving =
  (result: (params: Rpc['params'], n: number) => unknown): Answer =>
  ({ calls, body }, response) => {
    const items = calls.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: result(params, id) }))
    send(response, Array.isArray(body) ? items : items[0])
  }
const collect = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}
const transaction = (lt: number) => ({ transaction_id: { lt: String(lt), hash: `h${lt}` } })
const down = (from: number, count: number) => Array.from({ length: Math.max(0, Math.min(count, from)) }, (_, i) => transaction(from - i))

interface Coming {
  readonly 'v3.transactions': {
    readonly params: { readonly limit?: number; readonly offset?: number; readonly sort?: 'asc' | 'desc'; readonly cursor?: string }
    readonly result: { readonly transactions: readonly { readonly hash: string }[]; readonly address_book: Record<string, string> }
    readonly effect: 'read'
  }
}

describe('pages', () => {
  it('pages of getTransactions go on after the last row of a page', async () => {
    await using server = await serve(serving(({ lt, limit }) => down(Number(lt ?? 25), Number(limit))))
    const ton = createClient({ url: server.url })
    const rows = await collect(pages(ton.getTransactions, { address: 'a', limit: 10 }))
    expect(rows.map((row) => Number(row.transaction_id.lt))).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i))
    expect(server.seen.map(({ calls }) => calls[0]!.params)).toContainEqual({ address: 'a', limit: 10, lt: '16', hash: 'h16' })
  })

  it.each([1, '1'])('pages of getTransactions with the limit %j reach the oldest transaction', async (limit) => {
    await using server = await serve(serving(({ lt, limit }) => down(Number(lt ?? 4), Number(limit))))
    const ton = createClient({ url: server.url })
    const rows = await collect(pages(ton.getTransactions, { address: 'a', limit: limit as number }))
    expect(rows.map((row) => row.transaction_id.lt)).toEqual(['4', '3', '2', '1'])
  })

  it('pages of getTransactionsStd follow the cursor of the answer', async () => {
    await using server = await serve(
      serving(({ lt, limit }) => {
        const rows = down(Number(lt ?? 25), Number(limit))
        const left = Number(lt ?? 25) - rows.length
        return {
          '@type': 'raw.transactions',
          transactions: rows,
          previous_transaction_id: { lt: String(left), hash: left ? `h${left}` : 'AAA=' },
        }
      }),
    )
    const ton = createClient({ url: server.url })
    expect((await collect(pages(ton.getTransactionsStd, { address: 'a', limit: 10 }))).length).toBe(25)
    expect(server.seen.length).toBe(3)
  })

  it('pages of a block’s transactions go on by account', async () => {
    const all = Array.from({ length: 7 }, (_, i) => ({ account: `0:${i}`, lt: String(100 + i) }))
    await using server = await serve(
      serving(({ after_lt, after_hash, count }) => {
        const start = all.findIndex(({ account, lt }) => account === `0:${after_hash}` && lt === after_lt) + 1
        const transactions = all.slice(start, start + Number(count))
        return { transactions, incomplete: start + transactions.length < all.length, req_count: count }
      }),
    )
    const ton = createClient({ url: server.url })
    const rows = await collect(pages(ton.getBlockTransactions, { workchain: 0, shard: 1n, seqno: 1, count: 3 }))
    expect(rows).toEqual(all)
    expect(server.seen.length).toBe(3)
  })

  it('pages by offset are stable while the chain grows', async () => {
    // Two rows more with every page asked for, newest first.
    let height = 30
    await using server = await serve(
      serving(({ offset, limit }) => {
        const rows = Array.from({ length: height }, (_, i) => ({ hash: `t${height - i}` })).slice(
          Number(offset ?? 0),
          Number(offset ?? 0) + Number(limit),
        )
        height += 2
        return { transactions: rows, address_book: {} }
      }),
    )
    const ton = createClient<Coming>({ url: server.url })
    const rows = await collect(pages(ton.v3.transactions, { limit: 7 }))
    expect(rows.map(({ hash }) => hash)).toEqual(Array.from({ length: 30 }, (_, i) => `t${30 - i}`))
  })

  it('pages use the cursor of v3 if it is asked for', async () => {
    let height = 25
    await using server = await serve(
      serving(({ cursor, offset, limit }) => {
        if (offset !== undefined) throw new Error('by offset')
        const from = cursor === '' ? height : Number(String(cursor).slice(1))
        height += 2
        const rows = Array.from({ length: Math.min(Number(limit), from) }, (_, i) => ({ hash: `t${from - i}` }))
        return { transactions: rows, address_book: {}, next_cursor: rows.length === limit ? `c${from - rows.length}` : null }
      }),
    )
    const ton = createClient<Coming>({ url: server.url })
    const rows = await collect(pages(ton.v3.transactions, { limit: 10, cursor: '' }))
    expect(rows.map(({ hash }) => hash)).toEqual(Array.from({ length: 25 }, (_, i) => `t${25 - i}`))
    expect(server.seen.map(({ calls }) => calls[0]!.params['cursor'])).toEqual(['', 'c15', 'c5'])
  })

  it.each([{ cursor: '' }, {}])('pages of a server that repeats two of them for ever come to an end: %j', async (how) => {
    await using server = await serve(
      serving((_, n) => ({
        transactions: Array.from({ length: 50 }, (_, i) => ({ hash: `t${n % 2} ${i}` })),
        address_book: {},
        ...('cursor' in how && { next_cursor: `c${n}` }),
      })),
    )
    const ton = createClient<Coming>({ url: server.url })
    const rows = await collect(pages(ton.v3.transactions, { limit: 50, ...how }))
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThanOrEqual(50)
    expect(server.seen.length).toBeLessThan(200)
  })

  it('pages go on though a whole page was seen before, and start where they are told', async () => {
    let height = 10
    await using server = await serve(
      serving(({ offset, limit }) => {
        const rows = Array.from({ length: height }, (_, i) => ({ hash: `t${height - i}` })).slice(
          Number(offset ?? 0),
          Number(offset ?? 0) + Number(limit),
        )
        if (height === 10) height += 4
        return { transactions: rows, address_book: {} }
      }),
    )
    const ton = createClient<Coming>({ url: server.url })
    expect((await collect(pages(ton.v3.transactions, { limit: 2 }))).map(({ hash }) => hash)).toEqual(
      Array.from({ length: 10 }, (_, i) => `t${10 - i}`),
    )
    height = 5
    expect((await collect(pages(ton.v3.transactions, { limit: 2, offset: 3 }))).map(({ hash }) => hash)).toEqual(['t2', 't1'])
  })

  it('rows that are gone, even one on each page, stop nothing', async () => {
    const rows = Array.from({ length: 9 }, (_, i) => ({ hash: `t${9 - i}` }))
    await using server = await serve(
      serving(({ offset, limit }, n) => {
        // The last row of the first page disappears before the second is asked for.
        if (n === 2 && limit === 4) rows.splice(3, 1)
        return { transactions: rows.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit)), address_book: {} }
      }),
    )
    const ton = createClient<Coming>({ url: server.url })
    expect((await collect(pages(ton.v3.transactions, { limit: 4 }))).map(({ hash }) => hash)).toEqual([
      't9',
      't8',
      't7',
      't6',
      't5',
      't4',
      't3',
      't2',
      't1',
    ])
    expect((await collect(pages(ton.v3.transactions, { limit: 1 }))).length).toBe(8)
  })

  it('pages of no rows, of one row, and without a limit end', async () => {
    await using server = await serve(serving(({ offset }) => ({ transactions: offset ? [] : [{ hash: 'only' }], address_book: {} })))
    const ton = createClient<Coming>({ url: server.url })
    expect(await collect(pages(ton.v3.transactions, {}))).toEqual([{ hash: 'only' }])
    expect(server.seen.length).toBe(2)
    await using empty = await serve(serving(() => []))
    expect(await collect(pages(createClient({ url: empty.url }).getTransactions, { address: 'a' }))).toEqual([])
    expect(empty.seen.length).toBe(1)
  })

  it('if an answer has several lists, one is chosen', async () => {
    await using server = await serve(serving(({ offset }) => ({ others: ['x'], transactions: offset ? [] : [{ hash: 'a' }] })))
    const ton = createClient<Coming>({ url: server.url })
    expect(await collect(pages(ton.v3.transactions, {}, { rows: (page) => page.transactions }))).toEqual([{ hash: 'a' }])
  })

  it('pages end when the reader has enough, and when it aborts', async () => {
    await using server = await serve(serving(({ lt, limit }) => down(Number(lt ?? 1000), Number(limit))))
    const ton = createClient({ url: server.url })
    for await (const row of pages(ton.getTransactions, { address: 'a', limit: 10 })) if (row.transaction_id.lt === '995') break
    expect(server.seen.length).toBe(1)
    const stop = new AbortController()
    const reading = (async () => {
      for await (const row of pages(ton.getTransactions, { address: 'a', limit: 10 }, { signal: stop.signal }))
        if (row.transaction_id.lt === '985') stop.abort()
    })()
    expect(await failing(reading)).toMatchObject({ kind: 'ABORTED' })
  })

  it('a page that fails throws in the reader’s loop', async () => {
    await using server = await serve((_, response) => send(response, '', 503))
    const ton = createClient({ url: server.url, retry: false })
    expect(await failing(collect(pages(ton.getTransactions, { address: 'a' })))).toMatchObject({ kind: 'UNAVAILABLE' })
  })
})
