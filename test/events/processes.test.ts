import type { Address } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, watch, webSocket } from '../../client/index.ts'
import { ask } from '../kit/service/client.ts'
import { sleep, until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createSender, type Event, type Sender, stranger } from './kit.ts'
import { createLedger, type Ledger } from './ledger.ts'

/*
 * Events over real processes: a service with two workers and a second service, all on one database.
 */

const TYPES = ['transactions', 'actions', 'trace'] as const

let fleet: Fleet
let sender: Sender
beforeAll(async () => {
  fleet = await startFleet()
  sender = await createSender(fleet)
})
afterAll(() => fleet?.close())

/** A reader with the typed client, which resumes by itself, and its sockets. */
interface Watcher {
  readonly ledger: Ledger
  readonly events: Event[]
  /** How often it has connected. */
  connects(): number
  lose(): void
  close(): void
}

const watchAll = (url: () => string, accounts: readonly Address[], types: readonly string[] = TYPES): Watcher => {
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
    const filter = { types: types as never, addresses: accounts.map(rawOf) }
    for await (const event of watch(client, filter, { signal: stop.signal })) {
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
    lose() {
      for (const socket of sockets) socket.terminate()
    },
    close() {
      stop.abort()
      client.close()
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
        const rows = body[list]!
        for (const row of rows) keys.add(`${word} ${row[id]}`)
        if (rows.length < limit) break
      }
  return [...keys].sort()
}

/** Waits until v3 shows what the chain has, and each reader what v3 has. */
const agree = async (watchers: readonly (readonly [Watcher, readonly Address[]])[]): Promise<void> => {
  for (const [{ ledger }, accounts] of watchers) {
    const expected = await known(fleet.first, accounts)
    await until(() => ledger.size() >= expected.length || ledger.faults.length > 0)
    expect(ledger.faults).toEqual([])
    expect(ledger.keys()).toEqual(expected)
  }
}

/** Sends, whatever the fleet goes through: a call may end with the worker that had it. */
const sendSurely = async (to: readonly Address[], text: string): Promise<void> => {
  const seqno = sender.seqno()
  const sent = async (): Promise<boolean> => {
    const { stack } = await fleet.call('runGetMethod', { address: sender.raw, method: 'seqno', stack: [] })
    return Number((stack as [string, string][])[0]![1]) > seqno
  }
  for (;;) {
    try {
      await sender.send(to, text)
      return
    } catch {
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
describe('events over several processes', () => {
  it('are told at each of them, and a cursor of one is good at all others', async () => {
    const to = stranger()
    const [here, there] = [watchAll(() => fleet.first, [to]), watchAll(fleet.second, [to])]
    await until(() => here.connects() > 0 && there.connects() > 0)
    await sleep(300)
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

  it('go on at the other workers when one is killed, without a new connection, and its own readers resume', async () => {
    const to = stranger()
    const watchers = Array.from({ length: 8 }, () => watchAll(() => fleet.first, [to]))
    await until(() => watchers.every(({ connects }) => connects() === 1))
    await sleep(300)
    const [victim] = fleet.workers()
    await fleet.killWorker(victim!)
    await sendSurely([to], 'after the kill')
    await until(() => watchers.every(({ ledger }) => ledger.size() >= 3))
    // Sockets come to the workers in turn.
    expect(watchers.filter(({ connects }) => connects() === 1).length).toBeGreaterThan(0)
    expect(watchers.filter(({ connects }) => connects() > 1).length).toBeGreaterThan(0)
    await agree(watchers.map((watcher) => [watcher, [to]] as const))
    for (const watcher of watchers) watcher.close()
  })

  it('come late and whole when the database was gone, on the same connections', async () => {
    const to = stranger()
    const watchers = [watchAll(() => fleet.first, [to]), watchAll(fleet.second, [to])]
    await until(() => watchers.every(({ connects }) => connects() === 1))
    await sleep(300)
    const away = fleet.withoutDatabase(2_000)
    await sleep(100)
    await sendSurely([to], 'unseen')
    await away
    await until(() => watchers.every(({ ledger }) => ledger.size() >= 3))
    await agree(watchers.map((watcher) => [watcher, [to]] as const))
    expect(watchers.map(({ connects }) => connects())).toEqual([1, 1])
    for (const watcher of watchers) watcher.close()
  })
})
