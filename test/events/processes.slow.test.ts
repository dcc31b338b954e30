import type { Address } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, watch, webSocket } from '../../client/index.ts'
import { createRandom } from '../kit/random.ts'
import { ask } from '../kit/service/client.ts'
import { redisMissing } from '../kit/service/redis.ts'
import { sleep, until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createSender, type Event, readRpc, type Sender, stranger } from './kit.ts'
import { createLedger, type Ledger } from './ledger.ts'

/*
 * Events over real processes: a service with two workers and a second service, all on one database. `npm run ledger` runs this for ten minutes
 * (TONWAY_LEDGER_SECONDS).
 */

const SECONDS = Number(process.env['TONWAY_LEDGER_SECONDS'] ?? 6)
const TYPES = ['transactions', 'actions', 'trace'] as const

let fleet: Fleet
let sender: Sender
beforeAll(async () => {
  if (redisMissing !== undefined) return
  fleet = await startFleet()
  sender = await createSender(fleet)
})
afterAll(() => fleet?.close())

/** A reader with the typed client, which resumes by itself, and its sockets. */
interface Watcher {
  readonly ledger: Ledger
  readonly events: Event[]
  /** How often it has connected, and whether a connection is open. */
  connects(): number
  isOpen(): boolean
  lose(): void
  close(): void
}

const watchAll = (url: () => string, accounts: readonly Address[], since?: string): Watcher => {
  const sockets: WebSocket[] = []
  class Watched extends WebSocket {
    constructor() {
      super(`${url().replace('http', 'ws')}/jsonRPC`)
      sockets.push(this)
    }
  }
  const client = createClient({
    transport: webSocket({ url: url(), WebSocket: Watched as never, reconnect: { base: 20, cap: 200 } as never }),
  })
  const ledger = createLedger()
  const events: Event[] = []
  const stop = new AbortController()
  void (async () => {
    const filter = { types: [...TYPES], addresses: accounts.map(rawOf) }
    for await (const event of watch(client, filter, { signal: stop.signal, since })) {
      events.push(event as never)
      ledger.take(event as never)
    }
  })().catch((error: { kind?: string; message: string }) => {
    if (error.kind !== 'ABORTED') ledger.faults.push(`ended: ${error.message}`)
  })
  return {
    ledger,
    events,
    connects: () => sockets.length,
    isOpen: () => sockets.some(({ readyState }) => readyState === WebSocket.OPEN),
    lose() {
      for (const socket of sockets) socket.terminate()
    },
    close() {
      stop.abort()
      client.close()
    },
  }
}

/** A socket of streaming v2 without cursors: the traces that it was told and that were not invalidated. A lost socket begins anew. */
const streamAll = (url: string, accounts: readonly Address[]) => {
  const told = new Map<string, string>()
  let isOpen = true
  let invalidated = 0
  let socket: WebSocket | undefined
  const open = (): void => {
    told.clear()
    if (!isOpen) return
    socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
    socket.on('error', () => {})
    socket.on('open', () => socket!.send(JSON.stringify({ operation: 'subscribe', types: ['trace'], addresses: accounts.map(rawOf) })))
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as Event
      const hash = event.trace_external_hash_norm!
      if (event.type === 'trace') told.set(hash, event['trace_id'] as string)
      else if (event.type === 'trace_invalidated' && told.delete(hash)) invalidated++
    })
    socket.on('close', () => setTimeout(open, 50))
  }
  open()
  return {
    told: () => [...told.values()],
    invalidated: () => invalidated,
    close() {
      isOpen = false
      socket!.terminate()
    },
  }
}

/** Everything that v3 knows of the accounts, page by page. */
const known = async (url: string, accounts: readonly Address[]): Promise<string[]> => {
  const keys = new Set<string>()
  const lists = [
    ['transactions', 'hash', 'tx'],
    ['actions', 'action_id', 'action'],
    ['traces', 'trace_id', 'trace'],
  ] as const
  const limit = 500
  for (const account of accounts)
    for (const [list, id, word] of lists)
      for (let offset = 0; ; offset += limit) {
        const { body } = await ask<Record<string, Record<string, string>[]>>(
          `${url}/api/v3/${list}?account=${rawOf(account)}&limit=${limit}&offset=${offset}&sort=asc`,
        )
        // A service that is not ready for a moment is asked again.
        const rows = body[list]
        if (rows === undefined) {
          await sleep(100)
          offset -= limit
          continue
        }
        for (const row of rows) keys.add(`${word} ${row[id]}`)
        if (rows.length < limit) break
      }
  return [...keys].sort()
}

