import type { Outcome } from '../../../server/dispatch/types.ts'
import type { Way } from './gate.ts'
import { createKey, revokeKey, showAnyKey } from './keys.ts'
import type { TroubleKind } from './trouble.ts'
import { type Call, running, type Walk, type World } from './world.ts'

/* What can happen next in a simulation. The scheduler draws one of those that are possible. */

export interface Action {
  readonly name: string
  readonly weight: number
  /** Whether it hurts something. When the simulation comes to rest, nothing is hurt. */
  readonly isHostile?: boolean
  isPossible(world: World): boolean
  run(world: World): Promise<void>
}

const KINDS: readonly TroubleKind[] = ['refuses', 'silent', 'lies']
const FAULTS: readonly Way[] = ['refused', 'cut before', 'cut after']
/** Part of the statements that fail. */
const FAILING = 0.015

const pass = async (world: World): Promise<void> => {
  const { random, gate } = world
  const waiting = random.pick(gate.waiting())
  const way = world.isHostile && random.chance(FAILING) ? random.pick(FAULTS) : 'through'
  world.log(`${way}: ${waiting.connection} ${waiting.what}`)
  await waiting.pass(way)
}

const LONGEST_PAUSE = 1_500

const passTime = async (world: World): Promise<void> => {
  const { time, random } = world
  const milliseconds = Math.ceil(time.untilNext() ?? 1) + (random.chance(0.3) ? random.below(LONGEST_PAUSE) : 0)
  world.log(`time passes: ${milliseconds}`)
  await time.pass(milliseconds, world.settle)
}

/** Timers that run while nothing waits at the gate, in one step. */
const MOST_TIMERS = 30

/** Time passes until something waits at the gate. */
export const passTimeUntilWork = async ({ time, gate, settle, log }: World): Promise<void> => {
  let milliseconds = 0
  for (let i = 0; i < MOST_TIMERS && gate.waiting().length === 0; i++) {
    const wait = Math.ceil(time.untilNext() ?? 1)
    milliseconds += wait
    await time.pass(wait, settle)
  }
  log(`time passes: ${milliseconds}`)
}

export const mine = async (world: World): Promise<void> => {
  await world.chain.mine()
  world.log(`block ${world.chain.head()}: ${world.chain.blocks.get(world.chain.head())!.root}`)
}

const revert = async (world: World): Promise<void> => {
  const seqno = await world.chain.revert!((limit) => world.random.below(limit))
  world.log(`reverted to ${seqno}`)
}

const take = (call: Call, undone: number, outcome: Outcome): void => {
  call.answers++
  call.answer = outcome.ok
    ? { undone, headers: outcome.headers ?? {}, body: JSON.parse(outcome.json) }
    : { undone, headers: {}, error: { name: outcome.error.name, kind: outcome.error.kind, message: outcome.error.message } }
}

/** Begins a call. Its answer is taken when it comes. */
export const begin = (
  world: World,
  method: string,
  params: Record<string, unknown>,
  then?: (call: Call) => void,
  service = world.random.pick(running(world)),
): void => {
  const call: Call = {
    number: world.calls.length,
    method,
    params,
    service,
    undoneBefore: world.chain.undone(),
    step: world.step,
    answers: 0,
  }
  world.calls.push(call)
  world.log(`call ${call.number} at ${service.name}: ${method} ${JSON.stringify(params).slice(0, 120)}`)
  service.call(method, params).then(
    (outcome) => {
      if (!service.isAlive) return
      take(call, world.chain.undone(), outcome)
      world.log(
        `answer ${call.number}: ${outcome.ok ? `${outcome.json.length} characters` : `${outcome.error.kind} ${outcome.error.message}`}`,
      )
      then?.(call)
    },
    (error: Error) => {
      if (!service.isAlive) return
      call.answers++
      call.answer = { undone: world.chain.undone(), headers: {}, error: { name: error.name, kind: 'none', message: error.message } }
      world.log(`call ${call.number} rejected: ${error.name} ${error.message}`)
    },
  )
}

const addressOf = (id: { readonly workchain: number; readonly hash: Uint8Array }): string =>
  `${id.workchain}:${Buffer.from(id.hash).toString('hex')}`

const send = async (world: World): Promise<void> => {
  const transfer = await world.chain.transfer(world.random)
  if (transfer === undefined) return
  const { hash, boc, done } = transfer
  world.log(`message ${hash}`)
  begin(world, 'sendBoc', { boc: Buffer.from(boc).toString('base64') }, ({ answer, undoneBefore }) => {
    done()
    // The chain may have had it, and lost it by a revert, before the answer: that waits for half a second until the pending trace is published.
    if (answer !== undefined && 'body' in answer) world.sent.push({ hash, undone: undoneBefore })
  })
}

