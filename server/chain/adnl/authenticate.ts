import { randomBytes } from 'node:crypto'
import { inOwnTurn } from '../../base/yield.ts'
import { AdnlError } from './error.ts'
import { checkSignature } from './keys.ts'
import { type AdnlMessage, encodeMessage } from './messages.ts'

/** Maximum length of a client's nonce, and length of the server's nonce, bytes. */
const MAX_NONCE = 512
const NONCE = 256

/** A check takes a fifth of a millisecond, and a thousand clients may send their signatures in one turn. */
const check = async (key: Uint8Array, signed: Uint8Array, signature: Uint8Array): Promise<void> => {
  const holds = await inOwnTurn(() => checkSignature(key, signed, signature))
  if (!holds) throw new AdnlError('the signature of the client does not hold')
}

/**
 * The server's side of tcp.authentificate, in which a client proves that it has a key. Some clients (tonutils-go) do so before their first query. All
 * clients get the same service, so the key is checked and not stored. Returns the answer to send. Throws AdnlError for messages in the wrong order. Returns a
 * promise for a signature, which rejects with AdnlError if the signature does not hold.
 */
export const createAuthentication = (): ((message: AdnlMessage) => Buffer | Promise<void>) => {
  let nonce: Buffer | undefined
  let done = false
  return (message) => {
    if (message.type === 'authenticate') {
      if (done || nonce) throw new AdnlError('the client authenticates twice')
      if (message.nonce.length === 0 || message.nonce.length > MAX_NONCE)
        throw new AdnlError(`a nonce has 1 to ${MAX_NONCE} bytes, not ${message.nonce.length}`)
      const own = randomBytes(NONCE)
      nonce = Buffer.concat([message.nonce, own])
      return encodeMessage({ type: 'nonce', nonce: own })
    }
    if (message.type !== 'complete' || nonce === undefined) throw new AdnlError('the message is not a query')
    const signed = nonce
    nonce = undefined
    done = true
    return check(message.key.key, signed, message.signature)
  }
}
