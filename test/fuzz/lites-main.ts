import { systemClock } from '../../server/base/clock.ts'
import { silentLog } from '../../server/base/log.ts'
import { createLocalChain } from '../../server/chain/local/create.ts'
import { createTvm } from '../../server/tvm/create.ts'
import { BEHAVIOURS, createGrid, SILENT } from '../chain/lite/grid.ts'

const TRANSFERS = 4
/** Pools at a time. */
const AT_ONCE = 8

/** Every behaviour of lying lite-servers, every kind of read, in pools of so many servers of which one is honest (none if it is alone). Resolves with how many failed. */
export const fuzzLites = async (servers: number): Promise<number> => {
  const { signal } = new AbortController()
  const tvm = createTvm({ workers: 1 })
  const local = await createLocalChain({ blockTimeMs: 0, globalId: -3 }, { tvm, log: silentLog, clock: systemClock })
  for (let i = 0; i < TRANSFERS; i += 1) await local.control.fund(local.control.wallets()[0]!.address, 1_000_000_000n, signal)
  await local.control.mine(2, signal)
  const { kinds, run } = await createGrid(local)
  const behaviours = [...BEHAVIOURS, ...SILENT]
  console.log(`lite-servers: ${behaviours.length} behaviours, ${kinds.length} kinds of reads, pools of ${servers}`)
  const jobs = [...behaviours]
  const wrong: string[] = []
  const total = behaviours.length * kinds.length
  const work = async (): Promise<void> => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) wrong.push(...(await run(job, servers)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await local.close()
  await tvm.close()
  for (const line of wrong.slice(0, 20)) console.log(`FAILED ${line}`)
  console.log(`${total - wrong.length} passed, ${wrong.length} failed`)
  return wrong.length
}
