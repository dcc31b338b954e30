import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { LargePage } from '../../../server/base/limits/large-page.ts'
import { silentLog } from '../../../server/base/log.ts'
import { textOfPiece } from '../../../server/base/pieces.ts'
import { createReader, type Reader } from '../../../server/store/postgres/reader.ts'
import { rowsOfTransactions } from '../../../server/store/queries/messages-of-transactions.ts'
import { nominatorsOf } from '../../../server/store/queries/staking.ts'
import type { TransactionRow } from '../../../server/store/queries/transactions/transaction-key.ts'
import type { View } from '../../../server/store/queries/view.ts'
import { membersOf } from '../../../server/store/queries/wallets.ts'
import { bounded } from '../../../server/v3/answer/bounded.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { relateTransactions } from '../../../server/v3/shapes/transaction.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { fill } from '../../kit/index/filled.ts'
import { timeTurns } from '../../kit/turns.ts'

/* A contract can send 255 logs in each of a thousand transactions, of one trace or of a page. */

const signal = new AbortController().signal

const transactionAt = (i: number, sent: number): TransactionRow =>
  ({
    account: Buffer.alloc(36),
    lt: String(1_000 + i),
    hash: Buffer.alloc(32),
    trace_id: Buffer.alloc(32),
    prev_trans_lt: '0',
    action_msgs_created: sent,
  }) as unknown as TransactionRow

/** What the statement with these fragments or this text returns. */
const viewOf = (answer: (sql: string) => readonly object[]): View => {
  const textOf = (query: { sql?: string; toOperationNode?: () => { sqlFragments: readonly string[] } }): string =>
    query.sql ?? query.toOperationNode!().sqlFragments.join(' ')
  return { rows: async (query: object) => answer(textOf(query)), expectBytes() {}, signal, head: 1 } as unknown as View
}

describe('around transactions with many messages', () => {
  it('messages are limited, grouped and linked in turns of the event loop', async () => {
    const rows = Array.from({ length: 160 }, (_, i) => transactionAt(i, 250))
    const messages = rows.flatMap(({ account, lt }) =>
      Array.from({ length: 250 }, (_, i) => ({
        ...{ tx_account: account, tx_lt: lt, direction: 1, msg_index: i, msg_hash: Buffer.alloc(32), source: account },
        ...{ destination: null, body_hash: Buffer.alloc(32), init_hash: null, value: null },
      })),
    )
    const view = viewOf((sql) => {
      if (sql.includes('from messages')) return messages
      return sql.includes('from cells') ? [{ hash: Buffer.alloc(32), boc: Buffer.alloc(100), bytes: 100 }] : []
    })
    const { longest, all } = await timeTurns(async () => {
      const { format, linksOf } = await relateTransactions(view, rows, [], { mostCells: 1 })
      await Promise.all([format, linksOf])
    })
    expect(longest).toBeLessThan(all / 5)
  })

  it('many messages are a large page before they are read', async () => {
    const asked: string[] = []
    const view = viewOf((sql) => {
      asked.push(sql)
      return []
    })
    const rows = Array.from({ length: 20 }, (_, i) => transactionAt(i, 250))
    await expect(rowsOfTransactions(bounded(view, false), rows)).rejects.toThrow(LargePage)
    expect(asked).toEqual([])
    await rowsOfTransactions(bounded(view, false), rows.slice(0, 5))
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['members of multisigs', (view: View) => membersOf(view, [Buffer.alloc(36)])],
    ['nominators of a pool', (view: View) => nominatorsOf(view, { workchain: 0, hash: new Uint8Array(32) })],
  ])('of many %s a normal page reads a few thousand, and a large page all', async (_, read) => {
    const row = { account: Buffer.alloc(36) }
    const view = viewOf((sql) => Array.from({ length: Math.min(60_000, Number(/limit (\d+)/.exec(sql)?.[1])) }, () => row))
    const counted: number[] = []
    const counting = {
      ...view,
      async rows(query: never) {
        const rows = await view.rows(query)
        counted.push(rows.length)
        return rows
      },
    } as View
    await expect(read(bounded(counting, false))).rejects.toThrow(LargePage)
    expect(await read(bounded(counting, true))).toHaveLength(60_000)
    expect(counted).toEqual([4_097, 60_000])
  })
})

describe('an index of transactions with many messages', () => {
  const ALL = 150
  let server: TestServer
  let reader: Reader
  let handlers: ReturnType<typeof createV3Handlers>
  beforeAll(async () => {
    server = await startTestServer()
    const database: ClientConfig = await server.database()
    await fill(server, database, ALL)
    // 150 transactions of one trace, which sent 60,000 logs.
    await server.run(database, `update transactions set action_msgs_created = 400`)
    await server.run(database, `update traces set nodes = 2, edges = 20001 where trace_id = sha256('tx 0')`)
    await server.run(database, `update traces set edges = 20000 where trace_id = sha256('tx 3')`)
    reader = createReader(database, { connections: 1, statementTimeout: 20_000 })
    handlers = createV3Handlers({ reader, v2: {} as never })
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  const call: Call = { network: 'local', signal, requestId: '', log: silentLog, localAllowed: true, isLarge: true }
  const ask = async (name: 'v3.transactions' | 'v3.traces', params: object) => {
    const answer = await handlers[name]!(params as never, call)
    if (!('pieces' in answer)) throw new Error('no pieces')
    let text = ''
    for await (const piece of answer.pieces!) text += textOfPiece(piece)
    return JSON.parse(text)
  }
  const page = { offset: 0, sort: 'asc' }

  it('a page of transactions with more than 50,000 messages is refused, and a smaller one is not', async () => {
    await expect(ask('v3.transactions', { ...page, limit: ALL })).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: 'the transactions of this page have more than 10000 transactions or 50000 messages: ask for fewer',
    })
    expect((await ask('v3.transactions', { ...page, limit: 120 })).transactions).toHaveLength(120)
  })

  it('a trace of more than 20,000 messages is shown without its transactions', async () => {
    const { traces } = await ask('v3.traces', { ...page, limit: 2 })
    expect(traces).toMatchObject([
      { is_incomplete: true, warning: 'trace is too large', trace_info: { messages: 20_001 } },
      { trace_info: { messages: 20_000 }, transactions_order: { length: 3 } },
    ])
  })
})
