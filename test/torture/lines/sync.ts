import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../kit/random.ts'
import { call } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createSpender, setUpWallets } from '../load.ts'
import { createStation } from '../station.ts'

/*
 * What the chain has written reaches the disk. A killed process loses nothing that the system has, so only the calls of the system show it: strace tells each time that
 * the chain's log is brought to the disk.
 */

/** Milliseconds after which what was acknowledged has to be on the disk. The service does it every second. */
const SOON = 10_000

const open = async (random: Random): Promise<Scene> => {
  const station = createStation({ settings: ['--index', 'off', '--block-time', '0', '--liteserver-port', 'off'] })
  let tracer: ChildProcess | undefined
  const close = async (): Promise<void> => {
    tracer?.kill('SIGKILL')
    await station.close()
  }
  try {
    const url = await station.start()
    await setUpWallets(url)
    const file = join(station.dataDir, '../calls')
    rmSync(file, { force: true })
    const strace = spawn('strace', ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(station.pid())], {
      stdio: 'ignore',
    })
    tracer = strace
    await once(strace, 'spawn')
    await until(() => existsSync(file), 20)
    /** How often the log was brought to the disk. */
    const syncs = (): number => readFileSync(file, 'utf8').match(/(?:fsync|fdatasync)\(\d+<[^>]*chain\.log>/g)?.length ?? 0
    const spend = createSpender(createLedger(), random, 0)
    return {
      async round() {
        await spend(url)
        const before = syncs()
        const end = performance.now() + SOON
        while (syncs() <= before) {
          if (performance.now() > end) throw new Error(`a message was accepted, and its log was not brought to the disk within ${SOON} ms`)
          await sleep(20)
        }
      },
      async finish() {
        await call(url, 'local.mine', { count: 1 })
        // A signal that reaches the service while strace leaves it can be lost, so strace ends first.
        const left = once(strace, 'exit')
        strace.kill('SIGINT')
        await left
        await station.stop()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const canTrace = (): boolean => spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', 'true']).status === 0

export const SYNC: Line = {
  what: 'what was accepted is brought to the disk',
  perScene: 20,
  quick: 1,
  total: 50,
  missing: process.platform === 'linux' && canTrace() ? undefined : 'no strace here (apt-get install strace), or it may not trace',
  open,
}
