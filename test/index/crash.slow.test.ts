import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../server/store/migrate.ts'
import type { Store } from '../../server/store/store.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { openOwnStore } from '../kit/index/own-store.ts'
import { createRandom } from '../kit/random.ts'
import { type Dump, differences, dump, indexUpTo } from './kit.ts'

/*
 * An indexer, its database with it, is killed at random moments and started again on the same directory, until it comes to its end; then its tables
 * are compared and emptied, and it begins anew.
 */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 4)
const LAST = 120
const dataDir = mkdtempSync(join(tmpdir(), 'tonway-test-'))
// Started by root, the database is another user's, who must be able to enter.
chmodSync(dataDir, 0o711)
const programs = fileURLToPath(new URL(`../../dist/index-crash-${process.pid}`, import.meta.url))

describe('kill -9 while indexing', () => {
  const children = new Set<ReturnType<typeof spawn>>()
  beforeAll(() => {
    buildSync({
      entryPoints: { child: fileURLToPath(new URL('../kit/index/index-child.ts', import.meta.url)) },
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

  const linesIn = (text: string): number => text.split('\n').length - 1

  /** Runs the indexer, killed so many milliseconds after it has said so many lines; how many it said, and whether it came to its end. */
  const round = (lines: number, ms: number): Promise<{ readonly lines: number; readonly done: boolean }> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(programs, 'child.js'), dataDir, String(LAST)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.add(child)
      let said = ''
      let complaints = ''
      child.stdout.on('data', (chunk) => {
        const before = linesIn(said)
        said += chunk
        if (before < lines && linesIn(said) >= lines) setTimeout(() => child.kill('SIGKILL'), ms)
      })
      child.stderr.on('data', (chunk) => {
        complaints += chunk
      })
      child.on('exit', (code, signal) => {
        children.delete(child)
        if (signal === null && code !== 0) reject(new Error(`the indexer ended with ${code}: ${complaints}`))
        else resolve({ lines: linesIn(said), done: said.includes('done') })
      })
    })

  it(`after ${ROUNDS} kills the tables equal those of an undisturbed run`, { timeout: 120_000 + ROUNDS * 10_000 }, async () => {
    let undisturbed: Dump | undefined
    /** What was killed on its way has left, once it came to its end. */
    const compare = async (): Promise<void> => {
      const store: Store = await openOwnStore({ dataDir })
      try {
        const disturbed = await dump(store.connection)
        const run = (sql: string) => store.rows({ compile: () => ({ sql, parameters: [] }) as never }, AbortSignal.timeout(60_000))
        if (undisturbed === undefined) {
          await run('create database fresh')
          const fresh = { ...store.connection, database: 'fresh' }
          await migrate(fresh)
          await indexUpTo(createReplaySource(LAST), fresh, LAST)
          undisturbed = await dump(fresh)
          expect(undisturbed.transactions.length).toBeGreaterThan(100)
        }
        expect(differences(disturbed, undisturbed)).toEqual([])
        await run(`truncate ${Object.keys(disturbed).join(', ')}, published_head`)
      } finally {
        await store.close()
      }
    }
    const random = createRandom(11)
    let kills = 0
    /** Those of an indexer that had got on since its start. */
    let amid = 0
    while (kills < ROUNDS) {
      // At its very start, in the midst of a group of blocks, or, mostly, while they are written one by one.
      const kind = random.below(6)
      const [last, ms] = kind === 0 ? [1, 350] : kind === 1 ? [2, 700] : [4 + random.below(14), 20]
      const { lines, done } = await round(last, random.below(ms))
      if (done) await compare()
      else {
        kills += 1
        // It began, told where it was, and has got on since.
        if (lines > 2) amid += 1
      }
    }
    expect(amid).toBeGreaterThanOrEqual(ROUNDS / 2)
    await round(Number.POSITIVE_INFINITY, 0)
    await compare()
  })
})
