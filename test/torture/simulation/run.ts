import type { TestServer } from '../../kit/index/database.ts'
import { createRandom } from '../../kit/random.ts'
import { begin, drawAction, mine, passTimeUntilWork } from './actions.ts'
import { type ChainDeps, type SimulatedChain, startEmbeddedChain, startMadeUpNetwork } from './chain.ts'
import { createGate } from './gate.ts'
import { checkAtRest, checkStep } from './invariants.ts'
import { showKey } from './keys.ts'
import { startService } from './service.ts'
import { createSubscriber } from './subscriber.ts'
import { createTrouble } from './trouble.ts'
import { installTime } from './virtual-time.ts'
import { hashOf, running, type World } from './world.ts'

/* One simulation: a seed, some hundred steps, and a rest after them in which everything has to become well. */

/** Unix milliseconds at which each simulation begins. */
const START = 1_760_000_000_000
const STEPS = { least: 120, more: 160 }
/** Steps from one rest to the next. */
const BETWEEN_RESTS = 100
/** Steps after which a simulation that does not come to rest has failed. */
const MOST_TO_REST = 4_000
const SUBSCRIBERS = 2

/** What a simulation is about. Most have an embedded chain, which can go back. */
const KINDS = ['embedded chain', 'embedded chain', 'limited history', 'made-up network'] as const
const SETTINGS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  'embedded chain': [],
  'limited history': ['--index-keep', '10'],
  'made-up network': ['--network', 'copy', '--global-config', 'none.json', '--index-from', '1'],
}

/** Where simulations run. */
export interface Base {
  readonly server: TestServer
  /** A database with our empty tables. */
  readonly template: string
  readonly folder: string
}

export interface Result {
  readonly seed: number
  readonly steps: number
  readonly events: readonly string[]
  readonly hash: string
}