/** Waits until v3 shows what the chain has, and each reader what v3 has. */
const agree = async (watchers: readonly (readonly [Watcher, readonly Address[]])[]): Promise<void> => {
  for (const [{ ledger }, accounts] of watchers) {
    // After a minute the comparison says what is missing.
    const end = performance.now() + 60_000
    const isWhole = async (): Promise<boolean> => ledger.keys().join() === (await known(fleet.first, accounts)).join()
    while (ledger.faults.length === 0 && performance.now() < end && !(await isWhole())) await sleep(100)
    expect(ledger.faults).toEqual([])
    expect(ledger.keys()).toEqual(await known(fleet.first, accounts))
  }
}

/** The newest place of the chain: a reader that begins there misses nothing, however long its subscription takes. */
const placeNow = async (): Promise<string> => {
  const reader = await readRpc(`${fleet.first.replace('http', 'ws')}/jsonRPC`, { types: ['blocks'] })
  const place = reader.events[0]!.cursor!
  reader.close()
  return place
}

/** Milliseconds after which what still fails is a failure of the test. */
const PATIENCE = 120_000

/** Sends, whatever the fleet goes through: a call may end with the worker that had it. */
const sendSurely = async (to: readonly Address[], text: string): Promise<void> => {
  const seqno = sender.seqno()
  const sent = async (): Promise<boolean> => {
    const { stack } = await fleet.call('runGetMethod', { address: sender.raw, method: 'seqno', stack: [] })
    return Number((stack as [string, string][])[0]![1]) > seqno
  }
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      await sender.send(to, text)
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(50)
      if (await sent().catch(() => false)) return await fleet.settle().catch(() => {})
      if (
        await sent().then(
          (is) => !is,
          () => false,
        )
      )
        sender.rewind(seqno)
    }
  }
}
/** Repeats a control until it is answered. */
const surely = async <T>(run: () => Promise<T>): Promise<T> => {
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(50)
    }
  }
}

describe.skipIf(redisMissing !== undefined)('events over several processes', () => {
  it('events are told at each of several processes, and a cursor of one is valid at all others', async () => {
    const to = stranger()
    const start = await placeNow()
    const [here, there] = [watchAll(() => fleet.first, [to], start), watchAll(fleet.second, [to], start)]
    await until(() => here.connects() > 0 && there.connects() > 0)
    await sender.send([to], 'one')
    await until(() => [here, there].every(({ events }) => events.some(({ type }) => type === 'trace')))
    expect(there.events).toEqual(here.events)
    const client = createClient({ transport: webSocket({ url: fleet.second(), WebSocket: WebSocket as never }) })
    const { cursor } = here.events[0]!
    const resumed: unknown[] = []
    for await (const event of watch(client, { types: [...TYPES], addresses: [rawOf(to)] }, { since: cursor })) {
      resumed.push(event)
      if (resumed.length === here.events.length - 1) break
    }
    expect(resumed).toEqual(here.events.slice(1))
    client.close()
    here.close()
    there.close()
  })

  it('events go on at the other workers without a new connection if one is killed, and its own readers resume', async () => {
    const to = stranger()
    const start = await placeNow()
    // Connections come to a worker in no fixed order: until both have some.
    const watchers: Watcher[] = []
    let shares: readonly number[]
    do {
      watchers.push(...Array.from({ length: 4 }, () => watchAll(() => fleet.first, [to], start)))
      await until(() => watchers.every(({ isOpen }) => isOpen()))
      shares = await fleet.sockets()
    } while (shares.includes(0) && watchers.length < 80)
    const [victim] = fleet.workers()
    await fleet.killWorker(victim!)
    await sendSurely([to], 'after the kill')
    await until(() => watchers.every(({ ledger }) => ledger.size() >= 3))
    expect(shares).toContain(watchers.filter(({ connects }) => connects() === 1).length)
    expect(shares).toContain(watchers.filter(({ connects }) => connects() > 1).length)
    await agree(watchers.map((watcher) => [watcher, [to]] as const))
    for (const watcher of watchers) watcher.close()
  })

  it('events go on at the same address when all workers are killed at the same time', async () => {
    const to = stranger()
    const watcher = watchAll(() => fleet.first, [to], await placeNow())
    await until(watcher.isOpen)
    await fleet.killWorkers()
    await sendSurely([to], 'after all kills')
    await until(() => watcher.ledger.size() >= 3)
    await agree([[watcher, [to]]])
    watcher.close()
  })

  it('events come late and complete on the same connections after the database was gone', { timeout: 300_000 }, async () => {
    const to = stranger()
    const start = await placeNow()
    const watchers = [watchAll(() => fleet.first, [to], start), watchAll(fleet.second, [to], start)]
    await until(() => watchers.every(({ isOpen }) => isOpen()))
    const away = fleet.withoutDatabase(SECONDS > 100 ? 60_000 : 2_000)
    await sleep(100)
    await sendSurely([to], 'unseen')
    await away
    await until(() => watchers.every(({ ledger }) => ledger.size() >= 3))
    await agree(watchers.map((watcher) => [watcher, [to]] as const))
    expect(watchers.map(({ connects }) => connects())).toEqual([1, 1])
    for (const watcher of watchers) watcher.close()
  })
})

