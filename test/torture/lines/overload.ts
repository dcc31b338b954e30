import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buildChild } from '../../kit/child-program.ts'
import { call } from '../../kit/service/client.ts'
import { sleep, until } from '../../kit/wait.ts'
import { costsOf } from '../follow/costs.ts'
import type { Line, Scene } from '../line.ts'
import { addressOf, setUpWallets, untilIndexed, WALLETS } from '../load.ts'
import type { AttackCounts, AttackOrder } from '../overload/attacker-child.ts'
import { ATTACKS, type AttackName } from '../overload/attacks.ts'
import { cpuOf, pin, whyShared } from '../overload/cores.ts'
import type { GoodOrder, Sample } from '../overload/good-child.ts'
import { createStation } from '../station.ts'

/*
 * Clients take ten times what the service can give, in every way that there is and in all together, while a good client of another address asks at a steady
 * rate. The service has a core, and its clients have another one.
 */

const TIMES = 10
/** Transactions that large pages have. */
const TRANSACTIONS = 1_200
/** Processor time until the engine has optimized the code, and that of a measurement. */
const WARM_UP = 3_000
const CAPACITY_TIME = 2_000
const HALF_TIME = 20_000
const ATTACK_TIME = 8_000
/**
 * Clients that come at one instant stand in one queue of the kernel, whose order no program can change. The service is judged from RECOVERY after this queue
 * was empty for a while, or was not empty for so long.
 */
const LONGEST_ARRIVAL = 10_000
const NONE_WAIT = 500
const ARRIVAL_LOOK = 20
/** Milliseconds in which the first client of an attack comes. */
const FIRST_COMES = 1_000
/** A service is quiet if it and its PostgreSQL work for at most half of so many milliseconds. It makes a block in that time. */
const QUIET_LOOK = 500
const QUIET_PART = 0.5
/** Longest wait until the service is quiet. */
const QUIET_MOST = 30_000
/** Of a quick look: part of the times above. */
const QUICK = 1 / 3
/** The service is as it should be so long after the clients of an attack came, and after they left. */
const RECOVERY = 2_000
const AFTER_TIME = 3_000
/** Milliseconds that the good client's p99 may always have: in an attack, and after it. */
const LIMIT = 50
const LIMIT_AFTER = 20
/** How many times the p99 of half load it may have: in an attack, and after it. */
const FACTOR = 5
const FACTOR_AFTER = 2

/** Round 0 has all attacks at once, and each other round one of them. */
const ROUNDS: readonly (readonly AttackName[])[] = [
  Object.keys(ATTACKS) as AttackName[],
  ...(Object.keys(ATTACKS) as AttackName[]).map((name) => [name]),
]

/** One call of 100 takes longer. Those that were refused or late take for ever. */
const p99 = (samples: readonly Sample[]): number =>
  samples.map(({ took }) => (typeof took === 'number' ? took : Number.POSITIVE_INFINITY)).sort((a, b) => a - b)[
    Math.floor(samples.length * 0.99)
  ] ?? Number.NaN

/** What a call has waited until a time. All of an attack's clients leave at one instant, and what the call waits then is not of the attack. */
const untilEnd = ({ at, took }: Sample, end: number): Sample => ({
  at,
  took: took === 'refused' ? took : took === 'late' ? end - at : Math.min(took, end - at),
})

const refusedOf = (samples: readonly Sample[]): number => samples.filter(({ took }) => took === 'refused').length

/** Processor time that a service and its PostgreSQL have used. */
const usedBy = (pid: number): number => {
  const { service, postgres } = costsOf(pid)
  return service + postgres
}

/** Waits until the main thread of a process has used so many milliseconds. */
const untilUsed = async (pid: number, milliseconds: number): Promise<void> => {
  const end = cpuOf(pid) + milliseconds
  await until(() => cpuOf(pid) >= end, 20)
}

/** Waits until a process is quiet, at most `most` milliseconds. After an attack it still has work for seconds, which would count as the cost of calls. */
const untilQuiet = async (pid: number, most: number): Promise<void> => {
  for (const end = Date.now() + most; Date.now() < end; ) {
    const before = usedBy(pid)
    await sleep(QUIET_LOOK)
    if (usedBy(pid) - before < QUIET_LOOK * QUIET_PART) return
  }
}

/** State of a listening socket in /proc/net. Its receive queue is the number of connections that wait. */
const LISTENS = '0A'

/** Connections to a port that wait for the service to accept them. */
const unaccepted = (port: number): number => {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const entries = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
  const listener = entries
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => state === LISTENS && local?.endsWith(ending))
  return Number.parseInt(listener?.[4]?.split(':')[1] ?? '0', 16)
}

/** Waits until no connection to a port has waited for a while, at most LONGEST_ARRIVAL. */
const untilAccepted = async (port: number): Promise<void> => {
  const begun = Date.now()
  const end = begun + LONGEST_ARRIVAL
  for (let last = begun + FIRST_COMES; Date.now() < Math.min(last + NONE_WAIT, end); await sleep(ARRIVAL_LOOK)) {
    if (unaccepted(port) > 0) last = Math.max(last, Date.now())
  }
}

