import { createCodecs, type TlObject } from '../tl/codec.ts'
import { TlReader } from '../tl/reader.ts'
import { readLine } from '../tl/schema.ts'
import { createTlWriter } from '../tl/writer.ts'

/* Messages inside packets. The schema lines are from lite_api.tl and ton_api.tl. */

export type AdnlMessage =
  | { readonly type: 'query'; readonly id: Uint8Array; readonly data: Uint8Array }
  | { readonly type: 'answer'; readonly id: Uint8Array; readonly data: Uint8Array }
  | { readonly type: 'ping' | 'pong'; readonly random: bigint }
  | { readonly type: 'authenticate' | 'nonce'; readonly nonce: Uint8Array }
  | { readonly type: 'complete'; readonly key: { readonly key: Uint8Array }; readonly signature: Uint8Array }
export type AdnlQuery = Extract<AdnlMessage, { type: 'query' }>

const MESSAGES = {
  query: readLine('adnl.message.query query_id:int256 query:bytes = adnl.Message', { query_id: 'id', query: 'data' }),
  answer: readLine('adnl.message.answer query_id:int256 answer:bytes = adnl.Message', { query_id: 'id', answer: 'data' }),
  ping: readLine('tcp.ping random_id:long = tcp.Pong', { random_id: 'random' }),
  pong: readLine('tcp.pong random_id:long = tcp.Pong', { random_id: 'random' }),
  authenticate: readLine('tcp.authentificate nonce:bytes = tcp.Message'),
  nonce: readLine('tcp.authentificationNonce nonce:bytes = tcp.Message'),
  complete: readLine('tcp.authentificationComplete key:PublicKey signature:bytes = tcp.Message'),
} satisfies Readonly<Record<AdnlMessage['type'], unknown>>

const combinators = Object.values(MESSAGES)
const ids = new Set<number | undefined>(combinators.map(({ id }) => id))
/** All messages as constructors of one type. */
const codec = createCodecs(
  [...combinators.map((each) => ({ ...each, result: 'Message' })), readLine('pub.ed25519 key:int256 = PublicKey')],
  Object.fromEntries(Object.entries(MESSAGES).map(([type, { name }]) => [name, type])),
).boxed('Message')

export const encodeMessage = (message: AdnlMessage): Buffer => {
  const writer = createTlWriter('data' in message ? message.data.length + 44 : undefined)
  codec.write(writer, message as unknown as TlObject)
  return writer.finish()
}

/** Parses a payload; undefined for an unknown kind of message. Throws TlError. */
export const decodeMessage = (payload: Uint8Array): AdnlMessage | undefined => {
  const reader = new TlReader(payload)
  if (!ids.has(reader.peek())) return undefined
  const message = codec.read(reader) as unknown as AdnlMessage
  if ('data' in message) reader.end()
  return message
}
