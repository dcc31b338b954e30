import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { LIMITS } from './limits.ts'

/**
 * Reads the body, at most LIMITS.body bytes, and calls `done` with it as soon as it is there, without a promise in between. Calls `failed` with TOO_LARGE
 * for a larger body, and with UNAVAILABLE if the sender hangs up. The rest of an oversized body is read and discarded while the refusal is sent: closing a
 * connection with unread data resets it, and the sender would lose the answer. The server's requestTimeout limits how long a body may take.
 */
export const takeBody = (req: IncomingMessage, done: (body: Buffer) => void, failed: (error: TonError) => void): void => {
  // It may have been cut off while its caller was looked up, and tells nothing any more.
  if (req.destroyed && !req.complete) {
    failed(new TonError('UNAVAILABLE', CUT_OFF))
    return
  }
  let first: Buffer | undefined
  let chunks: Buffer[] | undefined
  let size = 0
  let isOver = false
  const fail = (error: TonError): void => {
    if (isOver) return
    isOver = true
    failed(error)
  }
  const refuse = (): void => {
    chunks = undefined
    first = undefined
    req.off('data', take)
    req.resume()
    fail(new TonError('TOO_LARGE', `request body is over ${LIMITS.body} bytes`))
  }
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size > LIMITS.body) refuse()
    else if (first === undefined) first = chunk
    else {
      chunks ??= [first]
      chunks.push(chunk)
    }
  }
  const cut = (): void => {
    // `close` follows every request. The request was cut off only if it is not complete.
    if (!req.complete) fail(new TonError('UNAVAILABLE', CUT_OFF))
  }
  // Without a listener of `error`, node tells of one by `close` alone.
  req.on('close', cut)
  if (Number(req.headers['content-length'] ?? 0) > LIMITS.body) {
    refuse()
    return
  }
  req.on('data', take)
  req.on('end', () => {
    if (isOver) return
    isOver = true
    done(chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, size))
  })
}

const EMPTY = Buffer.alloc(0)
const CUT_OFF = 'the request was cut off'

/** The body as a promise; see `takeBody`. */
export const readBody = (req: IncomingMessage): Promise<Buffer> => new Promise((resolve, reject) => takeBody(req, resolve, reject))

/** UTF-8 text of a body, without a byte order mark. Invalid bytes become U+FFFD; JSON.parse then accepts or rejects the text. */
export const bodyText = (body: Buffer): string => {
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}
