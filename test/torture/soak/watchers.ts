import type { Event } from '../../events/kit.ts'
import { createLedger, type Ledger } from '../../events/ledger.ts'
import { openSse } from '../../events/sse.ts'
import { startReceiver } from '../../hooks/receiver.ts'
import { call, openLine, rpcRequest } from '../../kit/service/client.ts'
import { until } from '../../kit/wait.ts'

/* Three readers of the same events: a subscription, a stream and a webhook. Each gets every event once. */

const TYPES = ['transactions', 'actions', 'trace']

interface Watcher {
  readonly ledger: Ledger
  /** Puts what has come since into the ledger. */
  read(): void
  close(): Promise<void>
}

const subscribe = async (url: string, addresses: readonly string[]): Promise<Watcher> => {
  const ledger = createLedger()
  const line = await openLine(`${url.replace('http', 'ws')}/jsonRPC`)
  let isOpen = true
  void line.closed.then(({ code, reason }) => isOpen && ledger.faults.push(`the subscription was closed: ${code} ${reason}`))
  const reply = (await line.ask(rpcRequest('subscribe', { types: TYPES, addresses }))) as { readonly error?: object }
  if (reply.error !== undefined) throw new Error(`no subscription: ${JSON.stringify(reply.error)}`)
  const events = line.waiting as { readonly params: { readonly result: Event } }[]
  return {
    ledger,
    read() {
      for (const { params } of events.splice(0)) ledger.take(params.result)
    },
    close() {
      isOpen = false
      line.socket.close()
      return line.closed.then(() => {})
    },
  }
}

const stream = async (url: string, addresses: readonly string[]): Promise<Watcher> => {
  const ledger = createLedger()
  const body = { types: TYPES, addresses, with_cursor: true, min_finality: 'finalized' }
  const { frames, closed, close } = await openSse(`${url}/api/streaming/v2/sse`, body)
  let isOpen = true
  void closed.then(() => isOpen && ledger.faults.push('the stream ended'))
  return {
    ledger,
    read() {
      for (const { data } of frames.splice(0)) if (data?.type !== undefined) ledger.take(data as unknown as Event)
    },
    close() {
      isOpen = false
      close()
      return closed
    },
  }
}

const hook = async (url: string, addresses: readonly string[]): Promise<Watcher> => {
  const ledger = createLedger()
  const receiver = await startReceiver()
  const { id, secret } = await call(url, 'hooks.create', { url: `${receiver.url}/`, types: TYPES, addresses } as never)
  receiver.secrets.set('/', secret)
  /** A delivery may come again with its id. */
  const ids = new Set<string>()
  return {
    ledger,
    read() {
      for (const delivery of receiver.all.splice(0)) {
        if (!ids.has(delivery.id)) ledger.take(delivery.event)
        ids.add(delivery.id)
      }
    },
    async close() {
      await call(url, 'hooks.delete', { id })
      await receiver.close()
    },
  }
}

export interface Watchers {
  /** Waits until all have the same events. Throws if one of them has an event twice, or lost one. */
  check(): Promise<number>
  close(): Promise<void>
}

export const openWatchers = async (url: string, addresses: readonly string[]): Promise<Watchers> => {
  const watchers = await Promise.all([subscribe, stream, hook].map((open) => open(url, addresses)))
  const keys = (): string[] => watchers.map(({ ledger }) => ledger.keys().join())
  const read = (): void => {
    for (const watcher of watchers) watcher.read()
  }
  return {
    async check() {
      const areEqual = (): boolean => {
        read()
        return new Set(keys()).size === 1
      }
      await until(areEqual, 100).catch(() => {})
      const faults = watchers.flatMap(({ ledger }) => ledger.faults)
      if (!areEqual())
        faults.push(`events of the subscription, the stream and the hook: ${watchers.map(({ ledger }) => ledger.size()).join(', ')}`)
      if (faults.length > 0) throw new Error(faults.slice(0, 10).join('; '))
      return watchers[0]!.ledger.size()
    },
    async close() {
      for (const watcher of watchers) await watcher.close()
    },
  }
}
