import { freePort } from '../../kit/free-port.ts'
import type { Random } from '../../kit/random.ts'
import { ask, CallError, call, isUnavailable } from '../../kit/service/client.ts'
import { redisMissing, startRedis } from '../../kit/service/redis.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { createReader, createSpender, isGone, type Step, setUpWallets, untilIndexed, untilOver, WALLETS } from '../load.ts'
import { createStation, type Station } from '../station.ts'

/* What a service needs besides its database is lost: Redis, or the lite-servers of the chain that it follows. */

const closeAll = async (things: readonly { close(): Promise<void> }[]): Promise<void> => {
  for (const each of [...things].reverse()) await each.close()
}

/** Calls a second of a client without a key. */
const RPS = 40

const openRedis = async (random: Random): Promise<Scene> => {
  const redis = await startRedis()
  const settings = ['--block-time', '100ms', '--liteserver-port', 'off', '--index', 'off', '--anonymous-rps', String(RPS)]
  const station = createStation({ settings, env: { REDIS_URL: redis.url } })
  const close = (): Promise<void> => closeAll([redis, station])
  try {
    const url = await station.start()
    /** Milliseconds at which calls were let in. */
    let passed: number[] = []
    const read: Step = async (at) => {
      const { status, retryAfter, text } = await ask(`${at}/api/v2/getMasterchainInfo`)
      if (status === 200) passed.push(performance.now())
      else if (status !== 429) throw new Error(`without Redis a call was answered with ${status} ${text}`)
      else if (retryAfter === null) throw new Error('a refusal does not say when to come again')
      await sleep(random.below(8))
    }
    /** The most calls of one second. */
    const most = (): number => passed.reduce((best, from, i) => Math.max(best, passed.slice(i).filter((at) => at < from + 1_000).length), 0)
    const during = async (work: () => Promise<void>): Promise<void> => {
      const over = new AbortController()
      const working = untilOver(
        () => url,
        [read, read, read, read],
        over.signal,
        () => false,
      )
      working.catch(() => {})
      await work()
      over.abort()
      await working
    }
    return {
      async round() {
        passed = []
        await during(async () => {
          await sleep(random.below(500))
          await redis.kill()
          await sleep(300 + random.below(1_000))
          await redis.start()
        })
        // Redis and the process have each let in as many as the limit.
        if (most() > 3 * RPS) throw new Error(`${most()} calls passed in a second, and the limit is ${RPS}`)
        if (passed.length === 0) throw new Error('no call passed')
        await until(async () => !(await (await fetch(`${url}/ready`)).text()).includes('Redis'), 50)
      },
      async finish() {
        await sleep(1_500)
        passed = []
        await during(() => sleep(2_000))
        // The moment of the answer is not that of the count.
        if (most() > 2 * RPS) throw new Error(`with Redis ${most()} calls passed in a second, and the limit is ${RPS}`)
        await station.stop()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether a call ended as it may while the chain cannot be reached: with the reason, or because what was sent may have arrived or not. */
const isAway = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof CallError && /lite-server|LITE_SERVER/i.test(error.message))

const openLites = async (random: Random): Promise<Scene> => {
  const [http, lite] = [await freePort(), await freePort()]
  const maker = createStation({
    settings: ['--index', 'off', '--block-time', '200ms', '--liteserver-port', String(lite)],
    port: http,
  })
  const stations: Station[] = [maker]
  const close = (): Promise<void> => closeAll(stations)
  try {
    const chain = await maker.start()
    await setUpWallets(chain)
    const globalConfig = `${chain}/global.config.json`
    const follower = createStation({
      settings: ['--network', 'copy', '--global-config', globalConfig, '--anonymous-rps', 'unlimited', '--index-from', '1'],
    })
    stations.push(follower)
    const url = await follower.start()
    await until(
      () =>
        call(url, 'v3.masterchainInfo', {}).then(
          () => true,
          () => false,
        ),
      50,
    )
    const ledger = createLedger()
    const steps: Step[] = [...WALLETS.slice(0, 3).map((_, n) => createSpender(ledger, random, n)), createReader(ledger, random)]
    const hurt = async (): Promise<void> => {
      if (random.chance(0.5)) {
        await maker.kill()
        await sleep(random.below(1_500))
        await maker.start()
        return
      }
      process.kill(maker.pid(), 'SIGSTOP')
      await sleep(random.below(3_000))
      process.kill(maker.pid(), 'SIGCONT')
    }
    return {
      async round() {
        const over = new AbortController()
        const working = untilOver(() => url, steps, over.signal, isAway)
        working.catch(() => {})
        await sleep(random.below(500))
        await hurt()
        await sleep(random.below(500))
        over.abort()
        await working
        const { last } = await call(chain, 'getMasterchainInfo', {})
        const isThere = async (): Promise<boolean> => {
          const [head, indexed] = await Promise.all([call(url, 'getMasterchainInfo', {}), call(url, 'v3.masterchainInfo', {})])
          return head.last.seqno >= last.seqno && indexed.last.seqno >= last.seqno
        }
        await until(() => isThere().catch((error: unknown) => (isAway(error) ? false : Promise.reject(error))), 50)
        await ledger.check(url, { index: true })
      },
      async finish() {
        await untilIndexed(url)
        // It reads the blocks from the lite-server.
        await follower.verify()
        await maker.stop()
        await maker.command('repair', '--check')
      },
      close,
    }
  } catch (error) {
    await close()
    if (isGone(error)) throw new Error('the service could not be reached', { cause: error })
    throw error
  }
}

export const PEERS: Readonly<Record<string, Line>> = {
  redis: { what: 'Redis is killed', perScene: 20, quick: 1, total: 50, missing: redisMissing, open: openRedis },
  lites: { what: 'the only lite-server is killed or paused', perScene: 15, quick: 1, total: 50, open: openLites },
}
