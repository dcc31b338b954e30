import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectFolder } from '../../kit/project.ts'
import { createRandom, type Random } from '../../kit/random.ts'
import { sleep, until } from '../../kit/wait.ts'
import { createLedger } from '../ledger.ts'
import type { Line, Scene } from '../line.ts'
import { addressOf, createSpender, setUpWallets, untilIndexed, untilOver, WALLETS } from '../load.ts'
import { type Caller, createHttpCaller, createSocketCaller } from '../soak/callers.ts'
import { areNoMore, collectIn, type Descriptors, descriptorsOf, slopeOf, textOf } from '../soak/figures.ts'
import { createIds } from '../soak/ids.ts'
import { openWatchers, type Watchers } from '../soak/watchers.ts'
import { createStation } from '../station.ts'

/*
 * A service at 60 % of what it can answer, for a long time: calls of all kinds, transfers, a subscription, a stream, a webhook. Memory is what all threads have after
 * they have collected their garbage: resident memory has also what the engine has not given back yet, which changes by more than a leak in 40 minutes.
 */

const ROUND = 10_000
/** Among other tests. Checks the answers of clients and open descriptors as a long run does, but neither the rate of calls nor leaks, which need a long run. */
const QUICK_ROUND = 2_000
const QUICK_STEPS = [8]
const SHARE = 0.6
/** Rounds of a scene whose memory is not counted: caches fill up, code is optimized. */
const WARM_UP = 30
/** Rounds after which the slope says something. */
const ENOUGH = 30
/** Most bytes that the memory may grow in a minute. */
const MAX_SLOPE = 0.5e6
/** Milliseconds between transfers. */
const TRANSFERS = 250
/** Clients, by steps of the ramp, and milliseconds of a step. */
const STEPS = [4, 8, 16, 32]
const STEP = 1_500
/** A step that answers less than this times the one before is the last one. */
const GAIN = 1.1

const PRELOAD = pathToFileURL(join(projectFolder, 'test/kit/service/collecting.mjs')).href

type Point = readonly [minutes: number, bytes: number]

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2)

/** Clients of a service, which ask as fast as they are answered, or at a rate. */
const createClients = (port: number, random: Random) => {
  const ids = createIds()
  const callers: Caller[] = []
  const ask = async (count: number, milliseconds: number, rate = Number.POSITIVE_INFINITY): Promise<number> => {
    while (callers.length < count) {
      const create = callers.length % 4 === 3 ? createSocketCaller : createHttpCaller
      callers.push(create(port, ids, createRandom(random.below(2 ** 32))))
    }
    const [start, before] = [performance.now(), ids.count()]
    const elapsed = (): number => performance.now() - start
    const again = async (caller: Caller): Promise<void> => {
      while (elapsed() < milliseconds) {
        const ahead = ((ids.count() - before) * 1000) / rate - elapsed()
        if (ahead > 0) await sleep(Math.min(ahead, 50))
        else await caller.ask()
      }
    }
    await Promise.all(callers.slice(0, count).map(again))
    ids.check()
    return ((ids.count() - before) * 1000) / elapsed()
  }
  return {
    ids,
    ask,
    /** Calls a second that the service can answer, and how many clients it takes. */
    async saturate(steps: readonly number[]) {
      let best = { count: 0, rate: 0 }
      for (const count of steps) {
        const rate = await ask(count, STEP)
        const isLast = rate < best.rate * GAIN
        if (rate > best.rate) best = { count, rate }
        if (isLast) break
      }
      return best
    },
    close() {
      for (const caller of callers.splice(0)) caller.close()
    },
  }
}

const open = async (random: Random, isQuick: boolean): Promise<Scene> => {
  const env: Record<string, string> = {}
  const station = createStation({ settings: ['--block-time', '400ms', '--liteserver-port', 'off'], env })
  const file = `${station.dataDir}.collected`
  Object.assign(env, { NODE_OPTIONS: `--import=${PRELOAD}`, COLLECTED: file })
  let watchers: Watchers | undefined
  let end: () => Promise<void> = () => Promise.resolve()
  const close = async (): Promise<void> => {
    await end().catch(() => {})
    await watchers?.close().catch(() => {})
    await station.close()
  }
  try {
    const url = await station.start()
    await setUpWallets(url)
    await untilIndexed(url)
    const clients = createClients(Number(new URL(url).port), random)
    const ledger = createLedger()
    const spend = createSpender(ledger, random, 0)
    const begin = async (): Promise<void> => {
      watchers = await openWatchers(url, WALLETS.slice(0, 2).map(addressOf))
      const over = new AbortController()
      const step = async (): Promise<void> => {
        await spend(url)
        await sleep(TRANSFERS)
      }
      const working = untilOver(
        () => url,
        [step],
        over.signal,
        () => false,
      )
      working.catch(() => {})
      end = async () => {
        over.abort()
        clients.close()
        await working
      }
    }
    /** Ends all that clients do, and looks for what they were sent. Returns the descriptors that the service has then. */
    const rest = async () => {
      await end()
      await untilIndexed(url)
      const events = await watchers!.check()
      await watchers!.close()
      watchers = undefined
      await until(async () => ((await (await fetch(`${url}/status`)).json()) as { sockets: number }).sockets === 0, 50)
      return { events, descriptors: descriptorsOf(station.pid()) }
    }
    await begin()
    const { count, rate } = await clients.saturate(isQuick ? QUICK_STEPS : STEPS)
    const { descriptors: before } = await rest()
    await begin()
    const memory: Point[] = []
    const resident: Point[] = []
    const notes: string[] = []
    let rounds = 0
    return {
      async round() {
        await clients.ask(count, isQuick ? QUICK_ROUND : ROUND, rate * SHARE)
        const { heap, external, rss } = await collectIn(station.pid(), file)
        if (++rounds <= WARM_UP) return
        const minutes = performance.now() / 60_000
        memory.push([minutes, heap + external])
        resident.push([minutes, rss])
      },
      async finish() {
        const { events } = await rest()
        notes.push(
          `${clients.ids.count()} calls, ${(rate * SHARE).toFixed(0)} a second of ${rate.toFixed(0)}; ${events} events to each of three`,
        )
        const descriptors = (): Descriptors => descriptorsOf(station.pid())
        await until(() => areNoMore(descriptors(), before)).catch(() => {
          throw new Error(`descriptors were lost: ${JSON.stringify(before)} before, ${JSON.stringify(descriptors())} after`)
        })
        notes.push(`descriptors ${textOf(before)} before, ${textOf(descriptors())} after`)
        await ledger.check(url, { index: true })
        if (memory.length >= ENOUGH) {
          const [slope, ofResident] = [slopeOf(memory), slopeOf(resident)]
          notes.push(
            `memory ${megabytes(memory.at(-1)![1])} MB, ${megabytes(slope)} MB a minute; resident ${megabytes(resident.at(-1)![1])}, ${megabytes(ofResident)}`,
          )
          if (slope > MAX_SLOPE) throw new Error(`memory grew by ${megabytes(slope)} MB a minute`)
        }
        await station.verify()
      },
      notes: () => notes,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const SOAK: Line = {
  what: 'the service answers 60 % of what it can',
  perScene: 240,
  quick: 1,
  total: 240,
  each: { count: ROUND / 1000, unit: 'seconds' },
  missing: process.platform === 'linux' ? undefined : 'descriptors are read from /proc',
  open,
}