/** What a process answers to a word. */
const askChild = async <T>(child: ChildProcess, word: string): Promise<T> => {
  child.send(word)
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}

/** Puts rows into the index. */
const fill = async (url: string, transactions: number): Promise<void> => {
  await setUpWallets(url)
  const address = addressOf(WALLETS[0]!)
  for (let done = 0; done < transactions; done += 25)
    await Promise.all(Array.from({ length: 25 }, () => call(url, 'local.fund', { address, amount: '1' })))
  await untilIndexed(url)
}

const open = async (isQuick: boolean): Promise<Scene> => {
  const part = isQuick ? QUICK : 1
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each()
  }
  try {
    const station = createStation({ settings: ['--block-time', '400ms', '--liteserver-port', 'off'] })
    closing.push(() => station.close())
    const url = await station.start()
    await fill(url, TRANSACTIONS * part)
    const shared = isQuick ? 'a quick look' : await whyShared()
    if (shared === undefined) pin(station.pid(), 0)
    const start = async (entry: string): Promise<ChildProcess> => {
      const program = await buildChild(entry)
      closing.push(program.remove)
      const child = fork(program.file, { serialization: 'advanced' })
      closing.push(() => child.connected && child.disconnect())
      if (shared === undefined) pin(child.pid!, 1)
      return child
    }
    const [attacker, good] = [await start('test/torture/overload/attacker-child.ts'), await start('test/torture/overload/good-child.ts')]
    const order = { port: Number(new URL(url).port), wallet: addressOf(WALLETS[0]!) }
    const attack = (names: readonly AttackName[], rate?: number): void => {
      attacker.send({ ...order, names, ...(rate !== undefined && { rate }) } satisfies AttackOrder)
    }
    const endAttack = (): Promise<AttackCounts> => askChild(attacker, 'stop')
    const samples = async (from: number, to: number): Promise<readonly Sample[]> =>
      (await askChild<Sample[]>(good, 'samples')).filter(({ at }) => at >= from && at < to)
    // Every kind of attack, because the engine optimizes the code of each.
    attack(ROUNDS[0]!)
    await untilUsed(station.pid(), WARM_UP * part)
    await endAttack()
    await untilQuiet(station.pid(), QUIET_MOST * part)
    const before = usedBy(station.pid())
    attack(['calls'])
    await untilUsed(station.pid(), CAPACITY_TIME * part)
    const { calls } = await endAttack()
    // What a core of its own gives, whatever else runs here.
    const capacity = ((calls!.answers['200'] ?? 0) * 1000) / (usedBy(station.pid()) - before)
    good.send(order satisfies GoodOrder)
    await sleep(1_000)
    attack(['calls'], capacity / 2)
    await sleep(500)
    const from = Date.now()
    await sleep(HALF_TIME * part)
    const half = p99(await samples(from, Date.now()))
    await endAttack()
    const notes = [`capacity ${capacity.toFixed(0)} a second, p99 at half load ${half.toFixed(1)} ms`]
    if (shared !== undefined) notes.push(`no cores of their own, so times are not judged: ${shared}`)
    const limit = Math.max(LIMIT, FACTOR * half)
    const limitAfter = Math.max(LIMIT_AFTER, FACTOR_AFTER * half)
    const isWell = (during: readonly Sample[], after: readonly Sample[]): boolean =>
      shared === undefined ? p99(during) <= limit && p99(after) <= limitAfter : refusedOf([...during, ...after]) === 0
    return {
      async round(number) {
        const names = ROUNDS[number % ROUNDS.length]!
        const begun = Date.now()
        attack(names, (TIMES * capacity) / names.length)
        await untilAccepted(order.port)
        const arrival = Date.now() - begun
        await sleep(RECOVERY + ATTACK_TIME * part)
        const ended = Date.now()
        const counts = await endAttack()
        await sleep(RECOVERY + AFTER_TIME * part)
        const all = await samples(begun, Date.now())
        const judgedFrom = begun + arrival + RECOVERY
        const coming = all.filter(({ at }) => at < judgedFrom)
        const during = all.filter(({ at }) => at >= judgedFrom && at < ended).map((sample) => untilEnd(sample, ended))
        const after = all.filter(({ at }) => at >= ended + RECOVERY)
        const judged = `${p99(during).toFixed(1)} ms, after it ${p99(after).toFixed(1)} ms, ${refusedOf(all)} refused`
        notes.push(`${names.join(' and ')} ${p99(coming).toFixed(1)} ms while they come (accepted in ${arrival} ms), then ${judged}`)
        if (isWell(during, after)) return
        throw new Error(`${notes.at(-1)}; the limits are ${limit.toFixed(1)} and ${limitAfter.toFixed(1)} ms; ${JSON.stringify(counts)}`)
      },
      async finish() {
        await station.stop()
      },
      notes: () => notes,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export const OVERLOAD: Line = {
  what: 'clients take ten times what the service can give, and a good client is served as before',
  perScene: ROUNDS.length,
  quick: 1,
  total: 6 * ROUNDS.length,
  missing: process.platform === 'linux' ? undefined : 'other addresses of loopback are needed',
  open: (_, isQuick) => open(isQuick),
}