/** Pages are so small that no thread answers them. */
const READS: readonly ((world: World) => readonly [method: string, params: Record<string, unknown>])[] = [
  () => ['v3.masterchainInfo', {}],
  () => ['v3.transactions', { limit: 100, sort: 'asc' }],
  () => ['v3.blocks', { workchain: -1, limit: 100, sort: 'asc' }],
  () => ['v3.traces', { limit: 10, include_actions: true }],
  ({ random, chain }) => ['v3.accountStates', { address: [addressOf(random.pick(chain.wallets).id)] }],
  ({ random, chain }) => ['v3.transactions', { account: [addressOf(random.pick(chain.wallets).id)], limit: 100 }],
  ({ random, chain }) => ['v3.transactions', { mc_seqno: 1 + random.below(chain.head()), limit: 100 }],
  () => ['getMasterchainInfo', {}],
]

/** Walks over the pages of a list at one process, each page after the one before. */
const walk = async (world: World): Promise<void> => {
  const { random, chain } = world
  const account = random.chance(0.5) ? { account: [addressOf(random.pick(chain.wallets).id)] } : {}
  const params = { ...account, limit: 1 + random.below(15), sort: 'asc' }
  const own: Walk = { calls: [], isOver: false }
  world.walks.push(own)
  const service = random.pick(running(world))
  const next = (cursor: string): void =>
    begin(
      world,
      'v3.transactions',
      { ...params, cursor },
      (call) => {
        own.calls.push(call)
        const after = call.answer?.headers['X-Next-Cursor']
        if (after === undefined) own.isOver = true
        else next(after)
      },
      service,
    )
  next('')
}

const read = async (world: World): Promise<void> => begin(world, ...world.random.pick(READS)(world))

const subscribe = async (world: World): Promise<void> => {
  const { random, subscribers } = world
  const subscriber = random.pick(subscribers)
  const service = random.pick(running(world))
  world.log(`subscriber ${subscriber.number} subscribes at ${service.name}`)
  subscriber.subscribe(service)
}

const leave = async (world: World): Promise<void> => {
  const subscriber = world.random.pick(world.subscribers)
  world.log(`subscriber ${subscriber.number} leaves`)
  subscriber.leave()
}

const kill = async (world: World): Promise<void> => {
  const service = world.random.pick(world.services.filter(({ isAlive }) => isAlive))
  world.log(`kill ${service.name}`)
  await service.kill()
}

const trouble = async (world: World): Promise<void> => {
  // Blocks of an embedded chain are not proven: it is in the same process, or its operator's own.
  const kind = world.random.pick(world.chain.revert === undefined ? KINDS : KINDS.filter((each) => each !== 'lies'))
  world.log(`the source ${kind}`)
  world.trouble.begin(kind)
}

const endTrouble = async (world: World): Promise<void> => {
  world.log('the source is well')
  world.trouble.begin('none')
}

/** Processes that live at the same time. */
const MOST_SERVICES = 2
const living = ({ services }: World): number => services.filter(({ isAlive }) => isAlive).length

const startAnother = async (world: World): Promise<void> => {
  const name = `p${world.services.length}`
  world.log(`start ${name}`)
  await world.start(name)
}

const ACTIONS: readonly Action[] = [
  { name: 'statement', weight: 60, isPossible: ({ gate }) => gate.waiting().length > 0, run: pass },
  { name: 'time', weight: 12, isPossible: ({ time }) => time.untilNext() !== undefined, run: passTime },
  { name: 'block', weight: 7, isPossible: () => true, run: mine },
  { name: 'revert', weight: 0.7, isHostile: true, isPossible: ({ chain }) => chain.revert !== undefined && chain.head() > 3, run: revert },
  { name: 'message', weight: 7, isPossible: (world) => running(world).length > 0, run: send },
  { name: 'read', weight: 7, isPossible: (world) => running(world).length > 0, run: read },
  { name: 'pages', weight: 2, isPossible: (world) => running(world).length > 0, run: walk },
  { name: 'key', weight: 0.8, isPossible: (world) => running(world).length > 0, run: createKey },
  { name: 'revoke', weight: 0.5, isPossible: (world) => world.keys.length > 0 && running(world).length > 0, run: revokeKey },
  { name: 'show', weight: 1, isPossible: (world) => world.keys.length > 0 && running(world).length > 0, run: showAnyKey },
  { name: 'subscribe', weight: 2, isPossible: (world) => running(world).length > 0, run: subscribe },
  { name: 'leave', weight: 0.5, isHostile: true, isPossible: () => true, run: leave },
  { name: 'trouble', weight: 0.8, isHostile: true, isPossible: (world) => world.trouble.kind() === 'none', run: trouble },
  { name: 'end of trouble', weight: 6, isPossible: (world) => world.trouble.kind() !== 'none', run: endTrouble },
  { name: 'kill', weight: 0.6, isHostile: true, isPossible: (world) => living(world) > 0, run: kill },
  { name: 'start', weight: 4, isPossible: (world) => living(world) < MOST_SERVICES, run: startAnother },
]

/** One of the actions that are possible, by their weights. */
export const drawAction = (world: World): Action => {
  const possible = ACTIONS.filter((action) => (world.isHostile || !action.isHostile) && action.isPossible(world))
  let left = world.random.fraction() * possible.reduce((sum, { weight }) => sum + weight, 0)
  for (const action of possible) {
    left -= action.weight
    if (left < 0) return action
  }
  return possible.at(-1)!
}