/** An invariant that does not hold, with all that is needed to see why. */
class Violation extends Error {
  override readonly name = 'Violation'
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
const LAST_EVENTS = 400

/** Faults end, processes live, and time passes until the index has every block and every call is answered. */
const rest = async (world: World): Promise<void> => {
  world.isHostile = false
  world.trouble.begin('none')
  world.log('rest')
  for (let i = 0; !(await isAtRest(world)); i++) {
    if (i > MOST_TO_REST) throw new Error('the simulation does not come to rest')
    await advance(world)
  }
  await showKeys(world)
  await checkAtRest(world)
  world.isHostile = true
}

/** Milliseconds after which every process refuses a key that was revoked. */
const UNTIL_REFUSED = 2_000

/** Shows every key to every process, when each has had time to hear of those that were revoked. */
const showKeys = async (world: World): Promise<void> => {
  const { time, keys, shown } = world
  if (keys.length === 0) return
  for (const end = time.now() + UNTIL_REFUSED; time.now() < end; ) await advance(world)
  for (const service of running(world)) for (const key of keys) showKey(world, key, service, true)
  for (let i = 0; shown.some(({ service, answer }) => service.isAlive && answer === undefined); i++) {
    if (i > MOST_TO_REST) throw new Error('a key is neither admitted nor refused')
    await advance(world)
  }
}

const isAtRest = async (world: World): Promise<boolean> => {
  const { chain, gate, services, calls, subscribers } = world
  if (running(world).length < services.filter(({ isAlive }) => isAlive).length || running(world).length === 0) return false
  if (calls.some(({ service, answers }) => service.isAlive && answers === 0)) return false
  const { seqno = 0, root = '' } = chain.blocks.get(chain.head()) ?? {}
  if (subscribers.some((each) => each.begunAfter() !== undefined && !each.isUpTo(seqno, root))) return false
  if (await chain.hasWaiting()) return false
  const [row] = await gate.read<{ root: string }>(
    `select encode(b.root_hash, 'base64') as root from published_head h join blocks b on b.seqno = h.mc_seqno and b.workchain = -1`,
  )
  return row?.root === root && seqno > 0
}

/** A step on the way to rest: nothing new happens. */
const advance = async (world: World): Promise<void> => {
  const { gate, services, subscribers, random, calls, chain } = world
  world.step++
  if (services.every(({ isAlive }) => !isAlive)) await world.start(`p${services.length}`)
  for (const each of subscribers) {
    const [service] = running(world)
    if (each.at() === undefined && service !== undefined && each.begunAfter() !== undefined) each.subscribe(service)
  }
  await world.settle()
  const waiting = gate.waiting()
  if (calls.every(({ service, answers }) => answers > 0 || !service.isAlive) && (await chain.hasWaiting())) await mine(world)
  else if (waiting.length > 0) {
    const next = random.pick(waiting)
    world.log(`through: ${next.connection} ${next.what}`)
    await next.pass('through')
  } else await passTimeUntilWork(world)
  await world.settle()
  await checkStep(world)
}

/** Calls about every account: the service caches what it knows of their codes for as long as the process lives. */
const readEverything = async (world: World): Promise<void> => {
  const all = [...world.chain.blocks.values()].flatMap(({ transactions }) => transactions)
  for (const account of new Set([...all.map((each) => each.account), ...world.chain.addresses])) {
    begin(world, 'v3.accountStates', { address: [account] })
    begin(world, 'v3.transactions', { account: [account], limit: 100 })
    await rest(world)
  }
}

/**
 * A simulation whose result does not count. It loads the code that the service loads when it is first needed, and fills the caches that outlive a process of a
 * simulation, so that all simulations after it begin in the same state.
 */
export const warmUp = async (base: Base): Promise<void> => {
  await simulate(0, base, readEverything)
}

export const simulate = async (
  seed: number,
  { server, template, folder }: Base,
  last?: (world: World) => Promise<void>,
): Promise<Result> => {
  const random = createRandom(seed)
  const bytes = createRandom(seed ^ 0x5bd1e995)
  const database = await server.database(template)
  const gate = await createGate(database, folder)
  const time = installTime(START, (count) => bytes.bytes(count))
  const events: string[] = []
  let step = 0
  const log = (event: string): void => void events.push(`${step} ${event}`)
  /** Waits for what needs time, though no time but what it needs passes. */
  const drive = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    work.then(end, end)
    for (;;) {
      await gate.settled()
      if (isOver) return work
      await time.pass(1, gate.settled)
    }
  }
  const kind = last === undefined ? random.pick(KINDS) : 'embedded chain'
  const startChain = (deps: ChainDeps): Promise<SimulatedChain> =>
    kind === 'made-up network' ? startMadeUpNetwork(seed, folder, deps) : startEmbeddedChain(deps)
  log(kind)
  const trouble = createTrouble(random)
  const world: World = {
    seed,
    random,
    time,
    gate,
    chain: await startChain({ drive, onLine: (event) => log(`the chain says ${event}`) }),
    memory: new Map(),
    database,
    trouble,
    services: [],
    subscribers: Array.from({ length: SUBSCRIBERS }, (_, i) => createSubscriber(i)),
    calls: [],
    walks: [],
    keys: [],
    shown: [],
    sent: [],

    isHostile: true,
    get step() {
      return step
    },
    set step(value) {
      step = value
    },
    events,
    log,
    settle: gate.settled,
    async start(name) {
      const service = await startService({
        name,
        gate,
        time,
        from: { ...world.chain.from, source: trouble.over(world.chain.from.source) },
        settings: SETTINGS[kind],
        onLine: (event) => log(`${name} says ${event}`),
      })
      world.services.push(service)
      return service
    },
  }
  try {
    const steps = STEPS.least + random.below(STEPS.more)
    await world.start('p0')
    for (let i = 0; i < steps; i++) {
      world.step++
      await world.settle()
      await drawAction(world).run(world)
      await world.settle()
      await checkStep(world)
      if (i % BETWEEN_RESTS === BETWEEN_RESTS - 1) await rest(world)
    }
    await rest(world)
    await last?.(world)
    return { seed, steps: world.step, events, hash: hashOf(events) }
  } catch (error) {
    const told = events.slice(-LAST_EVENTS).join('\n')
    throw new Violation(
      `seed ${seed}, step ${world.step}: ${textOf(error)}\nto repeat it: npm run torture -- simulation --seed ${seed} --rounds 1\n${told}`,
    )
  } finally {
    for (const service of world.services) if (service.isAlive) await service.kill()
    await world.chain.close()
    // What the ends of connections set off in killed processes ends while time still stands.
    await gate.settled()
    time.uninstall()
    await gate.close()
    await server.run({ ...database, database: 'postgres' }, `drop database ${database.database} with (force)`)
  }
}
