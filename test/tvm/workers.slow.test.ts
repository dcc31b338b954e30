import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPool, type Pool } from '../../server/tvm/pool.ts'
import type { MakeMessage } from '../../server/tvm/threads.ts'
import type { TvmError } from '../../server/tvm/tvm.ts'
import { sleep, until } from '../kit/wait.ts'

/* Threads that misbehave on purpose: what the real worker cannot be made to do at will. */

const open: Pool[] = []
afterAll(() => Promise.all(open.map((pool) => pool.close())))

const { signal } = new AbortController()
const OWNER = { client: '', contract: '' }
const start = (script: string, workers = 1, deadlineMs = 400, idleMs?: number, startMs?: number): Pool => {
  const pool = createPool({
    workers,
    maxQueue: 10,
    deadlineMs,
    idleMs,
    startMs,
    workerUrl: new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${script}`)}`),
  })
  open.push(pool)
  return pool
}
const job =
  (methodId: number): MakeMessage =>
  async (id) => ({ id, job: { type: 'get-method', request: { methodId } as never }, configId: '' })
const kindOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error as TvmError).kind,
  )

const READY = `parentPort.postMessage({ type: 'ready' });`
const ANSWER = `parentPort.postMessage({ type: 'get-method', id: m.id, result: {} })`

