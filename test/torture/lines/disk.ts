import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../kit/random.ts'
import { call, isUnavailable } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createReader, createSpender, type Step, setUpWallets, untilIndexed, untilOver, WALLETS } from '../load.ts'
import { createStation } from '../station.ts'

/* The disk of the chain and of its index runs full under load: a small file system in memory, filled up but for a little. */

const SIZE = '220m'

const open = async (random: Random): Promise<Scene> => {
  const dir = mkdtempSync(join(tmpdir(), 'tonway-torture-disk-'))
  const ballast = join(dir, 'ballast')
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'tonway-torture', dir])
  if (mount.status !== 0) throw new Error(`no file system can be mounted: ${mount.stderr}`)
  chmodSync(dir, 0o711)
  /** Leaves so many bytes. */
  const fill = (left: number): void => {
    const { bavail, bsize } = statfsSync(dir)
    try {
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)))
    } catch (error) {
      // The service has taken some of it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  const empty = (): void => rmSync(ballast, { force: true })
  const station = createStation({ settings: ['--block-time', '50ms', '--liteserver-port', 'off'], within: dir })
  const ledger = createLedger()
  const close = async (): Promise<void> => {
    empty()
    await station.close()
    spawnSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const first = await station.start()
    await setUpWallets(first)
    await untilIndexed(first)
    const spenders: Step[] = WALLETS.slice(0, 4).map((_, n) => createSpender(ledger, random, n))
    /** Needs a block at once. A message that is sent again is only accepted again while no block can be made. */
    const fund: Step = async (url) => {
      await call(url, 'local.fund', { address: `0:${'7'.repeat(64)}`, amount: '1' })
      await sleep(random.below(20))
    }
    const reader = createReader(ledger, random)
    return {
      async round() {
        const over = new AbortController()
        let refused = 0
        const isExpected = (error: unknown): boolean => {
          if (!isUnavailable(error)) return false
          refused++
          return true
        }
        // PostgreSQL can have no room before the chain has none, so refusals of v3 are not counted.
        const working = Promise.all([
          untilOver(station.url, [...spenders, fund], over.signal, isExpected),
          untilOver(station.url, [reader], over.signal, isUnavailable),
        ])
        working.catch(() => {})
        await sleep(random.below(300))
        // With nothing left the chain cannot go on; with a little it fails in the midst of something.
        fill(random.pick([0, 0, 20_000, 100_000, 400_000]))
        const full = performance.now()
        while (refused === 0 && performance.now() - full < 5_000) await sleep(10)
        await sleep(random.below(500))
        if (random.chance(0.3)) {
          over.abort()
          await working
          await station.kill()
          empty()
          await station.start()
        } else {
          empty()
          await sleep(200)
          over.abort()
          await working
        }
        const url = station.url()
        // Nobody has to do anything for it to go on.
        await until(async () => (await fetch(`${url}/ready`)).status === 200, 50)
        await fund(url)
        await untilIndexed(url)
        await ledger.check(url, { index: true })
      },
      async finish() {
        await untilIndexed(station.url())
        await station.verify()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether root may mount here. */
const missing = (): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'no file system can be mounted here'
  return undefined
}

export const DISK: Line = { what: 'the disk runs full', perScene: 8, quick: 2, total: 50, missing: missing(), open }
