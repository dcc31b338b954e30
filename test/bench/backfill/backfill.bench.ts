import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { freePort } from '../../kit/free-port.ts'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import type { Bench } from '../bench.ts'
import { type Service, startService } from '../service.ts'
import { endedTime, serverTime } from './processor-time.ts'

/*
 * `tonway backfill`: processor time of a transaction, of the processes that index and of PostgreSQL. The chain is a service of its own, whose time is not counted. A
 * backfill goes on for hours, so the time of a run over the first quarter of the chain is taken off, as is that run's number of transactions: it has the start of the
 * processes, and most of what V8 compiles in each.
 */

const ACCOUNTS = 1_000
const BLOCKS = 1_200
/** Transfers of a masterchain block. */
const AT_ONCE = 20
/** Ranges of a backfill. A quarter of the chain has one for each of two processes. */
const RANGES = 8
const ROUNDS = 2

/** A chain in a process of its own, with coins sent to accounts in turn, and its last block. */
const startChain = async (): Promise<{ readonly chain: Service; readonly to: number }> => {
  const chain = await startService({ TONWAY_INDEX: 'off', TONWAY_BLOCK_TIME: '0', TONWAY_LITESERVER_PORT: String(await freePort()) })
  for (let block = 0; block < BLOCKS; block++) {
    const calls = Array.from({ length: AT_ONCE }, (_, k) => {
      const account = ((block * AT_ONCE + k) * 7) % ACCOUNTS
      return { method: 'local.fund', params: { address: `0:${(account + 1).toString(16).padStart(64, '7')}`, amount: '100000000' } }
    })
    await chain.batch(calls)
  }
  const { last } = await chain.rpc<{ last: { seqno: number } }>('getMasterchainInfo')
  return { chain, to: last.seqno }
}

/** Runs a command of the built program, and resolves when it has ended. */
const run = async (argv: readonly string[], env: Record<string, string>, cwd: string): Promise<void> => {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/server/main.js'), ...argv], {
    cwd,
    env: { ...process.env, TONWAY_LOG: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`tonway ${argv.join(' ')} ended with ${code}`)
}

/** Indexes the blocks up to `to` into the database of `env`. */
type Work = (env: Record<string, string>, to: number) => Promise<unknown>

/** Milliseconds of processor time, and transactions, of `work` up to a block, in a database of its own. */
const spent = async (server: TestServer, work: Work, to: number): Promise<{ readonly ms: number; readonly transactions: number }> => {
  const database: ClientConfig = await server.database()
  const before = endedTime() + serverTime(server.pid)
  await work({ DATABASE_URL: urlOf(database) }, to)
  const ms = endedTime() + serverTime(server.pid) - before
  const [row] = await server.run<{ count: string }>(database, 'select count(*) from transactions')
  return { ms, transactions: Number(row!.count) }
}

/** Processor time of a transaction in microseconds, in the last three quarters of the chain. */
const costOf = async (server: TestServer, work: Work, to: number): Promise<number> => {
  const begun = await spent(server, work, Math.ceil(to / 4))
  const whole = await spent(server, work, to)
  return ((whole.ms - begun.ms) * 1000) / (whole.transactions - begun.transactions)
}

/** Two processes that derive ranges, and beside them `against`. */
const figure = (name: string, target: number, against: 'index' | 'backfill'): Bench => ({
  name,
  target: { atMost: target },
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-bench-'))
    const server = await startTestServer()
    const { chain, to } = await startChain()
    try {
      const network = { TONWAY_NETWORK: 'copy', TONWAY_GLOBAL_CONFIG: `${chain.url}/global.config.json` }
      const blocks = String(Math.ceil(to / RANGES))
      const index: Work = (env, last) => run(['index', '--from', '1', '--to', String(last)], { ...network, ...env }, folder)
      const backfill: Work = (env, last) => run(['backfill', '--to', String(last), '--blocks', blocks], { ...network, ...env }, folder)
      const two: Work = (env, last) => Promise.all([backfill(env, last), backfill(env, last)])
      const one = against === 'index' ? index : backfill
      const costs: (readonly [number, number])[] = []
      for (let round = 0; round < ROUNDS; round++) costs.push([await costOf(server, two, to), await costOf(server, one, to)])
      const [ours, yardstick] = costs.reduce(([a, b], [c, d]) => [a + c / ROUNDS, b + d / ROUNDS], [0, 0])
      return { ours, yardstick, ratio: ours / yardstick, unit: 'us cpu' }
    } finally {
      await chain.close()
      await server.close()
      rmSync(folder, { recursive: true })
    }
  },
})

export const benches: readonly Bench[] = [
  figure('backfill: processor time of a transaction, two processes against one', 1.15, 'backfill'),
  figure('backfill: processor time of a transaction, two that derive ranges against one that indexes block after block', 1.15, 'index'),
]
