import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../server/base/process-identity.ts'
import { configOf, settingsOf } from '../../server/start/settings.ts'
import { freePorts } from '../kit/free-port.ts'
import { projectFolder } from '../kit/project.ts'
import { ask, rpc } from '../kit/service/client.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { redisMissing, startRedis } from '../kit/service/redis.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { sleep } from '../kit/wait.ts'

/* The built service, into which a module is loaded that blocks the event loop on SIGUSR2. */

const preload = pathToFileURL(join(projectFolder, 'test/kit/service/stalling.mjs')).href

const folder = mkdtempSync(join(tmpdir(), 'tonway-stalls-'))
// Where the tests are run as root, PostgreSQL is another user.
chmodSync(folder, 0o755)
let running: Started | undefined
afterEach(async () => {
  // Workers that stand still do not see that the first process is gone, and would keep its output open.
  const workers = running?.child.pid === undefined ? [] : childrenOf(running.child.pid, 'main.js')
  running?.child.kill('SIGKILL')
  for (const worker of workers) if (isAlive(worker)) process.kill(worker, 'SIGKILL')
  await running?.ended
  running = undefined
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Seconds after which a service that may stand still for two has been ended: it is looked at once a second. */
const LONG = '4'

/** Starts a service that may stand still for two seconds of processor time. */
const start = async (env: Record<string, string>, more: readonly string[] = ['--index', 'off']) => {
  const node = `--import=${preload} ${env['NODE_OPTIONS'] ?? ''}`
  const argv = ['--port', '0', '--liteserver-port', '0', '--block-time', '0', '--stall-seconds', '2', '--log', 'error', ...more]
  running = builtService.start(argv, { env: { ...env, NODE_OPTIONS: node } })
  const { child } = running
  let out = ''
  child.stdout!.on('data', (chunk) => {
    out += chunk
  })
  const url = await running.ready
  return { url, pid: child.pid!, child, ended: running.ended, printed: () => out }
}

/** Settings of a service that follows another tonway's chain. */
const copyOf = (url: string): string[] => [
  '--network',
  'copy',
  '--global-config',
  `${url}/global.config.json`,
  '--anonymous-rps',
  'unlimited',
]

const eventsOf = (err: string): Record<string, unknown>[] =>
  err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const seqnoOf = async (url: string): Promise<number> => (await rpc<{ last: { seqno: number } }>(url, 'getMasterchainInfo', {})).last.seqno

describe('a service whose event loop stands still', { timeout: 240_000 }, () => {
  it('one process says where it stands still and ends with code 70, its PostgreSQL ends too, and the next start has its chain', async () => {
    const settings = ['--data-dir', join(folder, 'data')]
    const { url, pid, ended } = await start({ STALL: 'loop' }, settings)
    await expect.poll(async () => (await ask(`${url}/ready`)).status).toBe(200)
    await rpc(url, 'local.mine', { count: 3 })
    const before = await seqnoOf(url)
    const postgres = Number(readFileSync(join(folder, 'data/postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
    expect(isAlive(postgres)).toBe(true)
    process.kill(pid, 'SIGUSR2')
    const { code, err } = await ended
    expect(code).toBe(70)
    const [event, ...others] = eventsOf(err)
    expect(others).toEqual([])
    expect(event).toMatchObject({ level: 'error', event: 'process.stalled', processorSeconds: expect.any(Number) })
    expect((event!['stack'] as string[]).join('\n')).toMatch(/^standStill \(file:.*stalling\.mjs:\d+:\d+\)$/m)
    await expect.poll(() => isAlive(postgres)).toBe(false)
    const again = await start({}, settings)
    expect(await seqnoOf(again.url)).toBeGreaterThanOrEqual(before)
  })

  it('one process that stands still in native code is killed after a line in its log', async () => {
    const { pid, child, ended } = await start({ STALL: 'native' })
    process.kill(pid, 'SIGUSR2')
    const { err } = await ended
    expect(child.signalCode).toBe('SIGKILL')
    expect(eventsOf(err)).toMatchObject([{ event: 'process.stalled', stack: expect.stringContaining('native code') }])
  })

  it.skipIf(redisMissing !== undefined)('workers are replaced when all of them stand still', async () => {
    await using maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
    const redis = await startRedis()
    try {
      const env = { STALL: 'loop', REDIS_URL: redis.url }
      const metrics = await freePorts(2)
      const more = ['--index', 'off', '--workers', '2', '--metrics', String(metrics), ...copyOf(maker.url)]
      const { url, pid, child, ended } = await start(env, more)
      // The service is ready when the first worker serves.
      await expect.poll(() => ask(`http://127.0.0.1:${metrics + 1}/metrics`).catch(() => ({ status: 0 }))).toMatchObject({ status: 200 })
      const before = childrenOf(pid, 'main.js')
      expect(before).toHaveLength(2)
      for (const worker of before) process.kill(worker, 'SIGUSR2')
      await expect.poll(() => childrenOf(pid, 'main.js').filter((worker) => !before.includes(worker))).toHaveLength(2)
      await expect.poll(() => seqnoOf(url).catch(() => -1)).toBeGreaterThan(0)
      child.kill('SIGTERM')
      const events = eventsOf((await ended).err)
      const stalled = events.filter(({ event }) => event === 'process.stalled')
      expect(stalled.map(({ worker }) => worker).sort()).toEqual([1, 2])
      expect(events.filter(({ event }) => event === 'worker.lost')).toMatchObject([{ code: 70 }, { code: 70 }])
    } finally {
      await redis.close()
    }
  })

  it('a service whose first worker stands still while it starts ends with code 70', async () => {
    await using maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
    const argv = ['--port', '0', '--stall-seconds', '2', '--log', 'error', '--index', 'off', '--workers', '2', ...copyOf(maker.url)]
    const env = { STALL: 'loop', STALL_AT_START: '1', NODE_OPTIONS: `--import=${preload}`, REDIS_URL: 'redis://127.0.0.1:1' }
    running = builtService.start(argv, { env })
    running.ready.catch(() => {})
    const { code, err } = await running.ended
    expect(code).toBe(70)
    expect(eventsOf(err)).toMatchObject([
      { event: 'process.stalled', worker: 1 },
      { event: 'worker.lost', code: 70 },
    ])
  })

  it('time in which the process does not run does not count: SIGSTOP, and a sleep of the main thread', async () => {
    const { url, pid, printed } = await start({ STALL: 'sleep', STALL_SECONDS: LONG })
    process.kill(pid, 'SIGSTOP')
    await sleep(Number(LONG) * 1_000)
    process.kill(pid, 'SIGCONT')
    expect(await seqnoOf(url)).toBeGreaterThan(0)
    process.kill(pid, 'SIGUSR2')
    await expect.poll(printed).toContain('goes on')
    expect(await seqnoOf(url)).toBeGreaterThan(0)
  })

  it('processor time of a process that a debugger may be attached to does not count', async () => {
    const { url, pid, printed } = await start({ STALL: 'loop', STALL_SECONDS: LONG, NODE_OPTIONS: '--inspect=0' })
    process.kill(pid, 'SIGUSR2')
    await expect.poll(printed).toContain('goes on')
    expect(await seqnoOf(url)).toBeGreaterThan(0)
  })

  it('with --stall-seconds 0 a process may stand still for any time', async () => {
    const { url, pid, printed } = await start({ STALL: 'loop', STALL_SECONDS: LONG }, ['--index', 'off', '--stall-seconds', '0'])
    process.kill(pid, 'SIGUSR2')
    await expect.poll(printed).toContain('goes on')
    expect(await seqnoOf(url)).toBeGreaterThan(0)
  })
})

describe('startTonway', () => {
  it('startTonway never ends the process of its caller', () => {
    expect(configOf(settingsOf({})).stallSeconds).toBe(0)
    const options: object = { stallSeconds: 10 }
    expect(() => configOf(settingsOf({ ...options }))).toThrow(
      'startTonway: stallSeconds is for the command, because this tonway never ends the process that it runs in',
    )
  })
})
