import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { JsonText } from '../../server/base/json/text.ts'
import type { TraceRow } from '../../server/store/queries/traces.ts'
import { messages } from '../../server/store/schema/messages.ts'
import { asRead } from '../../server/store/schema/table.ts'
import { transactions as transactionsTable } from '../../server/store/schema/transactions.ts'
import { createContents, type MessageOf } from '../../server/v3/shapes/message.ts'
import { MAX_DEPTH, toTrace, writeTrace } from '../../server/v3/shapes/trace.ts'
import { type TransactionOf, transaction as transactionShape, type WireTransaction } from '../../server/v3/shapes/transaction.ts'

/* Trees of traces that no small chain makes: long, wide, and with something missing. */

const hash = (name: string): Buffer => createHash('sha256').update(name).digest()
const b64 = (name: string): string => hash(name).toString('base64')

/** Transaction `n`, which received message `n` and sent these. */
const transaction = (n: number, sent: readonly number[]): WireTransaction =>
  ({
    hash: b64(`tx${n}`),
    in_msg: { hash: b64(`m${n}`) },
    out_msgs: sent.map((m) => ({ hash: b64(`m${m}`) })),
  }) as unknown as WireTransaction

const row = (nodes: number): TraceRow =>
  ({
    trace_id: hash('tx0'),
    external_hash: hash('m0'),
    external_hash_norm: null,
    state: 1,
    mc_seqno_start: 1,
    mc_seqno_end: 2,
    start_lt: '1',
    start_utime: '1',
    end_lt: '9',
    end_utime: '2',
    edges: nodes,
    pending_edges: 0,
    nodes,
  }) as TraceRow

const chain = (length: number): WireTransaction[] => Array.from({ length }, (_, n) => transaction(n, n + 1 < length ? [n + 1] : []))

describe('the tree of a trace', () => {
  it('the tree of a trace is whole down to its greatest depth, and can be written', () => {
    const trace = toTrace(row(MAX_DEPTH + 1), { transactions: chain(MAX_DEPTH + 1), actions: undefined, classification: undefined })
    expect([trace.is_incomplete, trace.warning]).toEqual([false, undefined])
    let depth = 0
    for (let node = trace.trace!; node.children[0]; node = node.children[0]) depth++
    expect(depth).toBe(MAX_DEPTH)
    expect(() => JSON.stringify(trace)).not.toThrow()
  })

  it('the tree of a deeper trace is left out, and its transactions are shown', () => {
    const trace = toTrace(row(3000), { transactions: chain(3000), actions: undefined, classification: undefined })
    expect(trace).toMatchObject({ is_incomplete: true, warning: 'trace is too deep' })
    expect(trace).not.toHaveProperty('trace')
    expect(trace.transactions_order!.length).toBe(3000)
    expect(() => JSON.stringify(trace)).not.toThrow()
  })

  it('the tree of a trace has any width', () => {
    const wide = [
      transaction(
        0,
        Array.from({ length: 3000 }, (_, n) => n + 1),
      ),
      ...Array.from({ length: 3000 }, (_, n) => transaction(n + 1, [])),
    ]
    const trace = toTrace(row(3001), { transactions: wide, actions: [], classification: undefined })
    expect(trace.trace!.children.map((child) => child.tx_hash)).toEqual(wide.slice(1).map((one) => one.hash))
    expect(trace.actions).toEqual([])
  })

  it('the tree is left out if a link or the root is missing', () => {
    for (const transactions of [
      [transaction(0, [1]), transaction(1, []), transaction(3, [])],
      [transaction(1, [2]), transaction(2, [])],
    ]) {
      const trace = toTrace(row(transactions.length), { transactions: transactions, actions: undefined, classification: undefined })
      expect(trace).toMatchObject({ is_incomplete: true, warning: 'missing node in trace found' })
      expect(Object.keys(trace.transactions!).length).toBe(transactions.length)
    }
  })

  it('a trace of too many transactions is shown without them', () => {
    const trace = toTrace(row(5000), { transactions: undefined, actions: undefined, classification: undefined })
    expect(trace).toMatchObject({ is_incomplete: true, warning: 'trace is too large', trace_info: { transactions: 5000 } })
    expect(trace).not.toHaveProperty('transactions')
  })
})

const contents = createContents()
const messageOf = (n: number): MessageOf => ({
  row: { ...asRead(messages, {} as never), msg_hash: hash(`m${n}`), body_boc: null, init_boc: null },
  contents,
})

/** The same transaction as rows, of which all is null that may be. */
const rowsOf = (n: number, sent: readonly number[]): TransactionOf => ({
  row: {
    ...asRead(transactionsTable, {} as never),
    hash: hash(`tx${n}`),
    descr: 0,
    orig_status: 0,
    end_status: 0,
    block_shard: '0',
  },
  received: n === 0 ? null : messageOf(n),
  sent: sent.map(messageOf),
  before: undefined,
  external: undefined,
})

describe('a trace that is written', () => {
  const chainOf = (length: number): TransactionOf[] => Array.from({ length }, (_, n) => rowsOf(n, n + 1 < length ? [n + 1] : []))

  it.each<[string, TransactionOf[] | undefined, object]>([
    ['with a tree', [rowsOf(0, [1, 2]), rowsOf(1, []), rowsOf(2, [])], { is_incomplete: false }],
    ['with the deepest tree', chainOf(MAX_DEPTH + 1), { is_incomplete: false }],
    ['too deep', chainOf(MAX_DEPTH + 2), { warning: 'trace is too deep' }],
    ['with a link missing', [rowsOf(0, [1]), rowsOf(1, []), rowsOf(3, [])], { warning: 'missing node in trace found' }],
    ['without its root', [rowsOf(1, [2]), rowsOf(2, [])], { warning: 'missing node in trace found' }],
    ['too large', undefined, { warning: 'trace is too large' }],
  ])('a trace is written as it is made: %s', (_, transactions, expected) => {
    for (const actions of [undefined, []]) {
      const parts = { actions, classification: undefined }
      const out = new JsonText()
      for (const _ of writeTrace(out, row(9), { ...parts, transactions }));
      const made = toTrace(row(9), { ...parts, transactions: transactions?.map((one) => transactionShape.of(one)) })
      expect(made).toMatchObject(expected)
      expect(out.take() === JSON.stringify(made)).toBe(true)
    }
  })
})
