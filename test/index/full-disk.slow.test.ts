import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { migrate } from '../../server/store/migrate.ts'
import type { Store } from '../../server/store/store.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { openOwnStore } from '../kit/index/own-store.ts'
import { sleep } from '../kit/wait.ts'
import { differences, dump, indexUpTo, startIndexer } from './kit.ts'

/* The database's disk runs full in the midst of indexing: a small file system in memory, filled up but for a little. */

const LAST = 199
const dir = mkdtempSync(join(tmpdir(), 'tonway-test-disk-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=711', 'tonway-test', dir]).status === 0

describe.skipIf(!mounted)(`a full disk${mounted ? '' : ' (skipped: no file system can be mounted here)'}`, () => {
  afterAll(() => {
    if (mounted) spawnSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  })
  const ballast = join(dir, 'ballast')
  const free = (): number => {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  }
  /** Leaves so many bytes. */
  const fill = (left: number): void => {
    rmSync(ballast, { force: true })
    if (Number.isFinite(left)) writeFileSync(ballast, Buffer.alloc(Math.max(0, free() - left)))
  }

  it(
    'on a full disk the index stops, says why, and goes on when there is room again; the tables equal those of an undisturbed run',
    { timeout: 300_000 },
    async () => {
      const signal = AbortSignal.timeout(290_000)
      const source = createReplaySource(LAST)
      const told: string[] = []
      let reached = -1
      for (const left of [100_000, 1_000_000, 3_000_000, Number.POSITIVE_INFINITY]) {
        // A server whose log of writes has no room ends itself: it is started again, as the service does it.
        fill(Number.POSITIVE_INFINITY)
        const store: Store = await openOwnStore({ dataDir: dir })
        try {
          fill(left)
          let lost = false
          store.lost.then(() => {
            lost = true
          })
          const indexer = startIndexer(source, store.connection, { topics: [] })
          while (indexer.status().error === '' && indexer.status().seqno < LAST && !lost) {
            signal.throwIfAborted()
            await sleep(5)
          }
          if (lost || indexer.status().error !== '') told.push(lost ? 'the server ended' : indexer.status().error)
          await indexer.close()
          reached = indexer.status().seqno
        } finally {
          fill(Number.POSITIVE_INFINITY)
          await store.close()
        }
      }
      // With least room it cannot but fail; how often it does after that depends on how far it came.
      expect(told.length).toBeGreaterThan(0)
      for (const text of told) expect(text).toMatch(/No space left|the server ended|Connection terminated/)
      expect(reached).toBe(LAST)

      const store = await openOwnStore({ dataDir: dir })
      try {
        await store.rows({ compile: () => ({ sql: 'create database fresh', parameters: [] }) as never }, signal)
        const fresh = { ...store.connection, database: 'fresh' }
        await migrate(fresh)
        await indexUpTo(source, fresh, LAST, { topics: [] })
        expect(differences(await dump(store.connection, []), await dump(fresh, []))).toEqual([])
      } finally {
        await store.close()
      }
    },
  )
})
