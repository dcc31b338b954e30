import type { Random } from '../../kit/random.ts'
import { CallError, call, isUnavailable } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { BASES, type Base } from '../bases.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import {
  createFailing,
  createReader,
  createReverter,
  createSpender,
  createTokens,
  type Step,
  setUpWallets,
  untilIndexed,
  untilOver,
  WALLETS,
} from '../load.ts'
import { createReaders } from '../reading.ts'
import { createStation } from '../station.ts'

/* v3 and v2 are read without pause while the chain makes blocks, goes back, and old blocks leave the index. */

const KEEP = 60

/** Milliseconds after each step of a writer. A fast machine without them makes blocks faster than it indexes them, and the index comes to no revert in time. */
const PAUSE = 150

const slowly =
  (step: Step): Step =>
  async (url) => {
    await step(url)
    await sleep(PAUSE)
  }

const open = async (base: Base, random: Random): Promise<Scene> => {
  const settings = ['--block-time', '200ms', '--liteserver-port', 'off', '--index-keep', String(KEEP)]
  const station = createStation({ settings, env: base.env })
  const close = async (): Promise<void> => {
    await station.close()
    await base.close()
  }
  try {
    const url = await station.start()
    await setUpWallets(url)
    await untilIndexed(url)
    const tokens = await createTokens(url)
    const ledger = createLedger()
    const writers: Step[] = [
      ...WALLETS.slice(0, 2).map((_, n) => createSpender(ledger, random, n)),
      tokens.steps[0]!,
      createFailing(random),
    ].map(slowly)
    const reverter = createReverter(ledger, random, true)
    const readers = [createReader(ledger, random), ...createReaders(ledger, random, base.isCluster)]
    return {
      async round() {
        const over = new AbortController()
        // A writer can be refused what it wants to do to a block that is undone.
        const isUndone = (error: unknown): boolean => error instanceof CallError
        const working = Promise.all([
          untilOver(() => url, writers, over.signal, isUndone),
          untilOver(() => url, readers, over.signal, isUnavailable),
        ])
        let isBroken = false
        working.catch(() => {
          isBroken = true
        })
        for (let i = 0; i < 3 && !isBroken; i++) {
          await sleep(300 + random.below(700))
          await reverter(url)
        }
        await sleep(500)
        over.abort()
        await working
        await untilIndexed(url)
      },
      async finish() {
        await call(url, 'local.mine', { count: KEEP })
        await until(async () => (await call(url, 'v3.blocks', { workchain: -1, sort: 'asc', limit: 1 })).blocks[0]!.seqno > 1, 50)
        await station.verify()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const lineOf = ({ what, missing, start }: (typeof BASES)[keyof typeof BASES], quick: number): Line => ({
  what: `readers ask ${what} without pause, while blocks are made, undone and removed`,
  perScene: 10,
  quick,
  total: 50,
  missing,
  open: async (random) => open(await start(), random),
})

export const READERS: Readonly<Record<string, Line>> = {
  // The one beside a replica does the same, and more.
  readers: lineOf(BASES.plain, 0),
  replica: lineOf(BASES.replica, 1),
  citus: lineOf(BASES.citus, 1),
}
