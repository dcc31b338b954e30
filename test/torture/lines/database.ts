import { type Address, startAddress } from '../../kit/index/address.ts'
import { type Replicated, startReplicated } from '../../kit/index/replicated.ts'
import type { Random } from '../../kit/random.ts'
import { call, isUnavailable } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createReader, createSpender, createTokens, type Step, setUpWallets, untilIndexed, untilOver, WALLETS } from '../load.ts'
import { createStation, type Station } from '../station.ts'

/* PostgreSQL is killed, stopped, paused, or replaced by its standby, while blocks are made and v3 is read. v2 needs no database, so none of its calls may fail. */

interface Bench {
  readonly servers: Replicated
  readonly address: Address
  readonly station: Station
}

/** What happens to the servers; resolves when there is a primary again. */
type Harm = (bench: Bench, random: Random) => Promise<void>

const killed: Harm = async ({ servers: { primary } }, random) => {
  await primary.kill()
  await sleep(random.below(500))
  await primary.start()
}
const stopped: Harm = async ({ servers: { primary } }, random) => {
  primary.signal('SIGINT')
  await sleep(200 + random.below(300))
  await primary.kill()
  await primary.start()
}
const paused: Harm = async ({ servers: { primary } }, random) => {
  primary.signal('SIGSTOP')
  await sleep(200 + random.below(2_500))
  primary.signal('SIGCONT')
}
const unreachable: Harm = async ({ address, servers: { primary } }, random) => {
  address.cut()
  await sleep(random.below(1_000))
  address.lead(primary.port)
}
const replaced: Harm = async ({ servers: { primary, standbys }, address }, random) => {
  await primary.kill()
  await sleep(random.below(300))
  await standbys[0]!.run('select pg_promote()')
  address.lead(standbys[0]!.port)
}

/** Waits until v3 has what it had, and what the chain has made since. Without a standby that is synchronous the last blocks are indexed again. */
const untilWell = async (url: string): Promise<void> => {
  await until(async () => {
    try {
      await untilIndexed(url)
      return true
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return false
    }
  }, 50)
}

const open = async (random: Random, harms: readonly Harm[], standbys: number): Promise<Scene> => {
  const closing: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each()
  }
  try {
    const servers = await startReplicated(standbys)
    closing.push(() => servers.close())
    const address = await startAddress(servers.primary.port)
    closing.push(() => address.close())
    const DATABASE_URL = servers.primary.url.replace(/:\d+\//, `:${address.port}/`)
    const station = createStation({ settings: ['--block-time', '100ms', '--liteserver-port', 'off'], env: { DATABASE_URL } })
    closing.push(() => station.close())
    const url = await station.start()
    await setUpWallets(url)
    await untilIndexed(url)
    const tokens = await createTokens(url)
    await servers.replayed()
    const ledger = createLedger()
    const spenders: Step[] = WALLETS.slice(0, 3).map((_, n) => createSpender(ledger, random, n))
    const reader = createReader(ledger, random)
    const bench = { servers, address, station }
    return {
      async round(number) {
        const over = new AbortController()
        const writing = untilOver(
          () => url,
          [...spenders, ...tokens.steps],
          over.signal,
          () => false,
        )
        const reading = untilOver(() => url, [reader], over.signal, isUnavailable)
        const working = Promise.all([writing, reading])
        working.catch(() => {})
        await sleep(random.below(500))
        await harms[number % harms.length]!(bench, random)
        await sleep(random.below(500))
        over.abort()
        await working
        await untilWell(url)
        await until(async () => (await fetch(`${url}/ready`)).status === 200, 50)
        await ledger.check(url, { index: true })
      },
      async finish() {
        await call(url, 'local.mine', { count: 4 })
        await untilWell(url)
        await tokens.check(url, 0)
        await station.verify()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const DATABASE: Readonly<Record<string, Line>> = {
  postgres: {
    what: 'PostgreSQL is killed, stopped, paused or cut off',
    perScene: 15,
    quick: 2,
    total: 200,
    open: (random) => open(random, [killed, stopped, paused, unreachable], 0),
  },
  standby: {
    what: 'PostgreSQL is lost, and its standby takes its place',
    perScene: 1,
    quick: 1,
    total: 50,
    open: (random) => open(random, [replaced], 1),
  },
}
