import type { ClientConfig } from 'pg'
import type { LiteAnswer, LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { builder } from '../../server/store/postgres/reader.ts'
import { columnNames, type Table } from '../../server/store/schema/table.ts'
import { CHAIN_TABLES } from '../../server/store/schema/tables.ts'
import { dump, indexUpTo, startIndexer } from '../index/kit.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { copyLines } from '../kit/index/copy-lines.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { openOwnStore } from '../kit/index/own-store.ts'
import { createRecordedSource } from '../kit/index/recorded-source.ts'
import { startTonway } from '../kit/service/tonway.ts'
import type { Bench } from './bench.ts'
import { openRecorded } from './recorded-session.ts'

/* The index against bare COPY of the very rows that it makes, and figures of its own. */

const LAST = 199
const PAIRS = 9
/** 200 masterchain blocks are a moment of a backfill: it goes on for hours, and does not wait for V8's compiler. */
const WARM_UPS = 20

/** The recorded blocks from memory: no proofs are made, so that only the index is measured. */
export const fromMemory = async (step: boolean): Promise<LiteServer> => {
  const replay = createReplaySource(LAST)
  const signal = new AbortController().signal
  const ids = new Map<number, LiteAnswer<'lookupBlock'>>()
  const blocks = new Map<string, LiteAnswer<'getBlock'>>()
  const keyOf = (rootHash: Uint8Array): string => Buffer.from(rootHash).toString('latin1')
  for (const row of replay.store.index) {
    const id = replay.store.idOf(row)
    blocks.set(keyOf(id.rootHash), await replay.query('getBlock', { id }, signal))
    if (row.workchain === -1) ids.set(row.seqno, { id, mode: 0, headerProof: new Uint8Array(0) })
  }
  const master = replay.store.index.filter((row) => row.workchain === -1).sort((a, b) => a.seqno - b.seqno)
  return {
    async query<F extends LiteFunction>(fn: F, args: never, caller: AbortSignal): Promise<LiteAnswer<F>> {
      const given = args as { id: { seqno: number; rootHash: Uint8Array } }
      if (fn === 'lookupBlock') return ids.get(given.id.seqno) as LiteAnswer<F>
      if (fn === 'getBlock') return blocks.get(keyOf(given.id.rootHash)) as LiteAnswer<F>
      return replay.query(fn, args, caller)
    },
    async *heads(caller) {
      for (const row of step ? master : master.slice(-1)) yield { id: replay.store.idOf(row), utime: row.gen_utime, epoch: 0 }
      if (!caller.aborted) await new Promise<void>((resolve) => caller.addEventListener('abort', () => resolve(), { once: true }))
    },
  }
}

type Rows = Readonly<Record<string, readonly string[]>>

/** Columns of a table, of a topic's too. */
const columnsOf = (table: string): readonly string[] => {
  const all: readonly Table[] = [...CHAIN_TABLES, ...TOPICS.flatMap(({ tables }) => tables)]
  return columnNames(all.find(({ name }) => name === table)!)
}

/** Copies rows as they are, in one SQL transaction for each of `groups`. */
const copyRows = async (database: ClientConfig, groups: readonly Rows[]): Promise<void> => {
  const connection = await connect(database)
  for (const group of groups) {
    await connection.query('begin')
    for (const [table, lines] of Object.entries(group)) await copyLines(connection, `${table} (${columnsOf(table).join(', ')})`, lines)
    await connection.query('commit')
  }
  await connection.close()
}

/** Rows by the masterchain block that brings them; accounts and traces by the last that changes them. */
const byBlock = (rows: Rows): readonly Rows[] => {
  const groups: Record<string, string[]>[] = Array.from({ length: LAST + 1 }, () => ({}))
  const seqnoOf = new Map<string, number>()
  const at = (table: string, name: string): number => columnsOf(table).indexOf(name)
  for (const row of rows['transactions']!)
    seqnoOf.set(row.split('\t')[at('transactions', 'hash')]!, Number(row.split('\t')[at('transactions', 'mc_seqno')]))
  for (const [table, lines] of Object.entries(rows)) {
    const column = table === 'traces' ? at(table, 'mc_seqno_end') : at(table, 'mc_seqno')
    for (const row of lines) {
      const columns = row.split('\t')
      const seqno = table === 'tx_by_hash' ? seqnoOf.get(columns[0]!)! : Number(columns[column])
      const group = groups[seqno]!
      group[table] ??= []
      group[table].push(row)
    }
  }
  return groups
}

const against =
  (step: boolean): NonNullable<Bench['setup']> =>
  async () => {
    const server = await startTestServer()
    const source = await fromMemory(step)
    const first = await server.database()
    await indexUpTo(source, first, LAST)
    const { index_checkpoint: _, ...rows } = await dump(first)
    const groups = step ? byBlock(rows) : [rows]
    // Made beforehand: what is timed is the writing.
    const fresh: ClientConfig[] = []
    for (let i = 0; i < 2 * (PAIRS + WARM_UPS); i++) fresh.push(await server.database())
    return {
      ours: () => indexUpTo(source, fresh.pop()!, LAST),
      yardstick: () => copyRows(fresh.pop()!, groups),
      close: () => server.close(),
    }
  }

/** Blocks with what people do, indexed with actions and without them. */
const withActions: NonNullable<Bench['setup']> = async () => {
  const server = await startTestServer()
  const tvm = createTestTvm({ workers: 1 })
  const recorded = await createRecordedSource(new AbortController().signal)
  const sides = { ours: TOPICS, yardstick: TOPICS.filter(({ name }) => name !== 'actions') }
  let session: Awaited<ReturnType<typeof openRecorded>> | undefined
  return {
    async ready(side) {
      await session?.close()
      session = await openRecorded(recorded, await server.database(), sides[side], tvm)
    },
    ours: () => session!.run(),
    yardstick: () => session!.run(),
    async close() {
      await session?.close()
      await server.close()
      await tvm.close()
    },
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Bytes a transaction with two messages takes, all indexes included, on a filled database. */
const size: NonNullable<Bench['measure']> = async () => {
  const count = 150_000
  const server: TestServer = await startTestServer()
  try {
    const database = await server.database()
    await fill(server, database, count)
    const [row] = await server.run<{ size: string }>(
      database,
      `select sum(pg_total_relation_size(name::regclass)) as size from unnest('{${CHAIN_TABLES.map(({ name }) => name).join(',')}}'::text[]) as name`,
    )
    const ours = Number(row?.size) / count
    return { ours, yardstick: 2_700, ratio: ours, unit: 'bytes' }
  } finally {
    await server.close()
  }
}

/** From the chain's own answer that a block holds a transfer to the moment that v3's readers see it. */
const visible: NonNullable<Bench['measure']> = async () => {
  const tonway = await startTonway({ index: true, blockTime: 0 })
  try {
    const { control, index } = tonway.app.network
    const signal = AbortSignal.timeout(60_000)
    if (control === undefined || index === undefined) throw new Error('no embedded chain, or no index')
    await index.reached(1, signal)
    const [wallet] = control.wallets()
    const taken: number[] = []
    for (let i = 0; i < 60; i++) {
      const { seqno } = await control.fund(wallet!.address, 1_000_000_000n, signal)
      const start = performance.now()
      await index.reached(seqno, signal)
      if (i >= 10) taken.push(performance.now() - start)
    }
    const ours = median(taken)
    return { ours, yardstick: 20, ratio: ours, unit: 'ms' }
  } finally {
    await tonway.close()
  }
}

/** A kept database: from the start of PostgreSQL to the first row that a reader gets. */
const startUp: NonNullable<Bench['measure']> = async () => {
  const { chmodSync, mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const dataDir = mkdtempSync(join(tmpdir(), 'tonway-bench-'))
  // As root the database is another user's, who must be able to enter.
  chmodSync(dataDir, 0o711)
  try {
    const source = await fromMemory(false)
    const made = await openOwnStore({ dataDir })
    await indexUpTo(source, made.connection, LAST)
    await made.close()
    const taken: number[] = []
    for (let i = 0; i < 5; i++) {
      const start = performance.now()
      const store = await openOwnStore({ dataDir })
      const indexer = startIndexer(source, store.connection)
      await indexer.reached(LAST, AbortSignal.timeout(30_000))
      const rows = await store.rows(builder.selectFrom('blocks').selectAll().orderBy('gen_utime').limit(10), AbortSignal.timeout(5_000))
      if (rows.length !== 10) throw new Error('the blocks are gone')
      taken.push(performance.now() - start)
      await indexer.close()
      await store.close()
    }
    const ours = median(taken)
    return { ours, yardstick: 2_000, ratio: ours, unit: 'ms' }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const benches: readonly Bench[] = [
  {
    name: 'index: backfill of real blocks, BOC to committed rows, against bare COPY of the same rows',
    target: { atLeast: 0.35 },
    basis: 'wall',
    pairs: PAIRS,
    warmUps: WARM_UPS,
    collects: false,
    setup: against(false),
  },
  {
    name: 'index: following real blocks, against COPY committed at the same boundaries',
    target: { atLeast: 0.6 },
    basis: 'wall',
    pairs: PAIRS,
    warmUps: WARM_UPS,
    collects: false,
    setup: against(true),
  },
  {
    name: 'index: backfill of mainnet 56703839 and 71398501 with actions, against the same without them',
    target: { atLeast: 0.75 },
    basis: 'wall',
    pairs: PAIRS,
    warmUps: WARM_UPS,
    collects: false,
    setup: withActions,
  },
  { name: 'index: start with an existing database to the first rows', target: { atMost: 2_000, unit: 'ms' }, measure: startUp },
  { name: 'index: size on disk of a transaction with two messages', target: { atMost: 2_700, unit: 'bytes' }, measure: size },
  { name: 'index: block made by the local chain to visible, p50', target: { atMost: 20, unit: 'ms' }, measure: visible },
]
