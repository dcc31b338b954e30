import { EVENT_WORDS } from '../../../shared/live/subscriptions.ts'
import { events } from '../../../shared/models/v3/events.ts'
import { type MethodName, registry } from '../../../shared/registry.ts'
import { createComponents, type Json, paramsSchema } from './schema.ts'

/* AsyncAPI 3 of the events: subscriptions over JSON-RPC, and streaming v2 over a WebSocket and over SSE. */

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({ type: 'object', properties, required })
const text = { type: 'string' }
const id = { type: ['string', 'integer'], description: 'Given back in the answer.' }

/** Members of a streaming v2 subscription that `subscribe` of JSON-RPC does not have. */
const STREAM_MEMBERS: Json = {
  id,
  with_cursor: { type: 'boolean', description: 'Whether events have a cursor, and resets and gaps are sent.' },
  resume_from: { ...text, description: 'The cursor of the last event: what happened since is sent first.' },
  finality_scope: {
    enum: ['trace', 'transaction'],
    description: 'Whether finalized transactions come when their whole trace is complete (the default), or with their block.',
  },
}

const subscription = (): Json => {
  const { properties, ...rest } = paramsSchema(registry.subscribe)
  const { since: _, ...filters } = properties as Json
  return { ...rest, properties: { ...filters, ...STREAM_MEMBERS } }
}

const operation = (name: string, schema: Json): Json => ({
  ...schema,
  properties: { operation: { const: name }, id, ...(schema['properties'] as Json) },
  required: ['operation', ...((schema['required'] ?? []) as string[])],
})

const NAMED = ['addresses', 'trace_external_hash_norms']
const named = (members: Json): Json => ({
  type: 'object',
  properties: Object.fromEntries(NAMED.map((name) => [name, (members['properties'] as Json)[name]])),
})

const call = (method: MethodName): Json =>
  object({ jsonrpc: { const: '2.0' }, id, method: { const: method }, params: paramsSchema(registry[method]) })

const status = (word: string): Json => object({ id, status: { const: word } }, ['status'])

const payloads = (): Readonly<Record<string, { readonly title: string; readonly payload: Json }>> => {
  const filters = subscription()
  return {
    subscribeCall: { title: 'Call of subscribe', payload: call('subscribe') },
    unsubscribeCall: { title: 'Call of unsubscribe', payload: call('unsubscribe') },
    answer: { title: 'Answer to a call', payload: object({ jsonrpc: { const: '2.0' }, id, result: {}, error: {} }, ['jsonrpc', 'id']) },
    notification: {
      title: 'Event of a subscription',
      payload: object({
        jsonrpc: { const: '2.0' },
        method: { const: 'subscription' },
        params: object({
          subscription: { ...text, description: 'Id that subscribe returned.' },
          result: { anyOf: [schemaRef('Event'), object({ type: { const: 'subscribed' }, cursor: text }, ['type'])] },
        }),
      }),
    },
    subscribe: { title: 'Subscription', payload: operation('subscribe', filters) },
    unsubscribe: { title: 'End of a subscription', payload: operation('unsubscribe', named(filters)) },
    ping: { title: 'Ping', payload: operation('ping', { type: 'object' }) },
    subscribed: {
      title: 'Subscribed',
      payload: object({ id, status: { const: 'subscribed' }, cursor: text, resumed: { type: 'boolean' } }, ['status']),
    },
    unsubscribed: { title: 'Unsubscribed', payload: status('unsubscribed') },
    pong: { title: 'Pong', payload: status('pong') },
    refused: { title: 'Refusal', payload: object({ id, error: text }, ['error']) },
    streamRequest: { title: 'Subscription by POST or by query', payload: filters },
    event: { title: 'Event', payload: schemaRef('Event') },
  }
}

/** `sent`: messages that clients send. `got`: messages that clients receive. */
const CHANNELS = {
  jsonRpc: {
    address: '/jsonRPC',
    server: 'sockets',
    description: 'JSON-RPC 2.0: events are notifications. All other methods can be called here too (/openrpc.json).',
    sent: ['subscribeCall', 'unsubscribeCall'],
    got: ['answer', 'notification'],
  },
  streamSocket: {
    address: '/api/streaming/v2/ws',
    server: 'sockets',
    description: "TON Center's streaming v2.",
    sent: ['subscribe', 'unsubscribe', 'ping'],
    got: ['subscribed', 'unsubscribed', 'pong', 'refused', 'event'],
  },
  streamSse: {
    address: '/api/streaming/v2/sse',
    server: 'http',
    description: `The same over SSE: by POST, or by GET with the members as query parameters. The first event has the name \`connected\`, the others \`event\`. Types: ${EVENT_WORDS.join(', ')}.`,
    sent: ['streamRequest'],
    got: ['subscribed', 'event'],
  },
}

const channelDocs = (): Json =>
  Object.fromEntries(
    Object.entries(CHANNELS).map(([name, { address, server, description, sent, got }]) => [
      name,
      {
        address,
        description,
        servers: [{ $ref: `#/servers/${server}` }],
        messages: Object.fromEntries([...sent, ...got].map((each) => [each, { $ref: `#/components/messages/${each}` }])),
      },
    ]),
  )

/** AsyncAPI describes operations from the side of the service: it receives what clients send, and sends what clients receive. */
const operationDocs = (): Json => {
  const one = (action: string, channel: string, names: readonly string[]): Json => ({
    action,
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  })
  return Object.fromEntries(
    Object.entries(CHANNELS).flatMap(([name, { sent, got }]) => [
      [`${name}Receive`, one('receive', name, sent)],
      [`${name}Send`, one('send', name, got)],
    ]),
  )
}

/** The `servers` object of a service at this URL (`https://ton.example.com/testnet`). AsyncAPI does not allow relative URLs. */
const serversAt = (url: string): Json => {
  const { host, pathname, protocol } = new URL(url)
  const at = { host, ...(pathname !== '/' && { pathname }) }
  const isSecure = protocol === 'https:'
  return { sockets: { ...at, protocol: isSecure ? 'wss' : 'ws' }, http: { ...at, protocol: isSecure ? 'https' : 'http' } }
}

/** The AsyncAPI document of a service at this URL. `isServed`: true if the service has an index, without which it has no events. */
export const buildAsyncApi = (version: string, url: string, isServed: boolean): Json => {
  const info = {
    title: 'tonway',
    version,
    description: `Events of a TON blockchain.${isServed ? '' : ' This service has none of them, because it has no index.'}`,
    license: { name: 'MIT' },
  }
  if (!isServed) return { asyncapi: '3.0.0', info, servers: serversAt(url), channels: {} }
  const { schemas, convert } = createComponents()
  const anyOf = Object.values(events).map((event) => convert(event))
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: 'application/json',
    servers: serversAt(url),
    channels: channelDocs(),
    operations: operationDocs(),
    components: {
      schemas: { ...schemas, Event: { anyOf } },
      messages: Object.fromEntries(Object.entries(payloads()).map(([name, message]) => [name, { name, ...message }])),
    },
  }
}
