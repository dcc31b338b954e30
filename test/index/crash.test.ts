import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../server/store/store.ts'
import { createRandom } from '../chain/kit.ts'
import { createReplaySource } from '../setup/replay-source.ts'
import { hasTestData, TEST_DATA } from '../setup/replay-store.ts'
import { differences, dump, indexUpTo } from './kit.ts'

/* An indexer, its database with it, is killed at random moments and started again on the same directory. */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 10)
const LAST = 120
const dataDir = mkdtempSync(join(tmpdir(), 'tonway-test-'))
// Started by root, the database is another user's, who must be able to enter.
chmodSync(dataDir, 0o711)
const programs = fileURLToPath(new URL(`../../dist/index-crash-${process.pid}`, import.meta.url))

describe.skipIf(!hasTestData)('kill -9 while indexing (skipped without TONWAY_TEST_DATA)', () => {
  const children = new Set<ReturnType<typeof spawn>>()
  beforeAll(() => {
    buildSync({
      entryPoints: { child: fileURLToPath(new URL('../setup/index-child.ts', import.meta.url)) },
      outdir: programs,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      packages: 'external',
    })
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    for (const path of [dataDir, programs]) rmSync(path, { recursive: true, force: true })
  })

  /** Runs the indexer, killed so many milliseconds after it has begun; true when it came to its end. */
  const round = (ms: number): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(programs, 'child.js'), dataDir, String(LAST)], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, TONWAY_TEST_DATA: TEST_DATA },
      })
      children.add(child)
      let said = ''
      let complaints = ''
      child.stdout.on('data', (chunk) => {
        if (said === '' && Number.isFinite(ms)) setTimeout(() => child.kill('SIGKILL'), ms)
        said += chunk
      })
      child.stderr.on('data', (chunk) => {
        complaints += chunk
      })
      child.on('exit', (code, signal) => {
        children.delete(child)
        if (signal === null && code !== 0) reject(new Error(`the indexer ended with ${code}: ${complaints}`))
        else resolve(said.includes('done'))
      })
    })

  it(`${ROUNDS} kills: the tables are those of an undisturbed run`, { timeout: 120_000 + ROUNDS * 10_000 }, async () => {
    const random = createRandom(9)
    let kills = 0
    let late = 0
    for (let i = 0; i < ROUNDS; i++) {
      if (await round(random(late > 0 ? 120 : 350))) late += 1
      else kills += 1
    }
    expect(kills).toBeGreaterThan(ROUNDS / 3)
    expect(await round(Number.POSITIVE_INFINITY)).toBe(true)
    const store: Store = await openStore({ dataDir })
    try {
      const disturbed = await dump(store.connection)
      await store.rows({ compile: () => ({ sql: 'create database fresh', parameters: [] }) as never }, AbortSignal.timeout(60_000))
      const fresh = { ...store.connection, database: 'fresh' }
      const { migrate } = await import('../../server/store/migrate.ts')
      await migrate(fresh)
      await indexUpTo(createReplaySource(LAST), fresh, LAST)
      expect(differences(disturbed, await dump(fresh))).toEqual([])
      expect(disturbed.transactions.length).toBeGreaterThan(100)
    } finally {
      await store.close()
    }
  })
})
