import { randomBytes } from 'node:crypto'
import { AdnlError } from './error.ts'
import { checkSignature } from './keys.ts'
import { type AdnlMessage, encodeMessage } from './messages.ts'

/** The longest nonce of a client, and the length of ours. */
const MAX_NONCE = 512
const NONCE = 256

/**
 * The server's side of tcp.authentificate, by which a client names a key of its own; some clients (tonutils-go) do so before they ask anything.
 * Nothing here depends on who asks, so the key is checked and not kept. Answers what is to be sent; throws AdnlError for what is out of order.
 */
export const createAuthentication = (): ((message: AdnlMessage) => Buffer | undefined) => {
  let nonce: Buffer | undefined
  let done = false
  return (message) => {
    if (message.type === 'authenticate') {
      if (done || nonce) throw new AdnlError('authenticated twice')
      if (message.nonce.length === 0 || message.nonce.length > MAX_NONCE) throw new AdnlError('a nonce of the wrong length')
      const own = randomBytes(NONCE)
      nonce = Buffer.concat([message.nonce, own])
      return encodeMessage({ type: 'nonce', nonce: own })
    }
    if (message.type !== 'complete' || nonce === undefined) throw new AdnlError('a message that is no query')
    if (!checkSignature(message.key, nonce, message.signature)) throw new AdnlError('the signature of the client does not hold')
    nonce = undefined
    done = true
    return undefined
  }
}
