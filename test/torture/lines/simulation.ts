import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACCESS_MIGRATIONS } from '../../../server/access/migrations.ts'
import { migrate } from '../../../server/store/migrate.ts'
import { startTestServer } from '../../kit/index/database.ts'
import type { Random } from '../../kit/random.ts'
import type { Line, Scene } from '../line.ts'
import { type Base, simulate, warmUp } from '../simulation/run.ts'

/* The whole service in this thread, with time and chance of its own and a real PostgreSQL. Each round is a simulation with a seed of its own. */

/** One round in so many is run twice, and its logs of events have to be equal. */
const TWICE = 20

/** Runs a seed, and twice again: the first run fills the caches of its chain's configurations, which outlive a process of a simulation. */
const twice = async (seed: number, base: Base): Promise<void> => {
  await simulate(seed, base)
  const [first, second] = [await simulate(seed, base), await simulate(seed, base)]
  if (first.hash === second.hash) return
  const at = first.events.findIndex((event, i) => event !== second.events[i])
  throw new Error(`seed ${seed} has two logs of events; they differ from ${at} on: ${first.events[at]} and ${second.events[at]}`)
}

const open = async (_: Random, __: boolean, first: number): Promise<Scene> => {
  const server = await startTestServer()
  const folder = mkdtempSync(join(tmpdir(), 'tonway-simulation-'))
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
  try {
    const { database: template, ...connection } = await server.database()
    await migrate({ ...connection, database: template }, ACCESS_MIGRATIONS)
    const base = { server, template, folder }
    await warmUp(base)
    let seed = first
    return {
      async round(number) {
        const own = seed++
        if (number % TWICE === 0) await twice(own, base)
        else await simulate(own, base)
      },
      finish: () => Promise.resolve(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const SIMULATION: Line = {
  what: 'the whole service in one thread: kills, lost statements, reverts and load in an order that follows from a seed',
  perScene: 250,
  quick: 2,
  total: 2_000,
  isAlone: true,
  open,
}
