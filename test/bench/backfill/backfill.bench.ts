import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { freePort } from '../../kit/free-port.ts'
import { startTestServer, type TestServer, urlOf } from '../../kit/index/database.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { processorMs, type Service, startService } from '../service.ts'
import { indexedBlocks } from './indexed.ts'
import { endedTime, serverTime } from './processor-time.ts'

/*
 * `tonway backfill`: processor time of a transaction, of the processes that index and of PostgreSQL. The chain is a service of its own, whose time is not counted. A
 * backfill goes on for hours, and in its first half minute V8 compiles most of each process. So every process indexes about the same number of blocks, half of the
 * chain, and only the time of the second half of its work is taken.
 */

const ACCOUNTS = 1_000
const BLOCKS = 2_000
/** Transfers of a masterchain block. */
const AT_ONCE = 20
/** Ranges of a backfill by two processes; one alone has half of them. */
const RANGES = 8
const ROUNDS = 3
/** Milliseconds between looks at how far a run is. */
const LOOK_MS = 250

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

/** A command of the built program. */
interface Command {
  readonly pid: number
  /** Rejects if the command fails. */
  readonly ended: Promise<void>
  readonly kill: () => void
}

const begin = (argv: readonly string[], env: Record<string, string>, cwd: string): Command => {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/server/main.js'), ...argv], {
    cwd,
    env: { ...process.env, TONWAY_LOG: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`tonway ${argv.join(' ')} ended with ${code}`)
  })
  return { pid: child.pid!, ended, kill: () => void child.kill('SIGKILL') }
}

/** Starts what indexes the blocks up to `to` into the database of `env`. */
type Work = (env: Record<string, string>, to: number) => readonly Command[]

/** Waits until half of the blocks up to `to` are indexed while commands run. Undefined: they ended before. */
const middleOf = async (
  server: TestServer,
  database: ClientConfig,
  running: ReadonlySet<Command>,
  to: number,
): Promise<number | undefined> => {
  while (running.size > 0) {
    const blocks = await indexedBlocks(server, database)
    if (blocks >= to / 2) return blocks
    await sleep(LOOK_MS)
  }
  return undefined
}

/** Processor time of a transaction in microseconds, in the second half of the blocks up to `to`, in a database of its own. */
const costOf = async (server: TestServer, work: Work, to: number): Promise<number> => {
  const database: ClientConfig = await server.database()
  const commands = work({ DATABASE_URL: urlOf(database) }, to)
  const running = new Set(commands)
  const spent = (): number => endedTime() + serverTime(server.pid) + [...running].reduce((sum, { pid }) => sum + processorMs(pid), 0)
  for (const command of commands) command.ended.catch(() => {}).finally(() => running.delete(command))
  try {
    const blocks = await middleOf(server, database, running, to)
    const before = spent()
    await Promise.all(commands.map(({ ended }) => ended))
    running.clear()
    if (blocks === undefined || blocks > to * 0.9) throw new Error('the run was too short to see its middle')
    const ms = spent() - before
    const [row] = await server.run<{ count: string }>(database, 'select count(*) from transactions')
    return (ms * 1000) / (Number(row!.count) * (1 - blocks / to))
  } finally {
    for (const { kill } of running) kill()
  }
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
      const index = (env: Record<string, string>, last: number) =>
        begin(['index', '--from', '1', '--to', String(last)], { ...network, ...env }, folder)
      const backfill = (env: Record<string, string>, last: number) =>
        begin(['backfill', '--to', String(last), '--blocks', blocks], { ...network, ...env }, folder)
      const two: Work = (env, last) => [backfill(env, last), backfill(env, last)]
      const one: Work = (env, last) => [against === 'index' ? index(env, last) : backfill(env, last)]
      let [ours, yardstick] = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        ours += (await costOf(server, two, to)) / ROUNDS
        yardstick += (await costOf(server, one, Math.ceil(to / 2))) / ROUNDS
      }
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
