import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { addRows, type FilledSize } from '../../bench/filled-index.ts'
import { startService } from '../../bench/service.ts'
import { fillAssets } from '../../kit/index/filled-assets.ts'
import { createRandom } from '../../kit/random.ts'
import { type Row, recordRows } from '../../kit/results-file.ts'
import { sleep } from '../../kit/wait.ts'
import { compareAnswers } from './equal.ts'
import { goIndexOf, type Served } from './go-server.ts'
import { latencies, letRun, type Rate, rate, type Taken, untilIdle, warmUp } from './measure.ts'
import { ASSETS, questionsFor, randomQuestion } from './questions.ts'
import { copyRows } from './rows.ts'

/*
 * tonway beside TON Center's own Go API on the same rows in one PostgreSQL: equal answers for random questions, then the times of both. For development only.
 */

const USAGE = `node server/build/build.mjs index-go && node dist/test/index-go.js [equal] [latency] [rate] [--only=word]
  INDEX_GO_URL       where a running ton-index-go answers (README.md in test/live/index-go says what it must be)
  INDEX_GO_DATABASE  the PostgreSQL database that it reads; its tables are in the schema go. What is in its schema public is replaced
  INDEX_GO_PID       its process, for its processor time
  INDEX_GO_FOLDER    a folder where our chain is stored for the next run
  --only=word    only the lists with this word in their name
  --warm=1       seconds for which each list is asked before it is measured, one client; turns of \`rate\` that are not counted, for a large page three seconds
  --record       writes the rows into test/RESULTS.md
  --fill         fills the database anew; without it that of the last run is used, if there is one and INDEX_GO_FOLDER is given`

const SIZE: FilledSize = { transactions: 105_000, accounts: 10_000 }
const CLIENTS = 16
const TURNS = 3
/** Milliseconds for which several clients ask each list before any is measured. */
const WARM_MS = 700

const words = process.argv.slice(2)
const flag = (name: string): string | undefined => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const parts = words.filter((word) => !word.startsWith('--'))
const wants = (part: string): boolean => parts.length === 0 || parts.includes(part)
const only = flag('only') ?? ''
/**
 * How long each list is asked before it is measured (USAGE). The first calls compile what only that list needs. V8 compiles the rest of it again, better,
 * after thousands of calls.
 */
const warmTurns = Number(flag('warm') ?? 1)

const go = goIndexOf(process.env)
if (go === undefined) {
  console.error(USAGE)
  process.exit(2)
}
const { database } = go

const startOurs = async (blockTime: number): Promise<Served> => {
  const service = await startService({
    DATABASE_URL: database,
    TONWAY_BLOCK_TIME: String(blockTime),
    TONWAY_METADATA: 'false',
    TONWAY_DATA_DIR: dataDir,
  })
  for (let tries = 0; (await fetch(`${service.url}/api/v3/masterchainInfo`)).status !== 200; tries++) {
    if (tries > 400) throw new Error('the index does not start')
    await sleep(50)
  }
  const pid = service.child.pid!
  return { url: service.url, pids: [pid], close: service.close }
}

const kept = process.env['INDEX_GO_FOLDER']
const folder = kept ?? mkdtempSync(join(tmpdir(), 'tonway-index-go-'))
const dataDir = join(folder, 'data')

