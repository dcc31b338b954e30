import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { LIMITS } from './limits.ts'

/**
 * Reads the body, at most LIMITS.body bytes. Rejects with TOO_LARGE for a larger body, and with UNAVAILABLE if the sender hangs up.
 * The rest of an oversized body is read and discarded while the refusal is sent: closing a connection with unread data resets it,
 * and the sender would lose the answer. The server's requestTimeout limits how long a body may take.
 */
export const readBody = (req: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = (): void => {
      chunks.length = 0
      req.off('data', take)
      req.resume()
      reject(new TonError('TOO_LARGE', `request body is over ${LIMITS.body} bytes`))
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > LIMITS.body) refuse()
      else chunks.push(chunk)
    }
    const cut = (): void => {
      // `close` follows every request. The request was cut off only if it is not complete.
      if (!req.complete) reject(new TonError('UNAVAILABLE', 'the request was cut off'))
    }
    req.on('error', cut)
    req.on('close', cut)
    if (Number(req.headers['content-length'] ?? 0) > LIMITS.body) {
      refuse()
      return
    }
    req.on('data', take)
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
  })

/** UTF-8 text of a body, without a byte order mark. Invalid bytes become U+FFFD; JSON.parse then accepts or rejects the text. */
export const bodyText = (body: Buffer): string => {
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}
