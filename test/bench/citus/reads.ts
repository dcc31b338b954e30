import { createHash } from 'node:crypto'
import type { Answer } from '../../../server/base/answer.ts'
import type { Call } from '../../../server/base/call.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createReader, type Reader } from '../../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { fill } from '../../kit/index/filled.ts'
import { jsonText } from '../../kit/service/results.ts'
import type { Bench, Target } from '../bench.ts'
import { type Pair, startPair } from './pair.ts'

/* The same answers of v3 over the same rows, of a Citus cluster and of plain PostgreSQL. */

const TRANSACTIONS = 60_000
const QUESTIONS = 400
/**
 * Questions that are not counted: connections are opened, statements are prepared, and V8 compiles the code. After 300 questions a service still takes half as much processor time
 * again for an answer as after 2,000.
 */
const FIRST = 1_200
/** Questions of deep pages, which take half a second each, and how many of them are not counted. */
const FEW = 20
const FIRST_FEW = 5
const signal = new AbortController().signal

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const account = (i: number): string => `0:${hash(`account ${i % 5003}`)}`
const transaction = (i: number): string => hash(`tx ${TRANSACTIONS / 2 + 3 * i}`)

type Question = readonly [method: MethodName, what: string, params: (i: number) => object]

const BY_KEY: readonly Question[] = [
  ['v3.transactions', 'account', (i) => ({ account: account(i + 1), limit: 10 })],
  ['v3.transactions', 'hash', (i) => ({ hash: transaction(i) })],
  ['v3.adjacentTransactions', 'hash', (i) => ({ hash: transaction(i) })],
  ['v3.transactionsByMessage', 'msg_hash', (i) => ({ msg_hash: hash(`message ${TRANSACTIONS / 2 + 3 * i}`) })],
  ['v3.messages', 'source', (i) => ({ source: account(i + 1), limit: 10 })],
  ['v3.messages', 'msg_hash', (i) => ({ msg_hash: hash(`message ${TRANSACTIONS / 2 + 3 * i}`) })],
  ['v3.accountStates', 'address', (i) => ({ address: account(i + 1) })],
  ['v3.walletStates', 'address', (i) => ({ address: account(i + 1) })],
  ['v3.addressBook', 'address', (i) => ({ address: account(i + 1) })],
  ['v3.actions', 'account', (i) => ({ account: account(i + 1), limit: 10 })],
]
const TRACES: readonly Question[] = [
  ['v3.traces', 'trace_id', (i) => ({ trace_id: transaction(i) })],
  ['v3.traces', 'tx_hash', (i) => ({ tx_hash: transaction(i) })],
  ['v3.traces', 'account', (i) => ({ account: account(i + 1), limit: 10 })],
  ['v3.traces', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.actions', 'trace_id', (i) => ({ trace_id: transaction(i) })],
]
const FIRST_PAGES: readonly Question[] = [
  ['v3.blocks', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.transactions', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.messages', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.actions', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.topAccountsByBalance', '', (i) => ({ limit: 10, offset: i % 200 })],
  ['v3.transactionsByMasterchainBlock', 'seqno', (i) => ({ seqno: 100 + (i % 1000), limit: 10 })],
]
const DEEP: readonly Question[] = [
  ['v3.transactions', 'at offset 20,000', (i) => ({ limit: 10, offset: 20_000 + i })],
  ['v3.messages', 'at offset 20,000', (i) => ({ limit: 10, offset: 20_000 + i })],
  ['v3.traces', 'at offset 10,000', (i) => ({ limit: 10, offset: 10_000 + i })],
]

/** Asks one database; the answer as JSON. */
const asking = (reader: Reader) => {
  const handlers = createV3Handlers({ reader, v2: {} as never })
  return async (method: MethodName, params: object): Promise<string> => {
    const call: Call = { signal, requestId: 'bench', log: silentLog, localAllowed: false, network: 'local' }
    const answer = (await handlers[method]!(parseParams(registry[method] as never, params, 'body') as never, call)) as Answer
    return jsonText(answer, signal)
  }
}

/** What the index knows of the codes of filled accounts. */
const CODES = `insert into contract_codes (code_hash, mc_seqno, methods) select sha256(('code ' || a)::bytea), 1, '{}' from generate_series(0, 49) as a`

const open = async (url: string) => {
  const pair: Pair = await startPair(url)
  const [citus, plain] = [await pair.citus(), await pair.plain()]
  for (const database of [citus, plain]) {
    await fill(pair.server, database, TRANSACTIONS)
    // Methods of codes are in memory, once they are known.
    await pair.server.run(database, CODES)
  }
  const options = { connections: 4, statementTimeout: 30_000 }
  const readers = [createReader(citus, options), createReader(plain, options)] as const
  return {
    citus: asking(readers[0]),
    plain: asking(readers[1]),
    /** A block a second arrives: what is remembered of a head is forgotten. */
    async nextHead(): Promise<void> {
      for (const database of [citus, plain]) await pair.server.run(database, 'update published_head set utime = utime + 1')
    },
    async close() {
      for (const reader of readers) await reader.close()
      await pair.close()
    },
  }
}

const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!

/** Both are filled once, for all lines; the last line closes them. */
export const readBenches = (url: string): readonly Bench[] => {
  let opened: ReturnType<typeof open> | undefined
  const lines: readonly (readonly [Question, Target])[] = [
    ...BY_KEY.map((question) => [question, { atMost: 15, unit: 'ms more' }] as const),
    ...TRACES.map((question) => [question, { atMost: 60, unit: 'ms more' }] as const),
    ...FIRST_PAGES.map((question) => [question, { atMost: 40, unit: 'ms more' }] as const),
    ...DEEP.map((question) => [question, { named: true }] as const),
  ]
  return lines.map(
    ([[method, what, params], target], at): Bench => ({
      name: `${method} ${what}`.trimEnd().concat(', on a Citus cluster against plain PostgreSQL, p50'),
      target,
      async measure() {
        opened ??= open(url)
        const sides = await opened
        const taken = { citus: [] as number[], plain: [] as number[] }
        const [first, questions] = 'named' in target ? [FIRST_FEW, FEW] : [FIRST, QUESTIONS]
        const ask = async (side: 'citus' | 'plain', i: number): Promise<string> => {
          const start = performance.now()
          const answer = await sides[side](method, params(i))
          if (i >= first) taken[side].push(performance.now() - start)
          return answer
        }
        for (let i = 0; i < first + questions; i++) {
          if (i % 50 === 0) await sides.nextHead()
          const order = i % 2 ? (['citus', 'plain'] as const) : (['plain', 'citus'] as const)
          const [a, b] = [await ask(order[0], i), await ask(order[1], i)]
          if (a !== b) throw new Error(`${method} ${JSON.stringify(params(i))}: the answers differ`)
        }
        if (at === lines.length - 1) await sides.close()
        const [ours, yardstick] = [p50(taken.citus), p50(taken.plain)]
        return { ours, yardstick, ratio: ours - yardstick, unit: 'ms' }
      },
    }),
  )
}
