import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import type { Context } from './context.ts'
import type { Arrival, Inflow } from './inflow.ts'
import { LIMITS } from './limits.ts'
import { turnToRead } from './turns.ts'

/** Memory (bytes) of each received piece besides its content. A sender may send pieces of one byte. */
const OF_PIECE = 256
const CUT_OFF = 'the request was cut off'
const TOO_LARGE = new TonError('TOO_LARGE', `request body is over ${LIMITS.body} bytes`)
const CROWDED = new TonError('UNAVAILABLE', 'too many request bodies are arriving, and this one took longest; try again', { retryAfter: 1 })

const statedLength = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

export type ReadBody = (ctx: Pick<Context, 'req' | 'state'>) => Promise<Buffer>

/**
 * Returns a function that reads the body of a request, at most LIMITS.body bytes. It rejects with TOO_LARGE for a larger body, and with UNAVAILABLE if the
 * sender hangs up or if `inflow` cuts the body off to free memory.
 * The rest of a refused body is read and discarded while the refusal is sent: closing a connection with unread data resets it, and the sender would lose
 * the answer. The server's requestTimeout limits how long a body may take.
 */
export const createReadBody =
  (inflow: Inflow): ReadBody =>
  ({ req, state }) =>
    new Promise((resolve, reject) => {
      // The request may have been destroyed while its caller was being identified. A destroyed request emits no more events, so the promise would never settle.
      if (req.destroyed && !req.complete) return reject(new TonError('UNAVAILABLE', CUT_OFF))
      const length = statedLength(req)
      /** undefined once the body is refused. */
      let pieces: Buffer[] | undefined = []
      let size = 0
      let arrival: Arrival | undefined
      const refuse = (error: TonError): void => {
        pieces = undefined
        arrival?.close()
        reject(error)
      }
      req.on('data', (chunk: Buffer) => {
        if (pieces === undefined) return
        size += chunk.length
        if (size > LIMITS.body) return refuse(TOO_LARGE)
        const count = pieces.push(chunk)
        if (size === length) return
        arrival ??= inflow.open(() => refuse(CROWDED))
        arrival.hold(size + count * OF_PIECE)
      })
      req.on('end', () => {
        if (pieces === undefined) return
        arrival?.close()
        const body = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
        resolve(turnToRead(size, state.call)?.then(() => body) ?? body)
      })
      // `close` follows every request; only an incomplete request was cut off. No listener of `error` is needed: without one, node emits `close` alone.
      req.on('close', () => {
        if (!req.complete) refuse(new TonError('UNAVAILABLE', CUT_OFF))
      })
      if (length !== undefined && length > LIMITS.body) refuse(TOO_LARGE)
    })

/** UTF-8 text of a body, without a byte order mark. Invalid bytes become U+FFFD; JSON.parse then accepts or rejects the text. */
export const bodyText = (body: Buffer): string => {
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}
