import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { jsonParts } from '../../server/base/json/parts.ts'
import type { TraceRow } from '../../server/store/queries/traces.ts'
import { MAX_DEPTH, toTrace } from '../../server/v3/shapes/trace.ts'
import type { WireTransaction } from '../../server/v3/shapes/transaction.ts'
import { limitCells } from '../../server/v3/shapes/transaction.ts'

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

const shown = (links: readonly WireTransaction[]) => ({ links, wireOf: (place: number) => links[place]! })

describe('the tree of a trace', () => {
  it('the tree of a trace is whole down to its greatest depth, and can be written', () => {
    const trace = toTrace(row(MAX_DEPTH + 1), { transactions: shown(chain(MAX_DEPTH + 1)), actions: undefined, classification: undefined })
    expect([trace.is_incomplete, trace.warning]).toEqual([false, undefined])
    let depth = 0
    for (let node = trace.trace!; node.children[0]; node = node.children[0]) depth++
    expect(depth).toBe(MAX_DEPTH)
    expect(() => JSON.stringify(trace)).not.toThrow()
  })

  it('the tree of a deeper trace is left out, and its transactions are shown', () => {
    const trace = toTrace(row(3000), { transactions: shown(chain(3000)), actions: undefined, classification: undefined })
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
    const trace = toTrace(row(3001), { transactions: shown(wide), actions: [], classification: undefined })
    expect(trace.trace!.children.map((child) => child.tx_hash)).toEqual(wide.slice(1).map((one) => one.hash))
    expect(trace.actions).toEqual([])
  })

  it('the tree is left out if a link or the root is missing', () => {
    for (const transactions of [
      [transaction(0, [1]), transaction(1, []), transaction(3, [])],
      [transaction(1, [2]), transaction(2, [])],
    ]) {
      const trace = toTrace(row(transactions.length), { transactions: shown(transactions), actions: undefined, classification: undefined })
      expect(trace).toMatchObject({ is_incomplete: true, warning: 'missing node in trace found' })
      expect(Object.keys(trace.transactions!).length).toBe(transactions.length)
    }
  })

  it('transactions that are not formatted yet are formatted one at a time, when their JSON is written', () => {
    const transactions = chain(5)
    const whole = toTrace(row(5), { transactions: shown(transactions), actions: undefined, classification: undefined })
    const formatted: number[] = []
    const wireOf = (place: number) => {
      formatted.push(place)
      return transactions[place]!
    }
    const late = toTrace(row(5), { transactions: { links: transactions, wireOf }, actions: undefined, classification: undefined })
    const parts = jsonParts(late, 2)
    let text = ''
    let mostAtOnce = 0
    for (let before = 0, part = parts.next(); !part.done; before = formatted.length, part = parts.next()) {
      text += part.value
      mostAtOnce = Math.max(mostAtOnce, formatted.length - before)
    }
    expect(text).toBe(JSON.stringify(whole))
    expect([formatted, mostAtOnce]).toEqual([[0, 1, 2, 3, 4], 1])
  })

  it('bodies of a trace are left out after a number of bytes, and those of other traces stay', async () => {
    const keys = [1, 2].map((byte) => ({ trace_id: Buffer.alloc(32, byte), account: Buffer.alloc(36, byte), lt: String(byte) }))
    const messages = keys.flatMap(({ account, lt }) =>
      [30, 30, 50, 40].map((size) => ({ tx_account: account, tx_lt: lt, body_boc: Buffer.alloc(size), init_boc: null })),
    )
    const lengths = (await limitCells(messages as never, keys as never, 100)).map(({ body_boc }) => body_boc?.length ?? null)
    expect(lengths).toEqual([30, 30, null, 40, 30, 30, null, 40])
  })

  it('a trace of too many transactions is shown without them', () => {
    const trace = toTrace(row(5000), { transactions: undefined, actions: undefined, classification: undefined })
    expect(trace).toMatchObject({ is_incomplete: true, warning: 'trace is too large', trace_info: { transactions: 5000 } })
    expect(trace).not.toHaveProperty('transactions')
  })
})
