import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { LIMITS } from './limits.ts'

/**
 * The body's bytes, at most LIMITS.body of them; TOO_LARGE beyond, UNAVAILABLE when the sender hangs up. The rest of an oversized body is read and
 * thrown away while the refusal goes out: a connection closed over unread data is reset, and the reset takes the answer away from the sender.
 * How long a body may take altogether is the server's requestTimeout.
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
      // `close` comes after every request; it is a cut only before the last byte.
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

/** UTF-8 text of a body; bytes that are not UTF-8 become U+FFFD, and JSON.parse then judges them. A byte order mark is left out. */
export const bodyText = (body: Buffer): string => {
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}