describe.skipIf(redisMissing !== undefined)('a ledger of events', () => {
  it(
    'a ledger of events over lost sockets, killed workers and services, and reverts equals v3, with each transaction, action and trace once',
    { timeout: (SECONDS + 180) * 1_000 },
    async () => {
      const random = createRandom(20)
      const accounts = Array.from({ length: 6 }, stranger)
      const sets = [accounts.slice(0, 3), accounts.slice(2, 5), accounts.slice(3)]
      // A place from before the first transfer, because a reader may lose its socket before it is told anything.
      const start = await placeNow()
      const watchers = sets.map((set, i) => watchAll(i === 2 ? fleet.second : () => fleet.first, set, start))
      const stream = streamAll(fleet.first, accounts)
      const counts = { sent: 0, reverts: 0, workers: 0, services: 0, sockets: 0 }
      const end = performance.now() + SECONDS * 1_000
      const faults = [
        async () => {
          counts.sockets++
          watchers[random.below(3)]!.lose()
        },
        async () => {
          counts.workers++
          await fleet.killWorker(fleet.workers()[random.below(2)]!)
        },
        async () => {
          counts.reverts++
          const seqno = sender.seqno()
          const { snapshot } = await surely(() => fleet.call('local.snapshot', {}))
          for (let i = 0; i <= random.below(3); i++) await sendSurely([accounts[random.below(6)]!], 'undone')
          if (random.below(2) === 0) await sleep(random.below(300))
          await surely(() => fleet.call('local.revert', { snapshot }))
          sender.rewind(seqno)
        },
        async () => {
          counts.services++
          await fleet.killSecond()
        },
      ]
      for (let round = 0; performance.now() < end || round < faults.length; round++) {
        const fault = faults[round < faults.length ? round : random.below(round % 10 === 0 ? 4 : 3)]!
        const failing = random.below(2) === 0 ? fault() : undefined
        // It is awaited below.
        failing?.catch(() => {})
        for (let i = 0; i <= random.below(4); i++) {
          counts.sent++
          // A revert takes the sender's number back: nobody else sends meanwhile.
          if (fault === faults[2]) await failing
          await sendSurely([accounts[random.below(6)]!, accounts[random.below(6)]!], `round ${round}`)
        }
        await (failing ?? fault())
      }
      for (const some of [accounts.slice(0, 3), accounts.slice(3)]) await sendSurely(some, 'the last')
      await agree(watchers.map((watcher, i) => [watcher, sets[i]!] as const))
      const traces = new Set(await known(fleet.first, accounts))
      expect(stream.told().filter((trace) => !traces.has(`trace ${trace}`))).toEqual([])
      const told = watchers.map(({ ledger, connects, events }) => ({
        entries: ledger.size(),
        connects: connects(),
        resets: events.filter(({ type }) => type === 'reset').length,
      }))
      if (SECONDS > 60)
        process.stdout.write(`${JSON.stringify({ seconds: SECONDS, ...counts, invalidated: stream.invalidated(), told })}\n`)
      expect(counts.reverts * counts.workers * counts.services * counts.sockets).toBeGreaterThan(0)
      stream.close()
      for (const watcher of watchers) watcher.close()
    },
  )
})
