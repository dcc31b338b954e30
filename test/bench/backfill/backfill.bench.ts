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
 * `tonway backfill`: processor time of a transaction, of the processes that index and of PostgreSQL. The chain is a service of its own, whose time is not counted. The
 * time that the processes take to start is taken off: a backfill goes on for hours.
 */

const ACCOUNTS = 1_000
const BLOCKS = 600
/** Transfers of a masterchain block. */
const AT_ONCE = 20
/** Ranges of a backfill. */
const RANGES = 4
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

type Work = (env: Record<string, string>) => Promise<unknown>

/** Processor time of a transaction in microseconds. `idle`: the same processes with nothing to do. */
const costOf = async (server: TestServer, work: Work, idle: Work): Promise<number> => {
  const database: ClientConfig = await server.database()
  const env = { DATABASE_URL: urlOf(database) }
  const spent = async (each: Work): Promise<number> => {
    const before = endedTime() + serverTime(server.pid)
    await each(env)
    return endedTime() + serverTime(server.pid) - before
  }
  const [whole, start] = [await spent(work), await spent(idle)]
  const [row] = await server.run<{ count: string }>(database, 'select count(*) from transactions')
  return ((whole - start) * 1000) / Number(row!.count)
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
      const index: Work = (env) => run(['index', '--from', '1', '--to', String(to)], { ...network, ...env }, folder)
      const backfill: Work = (env) =>
        run(['backfill', '--to', String(to), '--blocks', String(Math.ceil(to / RANGES))], { ...network, ...env }, folder)
      const two: Work = (env) => Promise.all([backfill(env), backfill(env)])
      const one = against === 'index' ? index : backfill
      const costs: (readonly [number, number])[] = []
      for (let round = 0; round < ROUNDS; round++) costs.push([await costOf(server, two, two), await costOf(server, one, one)])
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
