import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mnemonicToPrivateKey } from '@ton/crypto'
import type { MethodName, ParamsIn, Result } from '../../shared/registry.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask, askAlone, rpc } from '../kit/service/client.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { startRedis } from '../kit/service/redis.ts'
import { sleep, until } from '../kit/wait.ts'

/* Several processes on one database and one Redis: a service with two workers, and another service. Both read the embedded chain of a third one over its lite-server port. */

export interface Fleet {
  /** The service with workers, and the other one. The second has another URL after a restart. `local.*` is called at the chain. */
  readonly first: string
  second(): string
  call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>>
  /** Mines until nothing is on its way. */
  settle(): Promise<void>
  faucet(): Promise<Result<'local.wallets'>['wallets'][number] & { readonly keys: Awaited<ReturnType<typeof mnemonicToPrivateKey>> }>
  /** Process ids of the workers. */
  workers(): number[]
  /** How many WebSockets each worker has. */
  sockets(): Promise<readonly number[]>
  /** Kills a worker, and waits until another one has its place. */
  killWorker(pid: number): Promise<void>
  /** Kills all workers at the same time, and waits until others have their places. */
  killWorkers(): Promise<void>
  /** Kills the second service and starts it anew. */
  killSecond(): Promise<void>
  /** The database takes no connections for a while: all present ones end. */
  withoutDatabase(milliseconds: number): Promise<void>
  close(): Promise<void>
}

/** Undefined if the service answers from its index, otherwise what it answers. */
const trouble = async (url: string): Promise<string | undefined> => {
  try {
    const { status, text } = await ask(`${url}/api/v3/masterchainInfo`, { signal: AbortSignal.timeout(10_000) })
    return status === 200 ? undefined : `${status} ${text}`
  } catch (error) {
    return String(error)
  }
}
const isReady = async (url: string): Promise<boolean> => (await trouble(url)) === undefined

/** Waits until the service answers several calls in a row. Throws with what it answers after two minutes. */
const untilReady = async (url: string): Promise<void> => {
  const end = performance.now() + 120_000
  for (;;) {
    const troubles = (await Promise.all([1, 2, 3, 4].map(() => trouble(url)))).filter((each) => each !== undefined)
    if (troubles.length === 0) return
    if (performance.now() > end) throw new Error(`the service is not ready: ${troubles.join('; ')}`)
    await sleep(50)
  }
}

const kill = async ({ child, ended }: Started): Promise<void> => {
  child.kill('SIGKILL')
  await ended
}

export const startFleet = async (): Promise<Fleet> => {
  const [server, folder]: [TestServer, string] = await Promise.all([startTestServer(), mkdtemp(join(tmpdir(), 'tonway-fleet-'))])
  await chmod(folder, 0o755)
  const [database, admin] = [await server.database(), await server.database()]
  const redis = await startRedis()
  const env = { DATABASE_URL: urlOf(database), REDIS_URL: redis.url }
  const common = ['--port', '0', '--tvm-workers', '1', '--log', 'error', '--anonymous-rps', 'unlimited']
  const own = ['--data-dir', join(folder, 'data'), '--block-time', '0', '--liteserver-port', '0', '--index', 'off']
  const maker = builtService.start([...common, ...own])
  const chain = await maker.ready
  const copy = ['--network', 'copy', '--global-config', `${chain}/global.config.json`]
  const one = builtService.start([...common, ...copy, '--workers', '2'], { env })
  const first = await one.ready
  const startSecond = () => builtService.start([...common, ...copy], { env })
  await rpc(chain, 'local.mine', { count: 2 })
  await until(() => isReady(first))
  let two = startSecond()
  let second = await two.ready
  await until(() => isReady(second))
  const workers = (): number[] => childrenOf(one.child.pid!, 'main.js')
  const killAll = async (pids: readonly number[]): Promise<void> => {
    const before = new Set(workers())
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await until(() => workers().filter((each) => !before.has(each)).length >= pids.length)
    await untilReady(first)
  }
  const call: Fleet['call'] = (method, params) => rpc(method.startsWith('local.') ? chain : first, method, params as object)
  return {
    first,
    second: () => second,
    call,
    async settle() {
      await call('local.mine', { count: 4 })
    },
    async faucet() {
      const { wallets } = await call('local.wallets', {})
      const wallet = wallets.find(({ version }) => version === 'v4R2')!
      return { ...wallet, keys: await mnemonicToPrivateKey(wallet.mnemonic) }
    },
    workers,
    async sockets() {
      const found = new Map<string, number>()
      // A connection comes to any worker.
      while (found.size < 2) {
        const { text } = await askAlone(`${first}/metrics`)
        const [, worker, count] = /^tonway_sockets\{worker="(\d+)"\} (\d+)$/m.exec(text)!
        found.set(worker!, Number(count))
      }
      return [...found.values()]
    },
    killWorker: (pid) => killAll([pid]),
    killWorkers: () => killAll(workers()),
    async killSecond() {
      await kill(two)
      two = startSecond()
      second = await two.ready
      await until(() => isReady(second))
    },
    async withoutDatabase(milliseconds) {
      const { database: name } = database
      await server.run(admin, `alter database ${name} allow_connections false`)
      await server.run(admin, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      await sleep(milliseconds)
      await server.run(admin, `alter database ${name} allow_connections true`)
    },
    async close() {
      await Promise.all([kill(one), kill(two)])
      await kill(maker)
      await Promise.all([server.close(), redis.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
