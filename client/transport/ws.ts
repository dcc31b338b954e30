import type { Failure } from '../errors.ts'
import { deliverBatch, deliverLone, failureOf, type Head, type Item, isItem } from '../reply.ts'
import { createSubscriptions, type Subscribe } from '../subscribe.ts'
import { serverAddressOf } from '../url.ts'
import type { ServerOptions } from './http.ts'
import { createLine, type ReconnectOptions, type SocketConstructor } from './reconnecting-socket.ts'
import type { Call, Deliver, Outcome, Transport } from './transport.ts'

export interface WebSocketOptions extends ServerOptions {
  /** A WebSocket class for runtimes without one (Node before 22), for example from the package `ws`. */
  readonly WebSocket?: SocketConstructor | undefined
  readonly reconnect?: ReconnectOptions | undefined
  /** While there are subscriptions, a socket that receives nothing for this many milliseconds is probed; default 30,000. */
  readonly keepAlive?: number | undefined
}

export interface WebSocketTransport extends Transport {
  readonly subscribe: Subscribe
  close(): void
}

interface Group {
  readonly left: Map<unknown, Call>
  readonly deliver: Deliver
  /** Number of messages that the current socket had received when the group was sent; undefined if the group was not sent on this socket. */
  sentAt: number | undefined
  sent: number
}

