import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createPermits } from '../../server/base/permits.ts'
import { createChunk } from '../../server/base/writer/chunk.ts'
import { createSecret, messageId } from '../../server/hooks/delivery.ts'
import type { QueueBudget } from '../../server/hooks/event-queue.ts'
import { startRunner } from '../../server/hooks/runner.ts'
import type { Hook } from '../../server/hooks/store.ts'
import { type Cursor, formatCursor } from '../../server/live/cursor.ts'
import type { Hub } from '../../server/live/hub.ts'
import type { Sink } from '../../server/live/listener.ts'
import { createPost, type Post } from '../../server/net/post.ts'
import { sleep, until } from '../kit/wait.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/* One hook over a hub that the test writes for. */

let receiver: Receiver
let post: Post
beforeAll(async () => {
  receiver = await startReceiver()
  post = createPost({ hosts: [], loopback: true })
})
afterAll(async () => {
  post?.close()
  await receiver?.close()
})

const at = (seqno: number): Cursor => ({ seqno, hash: Buffer.alloc(32, 1), ancestors: Buffer.alloc(24, 2), place: '~' })

/** A hub whose events are `block` with a seqno. A listener gets what is there after its cursor at once, and the rest as it comes. */
const createScript = () => {
  const events: { readonly json: string; readonly seqno: number | undefined }[] = []
  let sink: Sink | undefined
  let listens = 0
  let undone: { readonly json: string; readonly seqno: number } | undefined
  const pushTo = (to: Sink, { json, seqno }: (typeof events)[number]): void => {
    const cursor = seqno === undefined ? '' : formatCursor(at(seqno))
    to.push(createChunk([to.frame.wrap(json, cursor)], 'events', cursor))
  }
  const hub = {
    listen(_: unknown, to: Sink, since: Cursor) {
      listens++
      const from = since.place === '~' ? since.seqno : since.seqno - 1
      let isOpen = true
      const replay = async (): Promise<void> => {
        if (undone !== undefined && since.seqno > undone.seqno) pushTo(to, undone)
        // What has no place comes after the place before it.
        for (let i = events.findLastIndex(({ seqno }) => seqno !== undefined && seqno <= from) + 1; isOpen && i < events.length; i++) {
          pushTo(to, events[i]!)
          await to.room()
        }
        if (isOpen) sink = to
      }
      return {
        started: Promise.resolve({ cursor: '', resumed: true }),
        begin: () => void replay(),
        isLive: () => sink === to,
        close() {
          isOpen = false
          if (sink === to) sink = undefined
        },
      }
    },
  } as unknown as Hub
  return {
    hub,
    listens: () => listens,
    say(json: string, seqno?: number): void {
      const event = { json, seqno }
      events.push(event)
      if (sink !== undefined) pushTo(sink, event)
    },
    /** Goes back to a block: what is above it is forgotten. A listener whose cursor is above it gets the revert when it comes back. */
    revert(seqno: number): void {
      const event = { json: `{"type":"reset","seqno":${seqno}}`, seqno }
      undone = event
      if (sink !== undefined) pushTo(sink, event)
    },
    block(seqno: number): void {
      this.say(`{"type":"block","workchain":-1,"seqno":${seqno}}`, seqno)
    },
  }
}

const budgetOf = (bytes = 0): QueueBudget => ({
  bytes,
  ofOwner: new Map(),
  turns: createPermits({ atOnce: 8, waiting: 100, patience: 60_000, text: '' }),
})

