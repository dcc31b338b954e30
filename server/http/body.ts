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
      let pieces: Buffer[] | undefined = []
      let size = 0
      let arrival: Arrival | undefined
      const end = (): boolean => {
        if (pieces === undefined) return false
        pieces = undefined
        arrival?.close()
        req.off('data', take)
        return true
      }
      const refuse = (error: TonError): void => {
        if (!end()) return
        req.resume()
        reject(error)
      }
      const take = (chunk: Buffer): void => {
        size += chunk.length
        if (size > LIMITS.body) {
          refuse(TOO_LARGE)
          return
        }
        const count = pieces!.push(chunk)
        if (size === length) return
        arrival ??= inflow.open(() => refuse(CROWDED))
        arrival.hold(size + count * OF_PIECE)
      }
      // `close` follows every request; only an incomplete request was cut off. No listener of `error` is needed: without one, node emits `close` alone.
      req.on('close', () => {
        if (!req.complete && end()) reject(new TonError('UNAVAILABLE', CUT_OFF))
      })
      if (length !== undefined && length > LIMITS.body) return refuse(TOO_LARGE)
      req.on('data', take)
      req.on('end', () => {
        const all = pieces
        if (all === undefined || !end()) return
        const body = all.length === 1 ? all[0]! : Buffer.concat(all, size)
        const turn = turnToRead(size, state.call)
        if (turn === undefined) resolve(body)
        else void turn.then(() => resolve(body))
      })
    })

/** UTF-8 text of a body, without a byte order mark. Invalid bytes become U+FFFD; JSON.parse then accepts or rejects the text. */
export const bodyText = (body: Buffer): string => {
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}
