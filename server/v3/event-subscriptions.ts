import { TonError } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { subscriptions } from '../../shared/live/subscriptions.ts'
import type { Params } from '../../shared/registry.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import type { Call, EventSocket } from '../base/call.ts'
import { isOverLimit } from '../base/limits/caller-limits.ts'
import { createChunk } from '../base/writer/chunk.ts'
import { type Cursor, parseCursor, withCursor } from '../live/cursor.ts'
import type { Filter } from '../live/filter.ts'
import type { Hub } from '../live/hub.ts'
import type { Frame } from '../live/listener.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'

/** The raw address in upper case, the form that events use. */
export const rawAddress = (address: { readonly workchain: number; readonly hash: Uint8Array }): string => formatRaw(address, 'upper')

export const filterOf = (params: Omit<Params<'subscribe'>, 'since'>): Filter => ({
  types: new Set(params.types),
  accounts: new Set(params.addresses?.map(rawAddress)),
  hashes: new Set(params.trace_external_hash_norms?.map((hash) => Buffer.from(hash).toString('base64'))),
  minFinality: params.min_finality ?? 'finalized',
  book: params.include_address_book ?? false,
  metadata: params.include_metadata ?? false,
  actionTypes: new Set(params.action_types),
  supportedTypes: new Set(actionTypesOf({ supported_action_types: params.supported_action_types ?? ['latest'] })),
  scope: 'block',
})

/** Wraps events as notifications of one subscription. Subscriptions with the same id on different sockets share the encoded texts. */
const frameOf = (id: string): Frame => {
  const head = `{"jsonrpc":"2.0","method":"subscription","params":{"subscription":${JSON.stringify(id)},"result":`
  return {
    key: `rpc ${id}`,
    wrap: (json, cursor) => Buffer.from(`${head}${withCursor(json, cursor)}}}`),
  }
}

const socketOf = ({ events }: Call): EventSocket => {
  if (events) return events
  throw new TonError('INVALID_REQUEST', 'subscriptions need a WebSocket: connect to /jsonRPC with one, and call there')
}

/** Throws INVALID_PARAMS if the text is not a cursor. */
export const cursorOf = (text: string | undefined): Cursor | undefined => {
  const cursor = text === undefined ? undefined : parseCursor(text)
  if (text !== undefined && cursor === undefined)
    throw new TonError('INVALID_PARAMS', 'invalid cursor: it has to be the cursor of an event', {
      issues: [{ param: 'since', message: 'not a cursor', expected: 'a cursor as an event had it' }],
    })
  return cursor
}

const namedBy = ({ accounts, hashes }: Filter): number => accounts.size + hashes.size

/** Throws if a subscription would exceed the limits of the socket. */
const checkRoom = ({ subscriptions, limits }: EventSocket, filter: Filter): void => {
  if (isOverLimit(subscriptions.size + 1, limits.subscriptions))
    throw new TonError('INVALID_PARAMS', `subscription limit reached: ${subscriptions.size} on this socket, max ${limits.subscriptions}`)
  let current = 0
  for (const { named } of subscriptions.values()) current += named
  if (isOverLimit(current + namedBy(filter), limits.addresses))
    throw new TonError(
      'INVALID_PARAMS',
      `address limit exceeded: current ${current} + new ${namedBy(filter)} > max ${limits.addresses} of a socket`,
    )
}

export const subscriptionHandlers = (hub: Hub): AnswerHandlers<keyof typeof subscriptions> => ({
  async subscribe(params, call) {
    const socket = socketOf(call)
    const filter = filterOf(params)
    const since = cursorOf(params.since)
    checkRoom(socket, filter)
    await socket.enter()
    call.signal.throwIfAborted()
    checkRoom(socket, filter)
    const id = socket.nextId()
    const frame = frameOf(id)
    const { writer } = socket
    const { client } = call
    const { replays } = socket.limits
    const sink = { frame, client, replays, push: writer.push, room: writer.room, fail: socket.fail, takesResets: true }
    // After its deadline the call is answered with an error. The subscription is then closed, because the caller would never get its id.
    const listening = hub.listen(filter, sink, since, call.signal)
    socket.subscriptions.set(id, { named: namedBy(filter), close: listening.close })
    try {
      const { cursor, resumed } = await listening.started
      call.signal.throwIfAborted()
      socket.onAnswered(() => {
        const notice = JSON.stringify({ type: 'subscribed', ...(params.since !== undefined && { resumed }) })
        writer.push(createChunk([frame.wrap(notice, cursor)], 'events', cursor))
        listening.begin()
      })
    } catch (error) {
      socket.subscriptions.delete(id)
      listening.close()
      throw error
    }
    return { body: id }
  },

  async unsubscribe({ subscription }, call) {
    const { subscriptions } = socketOf(call)
    subscriptions.get(subscription)?.close()
    return { body: subscriptions.delete(subscription) }
  },
})
