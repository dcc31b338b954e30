import { Client } from 'pg'
import type { Call } from '../../server/base/call.ts'
import { silentLog } from '../../server/base/log.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { contractsTopic } from '../../server/index/topics/contracts/detect.ts'
import { jettonsTopic } from '../../server/index/topics/jettons/topic.ts'
import { nftsTopic } from '../../server/index/topics/nfts/topic.ts'
import { builder, createReader, type Reader } from '../../server/store/postgres/reader.ts'
import { createTvm } from '../../server/tvm/create.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import type { V2 } from '../../server/v3/legacy.ts'
import { registry } from '../../shared/registry.ts'
import { indexUpTo } from '../index/kit.ts'
import { startTestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { fillAssets, keyOf } from '../kit/index/filled-assets.ts'
import type { Bench } from './bench.ts'
import { fromMemory } from './index.bench.ts'

/* Contracts: what looking into them costs the index, and lists of tokens against the statements they are made of. */

const LAST = 199
const DETECTION = [contractsTopic, jettonsTopic, nftsTopic]
const ITEMS = 100_000
const RUNS = 40

const p50 = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
const timed = async (run: () => unknown): Promise<number> => {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const open = async () => {
  const server = await startTestServer()
  const database = await server.database()
  await fill(server, database, 3_000)
  await fillAssets(server, database, 20_000)
  await server.run(
    database,
    `insert into accounts (account, mc_seqno, state_hash, status, balance, utime, last_trans_hash, last_trans_lt, first_lt, code_hash, data_hash)
     select ${keyOf("'leaf ' || i")}, 1, sha256('s'), 2, 1, 1700000000, sha256('t'), i, i, sha256('item code'), sha256(i::text::bytea) from generate_series(1, ${ITEMS}) as i`,
  )
  await server.run(
    database,
    `insert into nft_items (account, mc_seqno, last_trans_lt, init, index, collection, owner, real_owner, content, first_lt)
     select ${keyOf("'leaf ' || i")}, 1, i, true, i, ${keyOf("'collection ' || (i % 20 + 1)")}, ${keyOf("'gardener'")}, ${keyOf("'gardener'")}, '{"uri":"https://example.org/leaves/' || i || '.json"}', i
     from generate_series(1, ${ITEMS}) as i`,
  )
  await server.run(database, 'vacuum analyze')
  const addressOf = async (name: string): Promise<string> => {
    const [row] = await server.run<{ address: string }>(database, `select '0:' || encode(sha256('${name}'::bytea), 'hex') as address`)
    return row!.address
  }
  const store = createReader(database, { connections: 2, statementTimeout: 30_000 })
  const said: { readonly text: string; readonly values: unknown[] }[] = []
  const listening: Reader = {
    ...store,
    snapshot: (run, signal) =>
      store.snapshot(
        (rows) =>
          run((query, planned) => {
            const { sql, parameters } = 'compile' in query ? query.compile(builder) : query
            said.push({ text: sql, values: [...parameters] })
            return rows(query, planned)
          }),
        signal,
      ),
  }
  const dispatchOver = (reader: Reader) =>
    createDispatch({
      methods: registry,
      handlers: createV3Handlers({ reader, v2: {} as V2 }),
      head: () => undefined,
      headCache: createCache<Outcome>({ entries: 1, bytes: 1 }),
      finalCache: createCache<Outcome>({ entries: 1, bytes: 1 }),
    })
  const [plain, listened] = [dispatchOver(store), dispatchOver(listening)]
  const ask = async (dispatch: typeof plain, name: string, params: object) => {
    const call: Call = {
      signal: new AbortController().signal,
      requestId: 'bench',
      log: silentLog,
      localAllowed: false,
      network: 'local',
    }
    const outcome = await dispatch(name, params, call)
    if (!outcome.ok) throw outcome.error
    return outcome
  }
  const client = new Client(database)
  await client.connect()
  const names = new Map<string, string>()
  return {
    rich: await addressOf('owner 0'),
    gardener: await addressOf('gardener'),
    ask: (name: string, params: object) => ask(plain, name, params),
    async statements(name: string, params: object) {
      said.length = 0
      await ask(listened, name, params)
      return [...said]
    },
    async replay(statements: readonly { readonly text: string; readonly values: unknown[] }[]): Promise<void> {
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

const indexing: readonly Bench[] = [
  {
    name: 'indexing real blocks, detection on against off',
    target: { atLeast: 0.6 },
    basis: 'wall',
    async setup() {
      const server = await startTestServer()
      const source = await fromMemory(false)
      const tvm = createTvm({ workers: 2 })
      return {
        ours: async () => indexUpTo(source, await server.database(), LAST, { tvm, topics: DETECTION }),
        yardstick: async () => indexUpTo(source, await server.database(), LAST, { tvm, topics: [] }),
        async close() {
          await tvm.close()
          await server.close()
        },
      }
    },
  },
]

export const benches: readonly Bench[] = [
  ...indexing,
  {
    name: "an owner's 1,000 jetton wallets with metadata, beside 0.5 ms",
    target: { atMost: 2, unit: 'times its statements, beside 0.5 ms' },
    async measure() {
      const { rich, ask, statements, replay } = await filled()
      const params = { owner_address: rich, limit: 1000 }
      const said = await statements('v3.jetton.wallets', params)
      const ours: number[] = []
      const theirs: number[] = []
      for (let i = 0; i < RUNS + 5; i++) {
        const a = await timed(() => ask('v3.jetton.wallets', params))
        const b = await timed(() => replay(said))
        if (i < 5) continue
        ours.push(a)
        theirs.push(b)
      }
      const [mine, base] = [p50(ours), p50(theirs)]
      return { ours: mine, yardstick: base, ratio: Math.max(0, mine - 0.5) / base, unit: 'ms' }
    },
  },
  {
    name: 'an owner of 100,000 NFTs: the page at 50,000 against the first',
    target: { atMost: 1.2, unit: 'times the first page' },
    async measure() {
      const { gardener, ask } = await filled()
      const params = { owner_address: gardener, limit: 100 }
      const before = (await ask('v3.nft.items', { owner_address: gardener, limit: 1, offset: ITEMS / 2 - 1, cursor: undefined })) as {
        readonly headers?: Readonly<Record<string, string>>
      }
      const cursor = before.headers?.['X-Next-Cursor']
      if (cursor === undefined) throw new Error('no cursor')
      const first: number[] = []
      const deep: number[] = []
      for (let i = 0; i < RUNS + 5; i++) {
        const a = await timed(() => ask('v3.nft.items', params))
        const b = await timed(() => ask('v3.nft.items', { ...params, cursor }))
        if (i < 5) continue
        first.push(a)
        deep.push(b)
      }
      return { ours: p50(deep), yardstick: p50(first), ratio: p50(deep) / p50(first), unit: 'ms' }
    },
  },
]
