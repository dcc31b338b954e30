import { createHash } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { migrate } from '../../server/store/migrate.ts'
import { builder, type Reader } from '../../server/store/postgres/reader.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import type { V2 } from '../../server/v3/legacy.ts'
import { registry } from '../../shared/registry.ts'
import { startIndexer } from '../index/kit.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { openOwnStore } from '../kit/index/own-store.ts'
import type { Bench } from './bench.ts'
import { fillIndex } from './filled-index.ts'

/* Answers of the index at 1 million transactions and 2 million messages, against the statements they are made of. */

const SIZE = { transactions: 1_000_000, accounts: 100_000 }

const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
const timed = async (run: () => unknown): Promise<number> => {
  const start = performance.now()
  await run()
  return performance.now() - start
}

interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** A folder in which the filled index is kept for the next run: to fill it takes minutes, and is not what is measured. */
const KEPT = process.env['TONWAY_BENCH_INDEX']

const open = async () => {
  const store = await openOwnStore(KEPT === undefined ? {} : { dataDir: KEPT })
  const client = new Client(store.connection)
  await client.connect()
  const { rows } = await client.query<{ filled: string | null }>(`select to_regclass('bench_filled') as filled`)
  if (rows[0]?.filled === null) {
    await fillIndex(store, SIZE)
    await client.query('create table bench_filled ()')
  }
  const said: Statement[] = []
  const reader: Reader = {
    ...store,
    snapshot: (run, signal) =>
      store.snapshot(
        (rows) =>
          run((query) => {
            const { sql, parameters } = 'compile' in query ? query.compile(builder) : query
            said.push({ text: sql, values: [...parameters] })
            return rows(query)
          }),
        signal,
      ),
  }
  const dispatchOver = (over: Reader) =>
    createDispatch({
      methods: registry,
      handlers: createV3Handlers({ reader: over, v2: {} as V2 }),
      head: () => undefined,
      headCache: createCache<Outcome>({ entries: 1, bytes: 1 }),
      finalCache: createCache<Outcome>({ entries: 1, bytes: 1 }),
    })
  const [listened, plain] = [dispatchOver(reader), dispatchOver(store)]
  const callOf = (): Call => ({
    signal: new AbortController().signal,
    requestId: 'bench',
    log: silentLog,
    localAllowed: false,
    network: 'local',
  })
  const checked = async (dispatch: typeof plain, name: string, params: object) => {
    const outcome = await dispatch(name, params, callOf())
    if (!outcome.ok) throw outcome.error
    return outcome
  }
  const names = new Map<string, string>()
  let made = 0
  return {
    /** One more database on the same server, empty. */
    async another(): Promise<ClientConfig> {
      const database = `another_${++made}`
      await client.query(`create database ${database}`)
      await migrate({ ...store.connection, database })
      return { ...store.connection, database }
    },
    ask: (name: string, params: object) => checked(plain, name, params),
    /** The statements of one answer. */
    async statements(name: string, params: object): Promise<readonly Statement[]> {
      said.length = 0
      await checked(listened, name, params)
      return [...said]
    },
    /** The same statements one after the other on one connection, prepared. */
    async replay(statements: readonly Statement[]): Promise<void> {
      for (const { text, values } of statements) {
        const name = names.get(text) ?? `s${names.size}`
        names.set(text, name)
        await client.query({ name, text, values })
      }
    },
  }
}

/** Filled once for all lines; the process ends with it. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
const filled = once(open)

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const account = (n: number): string => `0:${hash(`account${n}`)}`
const MIDDLE = SIZE.transactions / 2

/** Every question is another one: the answer to a question that is asked for repeatedly is kept until the next block. */
const firstPage = (i: number): object => ({ offset: i })

const LISTS: readonly (readonly [string, (i: number) => object])[] = [
  ['v3.blocks', firstPage],
  ['v3.masterchainBlockShardState', (i) => ({ seqno: 100 + i })],
  ['v3.masterchainBlockShards', (i) => ({ seqno: 100 + i })],
  ['v3.transactions', firstPage],
  ['v3.transactions', (i) => ({ account: account(i + 1) })],
  ['v3.transactions', (i) => ({ hash: hash(`tx${MIDDLE + i}`) })],
  ['v3.transactionsByMasterchainBlock', (i) => ({ seqno: 100 + i })],
  ['v3.transactionsByMessage', (i) => ({ msg_hash: hash(`message${MIDDLE + i}`) })],
  ['v3.adjacentTransactions', (i) => ({ hash: hash(`tx${MIDDLE + 3 * i}`) })],
  ['v3.messages', firstPage],
  ['v3.messages', (i) => ({ destination: account(i + 1) })],
  ['v3.accountStates', (i) => ({ address: account(i + 1) })],
  ['v3.walletStates', (i) => ({ address: account(i + 1) })],
  ['v3.addressBook', (i) => ({ address: account(i + 1) })],
  ['v3.topAccountsByBalance', firstPage],
  ['v3.traces', firstPage],
  ['v3.traces', (i) => ({ account: account(i + 1) })],
  ['v3.actions', firstPage],
  ['v3.actions', (i) => ({ account: account(i + 1) })],
  ['v3.actions', (i) => ({ tx_hash: hash(`tx${MIDDLE + 3 * i}`) })],
]