/** Matches the id at the start of a message. If a message is too large to parse, only the group with this id fails. */
const ANSWERED = /^\[?\{(?:"ok":\w+,)?"jsonrpc":"2.0","id":(\d+)/

/** Maximum characters of a notification. An event of tonway has at most 16 Mi of transactions and 8 of metadata. */
const MAX_EVENT = 32 << 20
/** Maximum characters of a message. If an event dropped the socket, the next socket would get the same event again. */
const limitOf = (text: string, ofAnswer: number): number => Math.max(ofAnswer, text.startsWith('{"jsonrpc":"2.0","m') ? MAX_EVENT : 0)

const MAX_GROUPS = 10_000
const MAX_SENT = 3

const lostBy = (endpoint: string, wasOpen: boolean): Failure => ({
  kind: 'NETWORK',
  message: wasOpen ? 'the socket was lost' : 'no socket could be opened',
  endpoint,
  retry: true,
})

const endGroup = ({ left, deliver }: Group, outcome: Outcome): void => {
  for (const call of left.values()) deliver(call, outcome)
}

/**
 * Resets a group after its socket was lost. A sent write may have been executed, so it fails and is not sent again. A read fails after `MAX_SENT` sockets,
 * because the read itself may be what breaks them. All calls fail if it is hopeless to wait for a socket.
 */
const unsend = (group: Group, failure: Failure, hopeless: boolean): void => {
  for (const call of group.left.values())
    if (hopeless || (group.sentAt !== undefined && (call.write || group.sent >= MAX_SENT))) group.deliver(call, { failure })
  group.sentAt = undefined
}

/** Delivers the items of a message to the waiting calls. An item without an id goes to `notify`. The rejection of a whole message goes to `refuse`. */
const handOut = (
  body: unknown,
  head: Head & { readonly chars: number },
  waiting: ReadonlyMap<unknown, Group>,
  notify: (item: Item, chars: number) => void,
  refuse: (failure: Failure) => void,
): void => {
  const items = (Array.isArray(body) ? body : [body]).filter(isItem)
  for (const item of items) {
    const { id } = item
    const group = waiting.get(id)
    if (group && Array.isArray(body)) {
      deliverBatch([...group.left.values()], items, head, group.deliver)
      // It answers one group. For each further one, all items would be read again.
      return
    }
    if (group) deliverLone(group.left.get(id)!, item, head, group.deliver)
    else if (id === undefined) notify(item, head.chars)
    else if (id === null) {
      // A null id means that the server rejected a whole message without saying which one.
      const refusal = failureOf(item, head)
      if (refusal) refuse(refusal)
    }
  }
}

const classOf = ({ WebSocket: given }: WebSocketOptions): SocketConstructor => {
  const found = given ?? (globalThis.WebSocket as SocketConstructor | undefined)
  if (!found) throw new TypeError('WebSocket: this runtime has none, pass one')
  return found
}

/** JSON-RPC over one WebSocket. When a socket is lost, unanswered reads are sent again on the next socket. Unanswered writes fail. */
export const webSocket = (options: WebSocketOptions): WebSocketTransport => {
  const { timeout = 10_000, maxAnswerBytes = 8 << 20, parse = JSON.parse } = options
  const { url, endpoint, key } = serverAddressOf(options.url, options.key)
  const WebSocket = classOf(options)
  const head = { endpoint, status: 200 }
  const groups = new Set<Group>()
  const waiting = new Map<unknown, Group>()
  let received = 0
  let closed = false

  const failure = (kind: Failure['kind'], message: string) => ({ failure: { kind, message, endpoint } })
  const over = () => failure('ABORTED', 'the client was closed')
  const endAll = (outcome: Outcome): void => {
    for (const group of groups) endGroup(group, outcome)
  }
  const end = (outcome: ReturnType<typeof failure>): void => {
    endAll(outcome)
    subscriptions.close(outcome.failure)
  }
  const transmit = (group: Group): void => {
    const texts = Array.from(group.left.values(), (call) => call.text)
    if (!line.send(texts.length > 1 ? `[${texts}]` : texts[0]!)) return
    group.sentAt = received
    group.sent++
  }
  /** Fails all calls and drops the socket, because later messages on it can no longer be matched to calls. */
  const fatal = (outcome: Outcome): void => {
    endAll(outcome)
    line.drop()
  }

  const receive = (data: unknown): void => {
    received++
    const text = String(data)
    let body: unknown
    if (text.length > limitOf(text, maxAnswerBytes)) {
      const group = waiting.get(Number(ANSWERED.exec(text)?.[1]))
      const tooLarge = failure('ANSWER_TOO_LARGE', `an answer of over ${maxAnswerBytes} bytes`)
      if (group) endGroup(group, tooLarge)
      else fatal(tooLarge)
    } else
      try {
        body = parse(text)
      } catch {
        fatal(failure('PROTOCOL', 'a message that is no JSON'))
      }
    handOut(body, { ...head, chars: text.length }, waiting, subscriptions.notify, (refusal) => endAll({ failure: refusal }))
  }

  const line = createLine(
    {
      url: `${url.replace(/^http/, 'ws')}${key ? `${url.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key)}` : ''}`,
      WebSocket,
      timeout,
      ...options.reconnect,
    },
    {
      open() {
        for (const group of groups) transmit(group)
        subscriptions.restore()
      },
      message: receive,
      lost(hopeless, wasOpen) {
        const failure = lostBy(endpoint, wasOpen)
        for (const group of groups) unsend(group, failure, hopeless)
        subscriptions.lost(failure)
      },
      refused: (reason) => end(failure('UNAUTHORIZED', reason)),
      needed: () => groups.size > 0 || subscriptions.any(),
    },
  )

  const send: Transport['send'] = (calls, signal, hand) =>
    new Promise((resolve) => {
      if (closed || groups.size >= MAX_GROUPS) {
        // A retry after `close` must fail, so that it does not open the socket again.
        for (const call of calls) hand(call, closed ? over() : failure('QUEUE_FULL', 'too many wait'))
        return resolve()
      }
      const left = new Map(calls.map((call) => [call.id as unknown, call]))
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        for (const id of left.keys()) waiting.delete(id)
        groups.delete(group)
        resolve()
      }
      const group: Group = {
        left,
        sentAt: undefined,
        sent: 0,
        deliver(call, outcome) {
          waiting.delete(call.id)
          left.delete(call.id)
          hand(call as (typeof calls)[number], outcome)
          if (left.size === 0) end()
        },
      }
      const abort = (): void => endGroup(group, failure('ABORTED', 'given up'))
      const timer = setTimeout(() => {
        // If no message arrived since the group was sent, or if the group was never sent, the socket is dead.
        const dead = (group.sentAt ?? received) === received
        endGroup(group, failure('TIMEOUT', `no answer within ${timeout} ms`))
        if (dead) line.drop()
      }, timeout)
      signal.addEventListener('abort', abort)
      groups.add(group)
      for (const id of left.keys()) waiting.set(id, group)
      line.open()
      transmit(group)
    })

  const subscriptions = createSubscriptions({ keepAlive: options.keepAlive ?? 30_000, send, line, seen: () => received })
  return {
    endpoint,
    send,
    subscribe: subscriptions.subscribe,
    close() {
      closed = true
      end(over())
      line.close()
    },
  }
}