describe('a worker', () => {
  it('a worker that exits, throws or runs out of memory fails its job alone', async () => {
    const pool = start(`${READY} parentPort.on('message', (m) => {
      const n = m.job.request.methodId
      if (n === 1) process.exit(3)
      if (n === 2) throw new Error('broken')
      if (n === 3) { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) }
      ${ANSWER}
    })`)
    for (const n of [1, 2, 3]) {
      const jobs = [
        kindOf(pool.run(job(0), 'normal', OWNER, signal)),
        kindOf(pool.run(job(n), 'normal', OWNER, signal)),
        kindOf(pool.run(job(0), 'normal', OWNER, signal)),
      ]
      expect(await Promise.all(jobs)).toEqual(['answered', n === 3 ? expect.stringMatching(/crashed|timeout/) : 'crashed', 'answered'])
    }
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0, replaced: 3 })
  })

  it('a worker that waits for the processor is not ended by the clock, and one that computes without end is', async () => {
    const pool = start(
      `import { readlinkSync } from 'node:fs'
      const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1)); parentPort.postMessage({ type: 'ready', thread })
      parentPort.on('message', (m) => {
        if (m.job.request.methodId === 1) for (;;);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
        ${ANSWER}
      })`,
      1,
      200,
    )
    expect(await kindOf(pool.run(job(0), 'normal', OWNER, signal))).toBe('answered')
    expect(await kindOf(pool.run(job(1), 'normal', OWNER, signal))).toBe('timeout')
  })

  it('a worker starts with the first job, others when all are busy, up to the number that is allowed', async () => {
    const started: number[] = []
    const told = new BroadcastChannel('tonway-test-workers')
    told.onmessage = () => void started.push(started.length)
    const pool = start(
      `new BroadcastChannel('tonway-test-workers').postMessage('started'); ${READY}
      parentPort.on('message', (m) => setTimeout(() => { ${ANSWER} }, m.job.request.methodId))`,
      3,
      60_000,
    )
    const run = (ms: number) => kindOf(pool.run(job(ms), 'normal', OWNER, signal))
    expect(started).toEqual([])
    expect(await run(0)).toBe('answered')
    await until(() => started.length === 1)
    for (let i = 0; i < 5; i++) expect(await run(0)).toBe('answered')
    expect(started.length).toBe(1)
    await until(async () => {
      expect(await Promise.all([20, 20, 20, 20].map(run))).toEqual(['answered', 'answered', 'answered', 'answered'])
      return started.length === 3
    })
    told.close()
    expect(pool.stats()).toEqual({ workers: 3, busy: 0, queued: 0, replaced: 0 })
  })

  it('a worker without a job ends after a while, and the next job starts another one', async () => {
    const started: string[] = []
    const told = new BroadcastChannel('tonway-test-idle-workers')
    told.onmessage = () => void started.push('started')
    const pool = start(
      `new BroadcastChannel('tonway-test-idle-workers').postMessage('started'); ${READY}
      let count = 0
      parentPort.on('message', (m) => setTimeout(() => { parentPort.postMessage({ type: 'get-method', id: m.id, result: { count: ++count } }) }, m.job.request.methodId))`,
      1,
      60_000,
      300,
    )
    // How many jobs the worker that answers has had.
    const run = async (ms: number) =>
      ((await pool.run(job(ms), 'normal', OWNER, signal)) as unknown as { result: { count: number } }).result.count
    // A job may take longer than the time that a worker without one has.
    expect(await run(700)).toBe(1)
    // Until then the worker that is there is used; on a slow machine it may have ended between two of these.
    await until(async () => {
      const before = await run(0)
      return (await run(0)) === before + 1
    })
    await until(async () => {
      await sleep(600)
      return (await run(0)) === 1
    })
    await until(() => started.length >= 2)
    told.close()
    expect(pool.stats()).toEqual({ workers: 1, busy: 0, queued: 0, replaced: 0 })
  })

  it('a worker that does not start is tried again a few times, then what waits is refused', async () => {
    const pool = start(`throw new Error('no such thing')`, 2)
    const waiting = kindOf(pool.run(job(0), 'normal', OWNER, signal))
    expect(await waiting).toBe('overloaded')
    expect(await kindOf(pool.run(job(0), 'normal', OWNER, signal))).toBe('overloaded')
  }, 120_000)

  it('workers that could not be started are started for a later job', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-workers-'))
    const full = join(folder, 'full')
    const pool = start(
      `import { existsSync } from 'node:fs'
      if (existsSync(${JSON.stringify(full)})) throw new Error('no room for a thread')
      ${READY} parentPort.on('message', (m) => { ${ANSWER} })`,
      1,
      60_000,
      50,
    )
    const run = () => kindOf(pool.run(job(0), 'normal', OWNER, signal))
    expect(await run()).toBe('answered')
    writeFileSync(full, '')
    await until(async () => {
      // The worker that is there ends when it has had no job for a while.
      await sleep(200)
      return (await run()) === 'overloaded'
    })
    rmSync(full)
    expect(await run()).toBe('answered')
    rmSync(folder, { recursive: true })
  })

  it('a worker that fails or hangs at its start is replaced, and its job is done', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-workers-'))
    const pool = start(
      `import { existsSync, writeFileSync } from 'node:fs'
      const first = !existsSync(${JSON.stringify(join(folder, '1'))})
      const second = !first && !existsSync(${JSON.stringify(join(folder, '2'))})
      if (first) writeFileSync(${JSON.stringify(join(folder, '1'))}, '')
      if (second) writeFileSync(${JSON.stringify(join(folder, '2'))}, '')
      if (first) throw new Error('no room for a thread')
      parentPort.on('message', (m) => { ${ANSWER} })
      if (!second) { ${READY} }`,
      1,
      60_000,
      undefined,
      2_000,
    )
    expect(await kindOf(pool.run(job(0), 'normal', OWNER, signal))).toBe('answered')
    expect(pool.stats().replaced).toBeGreaterThanOrEqual(2)
    rmSync(folder, { recursive: true })
  })

  it('a worker whose job could not be sent ends when it is idle, as any other', async () => {
    const pool = start(
      `${READY} let count = 0
      parentPort.on('message', (m) => parentPort.postMessage({ type: 'get-method', id: m.id, result: { count: ++count } }))`,
      1,
      60_000,
      100,
    )
    expect(await pool.run(job(0), 'normal', OWNER, signal)).toMatchObject({ result: { count: 1 } })
    const unsent: MakeMessage = async (id) => ({ id, job: { type: 'get-method', request: (() => {}) as never }, configId: '' })
    await expect(pool.run(unsent, 'normal', OWNER, signal)).rejects.toThrow('could not be cloned')
    await expect(pool.run(() => Promise.reject(new Error('not packed')), 'normal', OWNER, signal)).rejects.toThrow('not packed')
    await sleep(600)
    // Another worker.
    expect(await pool.run(job(0), 'normal', OWNER, signal)).toMatchObject({ result: { count: 1 } })
  })

  it('a worker takes urgent jobs first', async () => {
    const pool = start(`${READY} parentPort.on('message', (m) => setTimeout(() => { ${ANSWER} }, 5))`)
    await pool.run(job(0), 'normal', OWNER, signal)
    const order: string[] = []
    const run = (name: string, lane: 'urgent' | 'normal') => pool.run(job(0), lane, OWNER, signal).then(() => order.push(name))
    await Promise.all([run('first', 'normal'), run('second', 'normal'), run('third', 'normal'), run('block', 'urgent')])
    expect(order).toEqual(['first', 'block', 'second', 'third'])
  })
})