/** What an answer costs beyond 0.3 ms, in times of its statements. */
const line = ([name, params]: (typeof LISTS)[number]): Bench => ({
  name: `${name} ${Object.keys(params(0)).join(' ')}`.trimEnd(),
  target: { atMost: 2, unit: 'times its statements, beside 0.3 ms' },
  async measure() {
    const index = await filled()
    const ours: number[] = []
    const bare: number[] = []
    for (let i = 0; i < 300; i++) {
      const statements = await index.statements(name, params(i))
      const [a, b] = [() => index.ask(name, params(i)), () => index.replay(statements)]
      const [first, second] = i % 2 ? [a, b] : [b, a]
      const [x, y] = [await timed(first), await timed(second)]
      if (i < 50) continue
      ours.push(i % 2 ? x : y)
      bare.push(i % 2 ? y : x)
    }
    const [a, b] = [p50(ours), p50(bare)]
    return { ours: a, yardstick: b, ratio: Math.max(0, a - 0.3) / b, unit: 'ms' }
  },
})

/** The longest time that the event loop stands still while a page is made; the median of pages, as a busy machine takes its own pauses. */
const stall = (what: string, method: string): Bench => ({
  name: `v3 page of 1,000 ${what}: longest stall of the event loop, at the median page`,
  target: { atMost: 50, unit: 'ms' },
  async measure() {
    const index = await filled()
    const worst: number[] = []
    const whole: number[] = []
    for (let i = 0; i < 20; i++) {
      let longest = 0
      let last = performance.now()
      let going = true
      const beat = (): void => {
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
        if (going) setImmediate(beat)
      }
      setImmediate(beat)
      whole.push(await timed(() => index.ask(method, { limit: 1000, end_lt: String((15_000 - 100 * i) * 1_000_000) })))
      going = false
      await new Promise((resolve) => setImmediate(resolve))
      if (i >= 5) worst.push(longest)
    }
    const stalled = p50(worst)
    return { ours: stalled, yardstick: p50(whole), ratio: stalled, unit: 'ms' }
  },
})
const STALLS = [stall('transactions with messages', 'v3.transactions'), stall('traces', 'v3.traces')]

/** A page deep in the list against the first one. */
const deep = (method: string): Bench => ({
  name: `${method} cursor page at depth 100,000 against the first page`,
  target: { atMost: 1.2, unit: 'times' },
  async measure() {
    const index = await filled()
    let cursor = ''
    for (let at = 0; at < 100; at++) {
      const outcome = await index.ask(method, { limit: 1000, cursor })
      cursor = (JSON.parse(outcome.json) as { next_cursor: string }).next_cursor
    }
    const first: number[] = []
    const far: number[] = []
    for (let i = 0; i < 600; i++) {
      // A bound above every lt makes each first page another question; behind the far page comes the next one.
      const page = async (params: object): Promise<string> =>
        (JSON.parse((await index.ask(method, params)).json) as { next_cursor: string }).next_cursor
      const a = () => page({ cursor: '', end_lt: String(10n ** 15n + BigInt(i)) })
      const b = async () => {
        cursor = await page({ cursor })
      }
      const [x, y] = i % 2 ? [await timed(a), await timed(b)] : [await timed(b), await timed(a)]
      if (i < 100) continue
      first.push(i % 2 ? x : y)
      far.push(i % 2 ? y : x)
    }
    const [a, b] = [p50(far), p50(first)]
    return { ours: a, yardstick: b, ratio: a / b, unit: 'ms' }
  },
})

const BLOCKS = 199

/** The recorded blocks, a masterchain block every so many milliseconds. */
const paced = (pace: number): LiteServer => {
  const source = createReplaySource(BLOCKS)
  const masters = source.store.index.filter((row) => row.workchain === -1).sort((a, b) => a.seqno - b.seqno)
  return {
    query: source.query,
    async *heads(signal) {
      for (const row of masters) {
        yield { id: source.store.idOf(row), utime: row.gen_utime, epoch: 0 }
        await new Promise((resolve) => setTimeout(resolve, pace))
        if (signal.aborted) return
      }
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
  }
}

/** Questions of all kinds, as many as are asked in a second. */
const MIX = LISTS.filter(([name]) => name !== 'v3.topAccountsByBalance')
const RATE = 200

/** 99th percentile of what questions take that come at a steady rate, counted from when each was due. */
const served = async (seconds: number): Promise<number> => {
  const { ask } = await filled()
  const taken: number[] = []
  const open: Promise<unknown>[] = []
  const start = performance.now()
  for (let i = 0; i < seconds * RATE; i++) {
    const due = start + (i * 1000) / RATE
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const [name, params] = MIX[i % MIX.length]!
    open.push(ask(name, params(i)).then(() => taken.push(performance.now() - due)))
  }
  await Promise.all(open)
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)]!
}

/** Real blocks followed in the same process and the same PostgreSQL, at ten masterchain blocks a second: four times the pace of TON. */
const mixed: Bench = {
  name: `v3 p99 of ${RATE} requests/s while real blocks are indexed (10 masterchain blocks/s) against idle`,
  target: { atMost: 3, unit: 'times' },
  async measure() {
    const index = await filled()
    await served(4)
    const idle: number[] = []
    const busy: number[] = []
    for (let round = 0; round < 3; round++) {
      idle.push(await served(8))
      const indexer = startIndexer(paced(100), await index.another())
      try {
        // The start state is read first; what is measured is following.
        await indexer.reached(10, AbortSignal.timeout(30_000))
        busy.push(await served(8))
        if (indexer.status().seqno < 30) throw new Error('too little is indexed')
      } finally {
        await indexer.close()
      }
    }
    const [a, b] = [p50(busy), p50(idle)]
    return { ours: a, yardstick: b, ratio: a / b, unit: 'ms' }
  },
}

export const benches: readonly Bench[] = [...LISTS.map(line), ...STALLS, deep('v3.transactions'), deep('v3.actions'), mixed]