let paths = 0
const start = (options: { now?: () => number; firstPause?: number; budget?: QueueBudget; post?: Post; owner?: string } = {}) => {
  const script = createScript()
  const path = `/runner-${++paths}`
  const secret = createSecret()
  receiver.secrets.set(path, secret)
  const hook: Hook = {
    ...{
      id: `hook_${paths}`,
      owner: options.owner ?? '',
      url: receiver.url + path,
      secret,
      filter: { types: ['blocks'] },
      cursor: formatCursor(at(1)),
    },
    ...{ createdAt: 0, paused: false, reason: undefined, failures: 0, failingSince: undefined, nextTry: 0 },
  }
  const permits = createPermits({ atOnce: 100, waiting: 100, patience: 60_000, text: '' })
  const failures: string[] = []
  const budget = options.budget ?? budgetOf()
  const runner = startRunner(hook, {
    ...{ hub: script.hub, post: options.post ?? post, budget, permits: { healthy: permits, failing: permits } },
    onMove: () => {},
    onOutcome: (_, { reason }) => reason !== undefined && failures.push(reason),
    now: options.now ?? Date.now,
    firstPause: options.firstPause,
    log: silentLog,
  })
  const seqnos = (): number[] => receiver.taken(path).map(({ seqno }) => seqno!)
  return { script, hook, runner, path, seqnos, failures, budget }
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('the deliveries of a hook', () => {
  it('deliveries of more events than may wait are all made, in order, by reading on from the cursor', async () => {
    const { script, hook, runner, seqnos } = start()
    for (let seqno = 2; seqno <= 1_000; seqno++) script.block(seqno)
    await until(() => seqnos().length === 999)
    expect(seqnos()).toEqual(range(2, 1_000))
    expect(script.listens()).toBeGreaterThan(2)
    await until(() => hook.cursor === formatCursor(at(1_000)))
    await runner.stop()
  })

  it('deliveries go on when all hooks together hold as much as they may', async () => {
    const { script, runner, seqnos } = start({ budget: budgetOf(64 << 20) })
    for (let seqno = 2; seqno <= 20; seqno++) script.block(seqno)
    await until(() => seqnos().length === 19)
    expect(seqnos()).toEqual(range(2, 20))
    await runner.stop()
  })

  it('deliveries of large events wait for their turn when all hooks together hold as much as they may, without reading in vain', async () => {
    const budget = budgetOf()
    const megabyte = 1 << 20
    const large = `{"type":"block","text":"${'x'.repeat(8 * megabyte)}"}`
    let most = 0
    const slow: Post = {
      ...post,
      async send() {
        most = Math.max(most, budget.bytes)
        await sleep(20)
        return 200
      },
    }
    const hooks = Array.from({ length: 40 }, () => start({ budget, post: slow }))
    for (const { script } of hooks) for (const seqno of [2, 3]) script.say(large, seqno)
    await until(() => hooks.every(({ hook }) => hook.cursor === formatCursor(at(3))))
    expect(most).toBeLessThan((64 + 8 + 8 * 8) * megabyte + 10_000)
    for (const { script } of hooks) expect(script.listens()).toBeLessThanOrEqual(5)
    await Promise.all(hooks.map(({ runner }) => runner.stop()))
    expect(budget.bytes).toBe(0)
    expect(budget.turns.takeNow()).toBeDefined()
  })

  it('deliveries of large events to one owner do not wait for the silent receivers of another', async () => {
    const budget = budgetOf()
    const large = `{"type":"block","text":"${'x'.repeat(1 << 20)}"}`
    const silent: Post = { ...post, send: () => new Promise(() => {}) }
    const others = Array.from({ length: 80 }, () => start({ budget, post: silent, owner: 'other' }))
    for (const { script } of others) script.say(large, 2)
    const { script, hook, runner } = start({ budget, post: { ...post, send: async () => 200 }, owner: 'own' })
    for (const seqno of [2, 3, 4]) script.say(large, seqno)
    await until(() => hook.cursor === formatCursor(at(4)))
    expect(budget.bytes).toBeLessThan((16 + 1 + 8) * 1.1 * (1 << 20))
    await runner.stop()
  })

  it('deliveries of states come to the next event, also of a large one while all hooks together hold as much as they may', async () => {
    const budget = budgetOf()
    budget.bytes = 64 << 20
    const { script, runner, path } = start({ budget })
    script.say('{"type":"reset","seqno":1}')
    for (const text of ['small', 'x'.repeat(20_000)]) script.say(`{"type":"account_state_change","account":"${text}"}`)
    script.block(3)
    await until(() => receiver.taken(path).at(-1)?.seqno === 3)
    expect(receiver.taken(path).filter(({ account }) => account === 'small').length).toBeLessThanOrEqual(2)
    await runner.stop()
    expect(budget.turns.takeNow()).toBeDefined()
  })

  it('deliveries after a revert and a gap come to the next event, however many states there are, of which few wait at a time', async () => {
    const { script, runner, path, budget } = start()
    script.block(2)
    await until(() => receiver.taken(path).length === 1)
    let most = 0
    receiver.respond = () => {
      most = Math.max(most, budget.bytes)
      return 200
    }
    script.say('{"type":"reset","seqno":1}')
    script.say('{"type":"gap","from_seqno":2,"to_seqno":3}')
    for (let i = 0; i < 600; i++) script.say(`{"type":"account_state_change","account":"${1_000 + i}"}`)
    for (let seqno = 3; seqno <= 10; seqno++) script.block(seqno)
    await until(() => receiver.taken(path).at(-1)?.seqno === 10)
    expect(most).toBeLessThan(300 * '{"type":"account_state_change","account":"1000"}'.length)
    // Those that came before the queue was full come again, with their ids.
    const own = new Map(receiver.all.filter((one) => one.path === path).map(({ id, event }) => [id, event]))
    const accounts = [...own.values()].flatMap(({ account }) => account ?? [])
    expect(accounts).toEqual(Array.from({ length: 600 }, (_, i) => String(1_000 + i)))
    expect([...own.values()].map(({ type, seqno }) => seqno ?? type).filter((each) => each !== 'account_state_change')).toEqual([
      ...[2, 1, 'gap'],
      ...range(3, 10),
    ])
    await runner.stop()
    receiver.respond = () => 200
  })

  it('deliveries of two reverts to one block have two ids, and each has one at all its attempts', async () => {
    const { script, runner, path } = start({ firstPause: 1 })
    let refused = 0
    receiver.respond = ({ path: to, event: { type } }) => (to === path && type === 'reverted' && ++refused % 2 === 1 ? 500 : 200)
    for (const seqno of [3, 4]) {
      script.block(seqno)
      await until(() => receiver.taken(path).at(-1)?.seqno === seqno)
      // A hook that listens again has its cursor on the chain that was reverted, so it gets the revert again.
      script.revert(2)
      await until(() => receiver.taken(path).at(-1)?.type === 'reverted')
    }
    const ids = receiver.all.filter((one) => one.path === path && one.event.type === 'reverted').map(({ id }) => id)
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
    expect(ids[2]).not.toBe(ids[0])
    await runner.stop()
    receiver.respond = () => 200
  })

  it('deliveries have the same id when the index has lost blocks before theirs', () => {
    const cursor = formatCursor({ ...at(500), place: '5' })
    const later = formatCursor({ ...at(500), place: '5', ancestors: Buffer.alloc(24) })
    expect(messageId('hook', later)).toBe(messageId('hook', cursor))
    expect(messageId('hook', formatCursor({ ...at(500), place: '6' }))).not.toBe(messageId('hook', cursor))
  })

  it('a gap that is sent again after a place without events has the same id', async () => {
    const { script, runner, path, failures } = start({ firstPause: 1 })
    receiver.respond = ({ path: to }) => (to === path && failures.length === 0 ? 500 : 200)
    await until(() => script.listens() === 1)
    await sleep(10)
    runner.skipTo(at(5))
    const gap = '{"type":"gap","from_seqno":2,"to_seqno":3}'
    script.say(gap)
    await until(() => script.listens() === 2)
    await sleep(10)
    script.say(gap)
    await until(() => receiver.taken(path).length === 1)
    const [first, second] = receiver.all.filter((one) => one.path === path)
    expect(second!.id).toBe(first!.id)
    await runner.stop()
    receiver.respond = () => 200
  })

  it('deliveries that fail for a day pause the hook, after growing pauses of at most four hours', async () => {
    let now = 1_700_000_000_000
    const tries: number[] = []
    const { script, hook, path, failures, runner } = start({ now: () => now, firstPause: 1_000 })
    // The clock of the test is too far from that of the machine for a check of signatures.
    receiver.secrets.delete(path)
    receiver.respond = (delivery) => {
      if (delivery.path !== path) return 200
      tries.push(now)
      return 503
    }
    script.block(2)
    await until(() => failures.length === 1)
    await runner.stop()
    while (!hook.paused && tries.length < 100) {
      now = hook.nextTry
      const { runner: next, failures: own } = restart(hook, script, () => now)
      await until(() => own.length === 1)
      await next.stop()
    }
    const pauses = tries.slice(1).map((time, i) => time - tries[i]!)
    expect(pauses.slice(0, 4)).toEqual([1_000, 3_000, 9_000, 27_000])
    expect(Math.max(...pauses)).toBe(4 * 3_600_000)
    expect(now - tries[0]!).toBeGreaterThanOrEqual(24 * 3_600_000)
    expect(tries.length).toBeLessThan(20)
    expect(hook).toMatchObject({ paused: true, reason: 'answered with 503' })
    receiver.respond = () => 200
  })

  it('deliveries to a receiver that never answers end after ten seconds, and hold those of no other hook', async () => {
    const [deaf, well] = [start(), start()]
    receiver.respond = ({ path }) => (path === deaf.path ? new Promise<number>(() => {}) : 200)
    const began = performance.now()
    for (let seqno = 2; seqno <= 50; seqno++) for (const { script } of [deaf, well]) script.block(seqno)
    await until(() => well.seqnos().length === 49)
    expect(deaf.failures).toEqual([])
    await until(() => deaf.failures.length === 1)
    expect(performance.now() - began).toBeGreaterThan(9_900)
    expect(deaf.failures).toEqual(['no answer within 10 s'])
    await Promise.all([deaf.runner.stop(), well.runner.stop()])
    receiver.respond = () => 200
  }, 120_000)
})

it('a hook that is stopped while it waits for its turn begins no delivery', async () => {
  const [busy, waiting] = [start(), start()]
  await Promise.all([busy.runner.stop(), waiting.runner.stop()])
  const permits = createPermits(ONE_AT_ONCE)
  let answer = (_status: number): void => {}
  const requested: string[] = []
  receiver.respond = ({ path }) => {
    requested.push(path)
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  for (const { script } of [busy, waiting]) script.block(2)
  const first = restart(busy.hook, busy.script, Date.now, permits)
  await until(() => requested.length === 1)
  const second = restart(waiting.hook, waiting.script, Date.now, permits)
  await sleep(50)
  const stopped = Promise.all([first.runner.stop(), second.runner.stop()])
  answer(200)
  await stopped
  expect(busy.hook.cursor).toBe(formatCursor(at(2)))
  expect(requested).toEqual([busy.path])
  receiver.respond = () => 200
})

const ONE_AT_ONCE = { atOnce: 1, waiting: 1, patience: 60_000, text: '' }
const restart = (hook: Hook, { hub }: ReturnType<typeof createScript>, now: () => number, permits = createPermits(ONE_AT_ONCE)) => {
  const failures: string[] = []
  const runner = startRunner(hook, {
    ...{ hub, post, budget: budgetOf(), permits: { healthy: permits, failing: permits }, onMove: () => {}, now, log: silentLog },
    onOutcome: (_, { reason }) => reason !== undefined && failures.push(reason),
  })
  return { runner, failures }
}
