import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../free-port.ts'
import { sleep } from '../wait.ts'

/** The reason why tests with Redis cannot run here; undefined if they can. */
export const redisMissing: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'no redis-server on this machine (apt-get install redis-server)'

/** A Redis of the test on a free port. The test can kill and restart it. */
export interface TestRedis {
  readonly url: string
  pid(): number
  /** Kills it, as in a crash. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export const startRedis = async (): Promise<TestRedis> => {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const dir = mkdtempSync(join(tmpdir(), 'tonway-redis-'))
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir]
    child = spawn('redis-server', args, { stdio: 'ignore' })
    const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
    probe.on('error', () => {})
    for (let left = 500; left > 0; left--) {
      try {
        await probe.connect()
        await probe.ping()
        probe.disconnect()
        return
      } catch {
        await sleep(20)
      }
    }
    throw new Error('redis-server does not answer')
  }
  const kill = async (): Promise<void> => {
    const running = child
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    url,
    pid: () => child!.pid!,
    kill,
    start,
    async close() {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
