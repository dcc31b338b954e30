import { TlReader } from '../tl/reader.ts'
import { readLine } from '../tl/schema.ts'
import { createTlWriter } from '../tl/writer.ts'

/* Messages inside packets. The schema lines are from lite_api.tl and ton_api.tl. */

const { id: QUERY } = readLine('adnl.message.query query_id:int256 query:bytes = adnl.Message')
const { id: ANSWER } = readLine('adnl.message.answer query_id:int256 answer:bytes = adnl.Message')
const { id: PING } = readLine('tcp.ping random_id:long = tcp.Pong')
const { id: PONG } = readLine('tcp.pong random_id:long = tcp.Pong')
const { id: AUTHENTICATE } = readLine('tcp.authentificate nonce:bytes = tcp.Message')
const { id: NONCE } = readLine('tcp.authentificationNonce nonce:bytes = tcp.Message')
const { id: COMPLETE } = readLine('tcp.authentificationComplete key:PublicKey signature:bytes = tcp.Message')
const { id: PUB_ED25519 } = readLine('pub.ed25519 key:int256 = PublicKey')

export type AdnlMessage =
  | { readonly type: 'query' | 'answer'; readonly id: Uint8Array; readonly data: Uint8Array }
  | { readonly type: 'ping' | 'pong'; readonly random: bigint }
  | { readonly type: 'authenticate' | 'nonce'; readonly nonce: Uint8Array }
  | { readonly type: 'complete'; readonly key: Uint8Array; readonly signature: Uint8Array }

const withId = (number: number, id: Uint8Array, data: Uint8Array): Buffer => {
  const writer = createTlWriter(data.length + 44)
  writer.int(number)
  writer.fixed(id, 32)
  writer.bytes(data)
  return writer.finish()
}

const withNumber = (number: number, random: bigint): Buffer => {
  const writer = createTlWriter(12)
  writer.int(number)
  writer.long(random)
  return writer.finish()
}

const withBytes = (number: number, bytes: Uint8Array): Buffer => {
  const writer = createTlWriter(bytes.length + 12)
  writer.int(number)
  writer.bytes(bytes)
  return writer.finish()
}

const complete = (key: Uint8Array, signature: Uint8Array): Buffer => {
  const writer = createTlWriter()
  writer.int(COMPLETE)
  writer.int(PUB_ED25519)
  writer.fixed(key, 32)
  writer.bytes(signature)
  return writer.finish()
}

export const encodeMessage = (message: AdnlMessage): Buffer => {
  switch (message.type) {
    case 'query':
      return withId(QUERY, message.id, message.data)
    case 'answer':
      return withId(ANSWER, message.id, message.data)
    case 'ping':
      return withNumber(PING, message.random)
    case 'pong':
      return withNumber(PONG, message.random)
    case 'authenticate':
      return withBytes(AUTHENTICATE, message.nonce)
    case 'nonce':
      return withBytes(NONCE, message.nonce)
    case 'complete':
      return complete(message.key, message.signature)
  }
}

/** Parses a payload; undefined for an unknown kind of message. Throws TlError. */
export const decodeMessage = (payload: Uint8Array): AdnlMessage | undefined => {
  const reader = new TlReader(payload)
  const id = reader.uint()
  if (id === QUERY || id === ANSWER) {
    const message = { type: id === QUERY ? 'query' : 'answer', id: reader.fixed(32), data: reader.bytes() } as const
    reader.end()
    return message
  }
  if (id === PING || id === PONG) return { type: id === PING ? 'ping' : 'pong', random: reader.long() }
  if (id === AUTHENTICATE || id === NONCE) return { type: id === NONCE ? 'nonce' : 'authenticate', nonce: reader.bytes() }
  if (id === COMPLETE && reader.uint() === PUB_ED25519) return { type: 'complete', key: reader.fixed(32), signature: reader.bytes() }
  return undefined
}
