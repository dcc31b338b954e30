import type { Random } from '../../kit/random.ts'
import { call, isUnavailable } from '../../kit/service/client.ts'
import { builtService, type Started } from '../../kit/service/process.ts'
import { sleep, until } from '../../kit/wait.ts'
import { BASES, type Base, rowsOf } from '../bases.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createFailing, createReader, createSpender, createTokens, setUpWallets, untilIndexed, untilOver, WALLETS } from '../load.ts'
import { createReaders } from '../reading.ts'
import { createStation } from '../station.ts'

/* History is indexed by processes of their own, one of which is killed, while a service on the same database is read. */

const BLOCKS = 80
/** Blocks of a range. */
const RANGE = 10

/** Makes a chain with transactions in most of its blocks. */
const fill = async (url: string, random: Random): Promise<void> => {
  await setUpWallets(url)
  const tokens = await createTokens(url)
  const ledger = createLedger()
  const over = new AbortController()
  const steps = [...WALLETS.slice(0, 3).map((_, n) => createSpender(ledger, random, n)), ...tokens.steps, createFailing(random)]
  const working = untilOver(
    () => url,
    steps,
    over.signal,
    () => false,
  )
  working.catch(() => over.abort())
  while (!over.signal.aborted && (await call(url, 'getMasterchainInfo', {})).last.seqno < BLOCKS) await sleep(50)
  over.abort()
  await working
}

const open = async (base: Base, random: Random): Promise<Scene> => {
  const closing: (() => Promise<void>)[] = [() => base.close()]
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each()
  }
  try {
    const chain = createStation({ settings: ['--index', 'off', '--block-time', '0'] })
    closing.push(() => chain.close())
    const chainUrl = await chain.start()
    await fill(chainUrl, random)
    const { env } = base
    const network = ['--network', 'copy', '--global-config', `${chainUrl}/global.config.json`]
    const running = new Set<Started>()
    closing.push(async () => {
      for (const { child, ended } of running) {
        child.kill('SIGKILL')
        await ended
      }
    })
    const backfill = (): Started => {
      const words = ['backfill', ...network, '--to', String(BLOCKS), '--blocks', String(RANGE), '--log', 'error']
      const started = builtService.start(words, { env })
      // It tells no URL.
      started.ready.catch(() => {})
      running.add(started)
      void started.ended.finally(() => running.delete(started))
      return started
    }
    const follower = createStation({ settings: [...network, '--anonymous-rps', 'unlimited', '--liteserver-port', 'off'], env })
    closing.push(() => follower.close())
    const hasBegun = (): Promise<boolean> =>
      rowsOf<{ n: string }>(base, 'select count(*) as n from backfill_ranges').then(
        ([row]) => Number(row!.n) > 0,
        () => false,
      )
    return {
      async round() {
        // While one of them runs, the service does not index itself.
        const [first, second] = [backfill(), backfill()]
        await until(hasBegun, 20)
        const url = await follower.start()
        const ledger = createLedger()
        const over = new AbortController()
        const steps = [createReader(ledger, random), ...createReaders(ledger, random, base.isCluster)]
        const working = untilOver(() => url, steps, over.signal, isUnavailable)
        working.catch(() => {})
        await sleep(random.below(2_000))
        first.child.kill('SIGKILL')
        await first.ended
        const { code, out, err } = await second.ended
        if (code !== 0) throw new Error(`backfill ended with ${code}: ${out}${err}`)
        await untilIndexed(url)
        over.abort()
        await working
        await ledger.check(url, { index: true })
      },
      finish: () => follower.verify(),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const lineOf = ({ what, missing, start }: (typeof BASES)[keyof typeof BASES], quick: number): Line => ({
  what: `readers ask ${what} without pause, while history is indexed by processes that are killed`,
  perScene: 1,
  quick,
  total: 50,
  missing,
  open: async (random) => open(await start(), random),
})

export const BACKFILL: Readonly<Record<string, Line>> = {
  // The one beside a replica does the same, and more.
  backfill: lineOf(BASES.plain, 0),
  'backfill-replica': lineOf(BASES.replica, 0),
  'backfill-citus': lineOf(BASES.citus, 1),
}
