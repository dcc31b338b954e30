import type { Random } from '../../kit/random.ts'
import { call } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import {
  createReader,
  createReverter,
  createSpender,
  createTokens,
  type Step,
  setUpWallets,
  untilGone,
  untilIndexed,
  untilUndone,
  WALLETS,
} from '../load.ts'
import { createStation, type Station } from '../station.ts'

/* The service is killed (kill -9) while it accepts messages, indexes, prunes, or reverts. */

/** Blocks that the pruned index has. */
const KEEP = 12

interface Kind {
  readonly settings: readonly string[]
  readonly index: boolean
  readonly prunes?: boolean
  /** Whether tokens are minted and moved too. */
  readonly tokens?: boolean
  /** Whether blocks are undone meanwhile. */
  readonly reverts?: boolean
}

/** First block that the index has. */
const firstBlock = async (url: string): Promise<number> => {
  const { blocks } = await call(url, 'v3.blocks', { workchain: -1, sort: 'asc', limit: 1 })
  return blocks[0]!.seqno
}

const open = async (kind: Kind, random: Random): Promise<Scene> => {
  const settings = [...kind.settings, '--block-time', kind.index ? '100ms' : '50ms', '--liteserver-port', 'off']
  const station: Station = createStation({ settings })
  const ledger = createLedger()
  let kills = 0
  try {
    const first = await station.start()
    await setUpWallets(first)
    const tokens = kind.tokens ? await createTokens(first) : undefined
    const steps: Step[] = WALLETS.map((_, n) => createSpender(ledger, random, n))
    if (kind.index) steps.push(createReader(ledger, random))
    if (kind.reverts) steps.push(createReverter(ledger, random))
    steps.push(...(tokens?.steps ?? []))
    const check = async (): Promise<void> => {
      const url = station.url()
      await ledger.check(url, {
        index: kind.index,
        ...(kind.prunes && { first: await firstBlock(url).catch(() => Number.POSITIVE_INFINITY) }),
      })
    }
    return {
      async round() {
        const working = untilGone(station.url(), steps)
        working.catch(() => {})
        // Some rounds end before the first block of the round, others live for some of them.
        const enough = kind.reverts ? 1 + random.below(3) : random.below(30)
        const seen = (): number => ledger.counts()[kind.reverts ? 'reverts' : 'messages']
        const before = seen()
        const end = performance.now() + 10_000
        while (seen() < before + enough && performance.now() < end) await sleep(5)
        await sleep(random.below(kind.reverts || kind.prunes ? 600 : 60))
        await station.kill()
        kills++
        await working
        await station.start()
        if (kind.reverts) await untilUndone(station.url())
        await check()
      },
      async finish() {
        if (kind.index) await untilIndexed(station.url())
        await tokens?.check(station.url(), kills * 3)
        if (kind.prunes) await until(async () => (await firstBlock(station.url())) > 1)
        if (kind.index) return station.verify()
        await station.stop()
        await station.command('repair', '--check')
      },
      close: () => station.close(),
    }
  } catch (error) {
    await station.close()
    throw error
  }
}

const kindOf = (what: string, [perScene, quick, total]: readonly [number, number, number], kind: Kind): Line => ({
  what,
  perScene,
  quick,
  total,
  open: (random) => open(kind, random),
})

export const KILLS: Readonly<Record<string, Line>> = {
  accept: kindOf('the service is killed while it accepts messages', [50, 2, 400], { settings: ['--index', 'off'], index: false }),
  index: kindOf('the service is killed while it indexes', [20, 1, 400], { settings: [], index: true, tokens: true }),
  prune: kindOf('the service is killed while old blocks leave the index', [20, 1, 100], {
    settings: ['--index-keep', String(KEEP)],
    index: true,
    prunes: true,
  }),
  revert: kindOf('the service is killed while blocks are undone', [20, 1, 100], { settings: [], index: true, reverts: true }),
}