const isFilled = async (): Promise<boolean> => {
  const client = new Client(database)
  await client.connect()
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('public.transactions') is not null as found`)
  await client.end()
  return rows[0]!.found && existsSync(dataDir)
}

const fill = async (): Promise<void> => {
  rmSync(dataDir, { recursive: true, force: true })
  const admin = new Client(database)
  await admin.connect()
  await admin.query('drop schema if exists public cascade')
  await admin.query('create schema public')
  await admin.end()
  const service = await startService({ DATABASE_URL: database, TONWAY_BLOCK_TIME: '0', TONWAY_METADATA: 'false', TONWAY_DATA_DIR: dataDir })
  const blocks = SIZE.transactions / 50 + 10
  for (let mined = 0; mined < blocks; mined += 500) await service.rpc('local.mine', { count: Math.min(500, blocks - mined) })
  for (let tries = 0; ; tries++) {
    const answer = (await (await fetch(`${service.url}/api/v3/masterchainInfo`)).json()) as { last?: { seqno: number } }
    if ((answer.last?.seqno ?? 0) >= blocks) break
    if (tries > 1_200) throw new Error('the index does not follow')
    await sleep(100)
  }
  await service.close()
  const client = new Client(database)
  await client.connect()
  await addRows({ connectionString: database }, SIZE, 'each')
  const run = async <R>(_: unknown, text: string): Promise<R[]> => (await client.query(text)).rows as R[]
  await fillAssets({ run }, { connectionString: database }, ASSETS)
  await copyRows(client)
  await client.end()
}

/** Processor time is that of the server and of the database. */
const LATENCY_HEAD: Row = ['list', 'ours ms', 'Go ms', 'Go / ours', 'ours CPU ms', 'Go CPU ms', 'Go / ours, CPU']
const RATE_HEAD: Row = ['list', 'ours /s', 'Go /s', 'ours / Go', 'Go / ours, CPU']

const print = (row: Row): void => console.log(`| ${row.join(' | ')} |`)
const printHead = (head: Row): void => {
  print(head)
  console.log(`|${'---|'.repeat(head.length)}`)
}
/** Prints a row of a section, and writes it into test/RESULTS.md with --record. */
const addRow = (section: string, head: Row, row: Row): void => {
  print(row)
  if (words.includes('--record')) recordRows(section, head, [row])
}

const round = (value: number, digits = 2): string => value.toFixed(digits)
const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

try {
  if (words.includes('--fill') || kept === undefined || !(await isFilled())) await fill()
  const theirs = await go.connect()
  const questions = questionsFor(SIZE).filter(({ name }) => name.includes(only))
  const small = questions.filter(({ isLarge }) => !isLarge).map(({ path }) => path)
  let failed = false
  try {
    if (wants('equal')) {
      const ours = await startOurs(0)
      const random = createRandom(Number(flag('seed') ?? 22))
      const paths = Array.from({ length: 400 }, () => randomQuestion(random, SIZE))
      const equal = await compareAnswers(ours.url, theirs.url, paths)
      failed = equal < paths.length
      if (words.includes('--record'))
        recordRows('Equal answers beside ton-index-go', ['questions', 'equal answers'], [[`${paths.length} random ones`, String(equal)]])
      await ours.close()
    }
    const admin = new Client(database)
    await admin.connect()
    /** Processes of the database that answer one of the servers; ours has another name for those that write. */
    const backends = (condition: string) => async (): Promise<number[]> => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      )
      return rows.map(({ pid }) => pid)
    }
    const measured = (ours: Served) => [
      { ...ours, backends: backends(`application_name = 'tonway'`) },
      { ...theirs, backends: backends(`application_name not like 'tonway%'`) },
    ]
    if (wants('latency')) {
      const ours = await startOurs(1000)
      // One client takes another way through a service than many do, which share their reads.
      await warmUp(measured(ours), small, CLIENTS, WARM_MS)
      await warmUp(measured(ours), small, 1, warmTurns * 1_000)
      printHead(LATENCY_HEAD)
      const ratios: number[] = []
      const cpuRatios: number[] = []
      for (const { name, path, isLarge } of questions) {
        await untilIdle(theirs)
        const [a, b] = (await latencies(measured(ours), path, isLarge ? 20 : 200, 0)) as [Taken, Taken]
        const cpuRatio = (b.cpu + b.database) / (a.cpu + a.database)
        ratios.push(b.p50 / a.p50)
        cpuRatios.push(cpuRatio)
        const cpu = [a, b].map((taken) => `${round(taken.cpu)} + ${round(taken.database)}`)
        const row = [name, round(a.p50), round(b.p50), round(b.p50 / a.p50), ...cpu, round(cpuRatio)]
        addRow('Beside ton-index-go, one client', LATENCY_HEAD, row)
      }
      console.log(`geometric means of Go / ours: p50 ${round(geometricMean(ratios))}, processor time ${round(geometricMean(cpuRatios))}`)
      await ours.close()
    }
    if (wants('rate')) {
      const ours = await startOurs(1000)
      await warmUp(measured(ours), small, CLIENTS, WARM_MS)
      printHead(RATE_HEAD)
      const ratios: number[] = []
      for (const { name, path, isLarge } of questions) {
        const ms = isLarge ? 3_000 : 1_000
        const both = measured(ours)
        const taken: [Rate[], Rate[]] = [[], []]
        for (let turn = -warmTurns; turn < TURNS; turn++)
          for (const [i, server] of both.entries()) {
            letRun(both, server)
            const each = await rate(server, path, CLIENTS, ms, 1_000 + 50_000 * (turn + warmTurns))
            if (turn >= 0) taken[i]!.push(each)
          }
        const [a, b] = taken.map((all) => all.sort((x, y) => x.rate - y.rate)[TURNS >> 1]!) as [Rate, Rate]
        ratios.push(a.rate / b.rate)
        const row = [name, round(a.rate, 0), round(b.rate, 0), round(a.rate / b.rate), round(b.cpu / a.cpu)]
        addRow('Beside ton-index-go, 16 clients', RATE_HEAD, row)
      }
      console.log(`geometric mean of ours / Go: ${round(geometricMean(ratios))}`)
      await ours.close()
    }
    await admin.end()
  } finally {
    await theirs.close()
  }
  process.exitCode = failed ? 1 : 0
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}
