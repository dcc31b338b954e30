import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { createByClient } from '../base/by-client.ts'
import type { Call } from '../base/call.ts'
import { type Inflow, OF_PIECE } from '../base/limits/inflow.ts'
import { createTurns, hasBacklog, inSharedTurn, yieldAsBegun, yieldToBegin } from '../base/yield.ts'
import { prepay } from '../dispatch/charge.ts'
import type { Context } from './context.ts'
import { LIMITS } from './limits.ts'

/** A body with more pieces, of less than TINY_PIECE bytes on average, ends its connection, because node takes long to parse them. */
const MAX_TINY_PIECES = 1_000
const TINY_PIECE = 16
const CUT_OFF = new TonError('UNAVAILABLE', 'the request was cut off')
const TOO_LARGE = new TonError('TOO_LARGE', `request body is over ${LIMITS.body} bytes`)
const CROWDED = new TonError('UNAVAILABLE', 'too many request bodies are arriving, and this one took longest; try again', { retryAfter: 1 })

/** Bodies of up to this many bytes are not counted while they wait for a turn: their number is limited, and counting took a third of a short call. */
const SMALL = 4 << 10

/** `isCharged`: the caller has paid for the body already. */
export type ReadBody = (ctx: Pick<Context, 'req' | 'state'>, isCharged?: boolean) => Promise<string>

/**
 * A body of more bytes takes the first unit of its call before it is read. Its price is found after parsing, and without this a caller over its limit
 * could have megabytes parsed.
 */
const PREPAID = 64 << 10

/**
 * Returns a function that reads the text of a request's body, at most LIMITS.body bytes. It rejects with TOO_LARGE for a larger body, and with UNAVAILABLE if the
 * sender hangs up or if `inflow` cuts the body off to free memory, and with RATE_LIMITED for a long body of a caller over its limit.
 * The rest of a refused body is read and discarded while the refusal is sent: closing a connection with unread data resets it, and the sender would lose
 * the answer. The server's requestTimeout limits how long a body may take.
 */
export const createReadBody =
  (inflow: Inflow): ReadBody =>
  ({ req, state }, isCharged = false) =>
    new Promise((resolve, reject) => {
      // The request may have been destroyed while its caller was being identified. A destroyed request emits no more events, so the promise would never settle.
      if (req.destroyed && !req.complete) return reject(CUT_OFF)
      const { 'content-length': stated } = req.headers
      const length = stated === undefined ? undefined : Number(stated)
      /** undefined once the body is refused. */
      let pieces: Buffer[] | undefined = []
      let size = 0
      /** undefined until the body has to be waited for, or has to wait. */
      let hold: ((bytes: number) => void) | undefined
      const refuse = (error: TonError): void => {
        pieces = undefined
        hold?.(0)
        // Thousands of requests may be refused in one turn, and an answer is made for each.
        inSharedTurn(() => reject(error))
      }
      const count = (): void => {
        hold ??= inflow.open(() => refuse(CROWDED))
        hold(size + pieces!.length * OF_PIECE)
      }
      let payment: Promise<void> | undefined
      const pay = (): void => {
        if (isCharged || payment !== undefined) return
        payment = prepay(state.call)
        payment.catch(refuse)
      }
      let received = 0
      req.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (++received > MAX_TINY_PIECES && size < received * TINY_PIECE) return req.destroy()
        if (pieces === undefined) return
        if (size > LIMITS.body) return refuse(TOO_LARGE)
        if (size > PREPAID) pay()
        pieces.push(chunk)
        if (size !== length) count()
      })
      req.on('end', () => {
        if (pieces === undefined) return
        // The body counts as unfinished until it is paid and parsed: hundreds may wait for the same count, thousands for a turn.
        const parse = (): string => {
          if (pieces === undefined) throw CROWDED
          hold?.(0)
          return bodyText(pieces)
        }
        const read = (): string | Promise<string> => {
          const turn = turnToRead(size, state.call)
          if (turn === undefined) return parse()
          if (size > SMALL) count()
          return turn.then(parse)
        }
        resolve(payment === undefined ? read() : payment.then(read))
      })
      // `close` follows every request; only an incomplete request was cut off. No listener of `error` is needed: without one, node emits `close` alone.
      req.on('close', () => {
        if (!req.complete) refuse(CUT_OFF)
      })
      if (length !== undefined && length > LIMITS.body) refuse(TOO_LARGE)
      else if (length !== undefined && length > PREPAID) pay()
    })

/** UTF-8 text of a body, without a byte order mark. Invalid bytes become U+FFFD; JSON.parse then accepts or rejects the text. */
const bodyText = (pieces: readonly Buffer[]): string => {
  const body = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  const start = body.length >= 3 && body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  return body.toString('utf8', start)
}

/*
 * Spreads requests over event-loop turns. A turn accepts one connection, but reads what thousands of others have sent. Without this limit 2,000 busy
 * connections would make a turn last for a second, and a new client would wait for hundreds of turns.
 */

/** Bytes of requests that are read in one turn. A larger request has a turn of its own. */
const MAX_READ = 64 << 10
/** Bytes that each body and each message count in addition to their size, for the call in it: at most 32 of them share a turn. */
const OF_MESSAGE = 2048
/** Bytes that the beginning of an HTTP request counts: 16 of them begin in a turn. */
const OF_BEGINNING = MAX_READ / 16
/** Longest target and header lines (bytes) that may share a turn. Names of 60 KB in a query or in Accept-Encoding take up to 18 ms. */
const MAX_SHARED_HEAD = 8 << 10
/** Requests that may wait for a turn. */
const MAX_WAITING = 10_000
/** Backlog, in turns, from which requests begin one by one: by default, and while a client with few requests waits. Hundreds of such clients may come too. */
const BACKLOG = { usual: 1, modest: 2 } as const

interface Waiting {
  readonly size: number
  go(isAdmitted: boolean): void
}

let read = 0
let count = 0
const waiting = createByClient<Waiting>()
const mayGoOn = createTurns()

const advance = (): void => {
  const isOpen = mayGoOn()
  read = 0
  let room = 0
  for (;;) {
    const next = waiting.first()
    // With room for a byte, one goes on, whatever its size.
    room = !isOpen ? 0 : hasBacklog(waiting.hasModest() ? BACKLOG.modest : BACKLOG.usual) ? 1 : MAX_READ
    if (next === undefined || read >= room || (read > 0 && read + next.size > room)) break
    read += next.size
    count--
    waiting.take()
    next.go(true)
  }
  if (room < MAX_READ) read = MAX_READ
  if (read > 0) setImmediate(advance)
}

/** Refuses the newest request of the client with the most waiting requests. A body or a message, which is in memory already, is parsed soon instead. */
const refuseOne = (): void => {
  count--
  const { go } = waiting.takeOfGreediest()
  // One turn can bring thousands of them.
  inSharedTurn(() => go(false))
}

/** Waits until this many bytes fit into a turn. Clients take turns, so one that sends much on many connections does not delay the others. */
const take = (size: number, { client = '' }: Pick<Call, 'client'>): Promise<boolean> =>
  new Promise((go) => {
    waiting.add(client, { size, go })
    if (++count > MAX_WAITING) refuseOne()
  })

const turnFor = (size: number, by: Pick<Call, 'client'>): Promise<boolean> | undefined => {
  if (count > 0 || read + size > MAX_READ) return take(size, by)
  if (read === 0) setImmediate(advance)
  read += size
  return undefined
}

/** Waits until a body or a message of this many bytes may be parsed. Returns undefined if it may be parsed now. */
export const turnToRead = (bytes: number, by: Pick<Call, 'client'>): Promise<unknown> | undefined =>
  bytes + OF_MESSAGE > MAX_READ ? yieldToBegin(by.client) : turnFor(bytes + OF_MESSAGE, by)

/** Waits for another turn after a long text was parsed, because to read its values may take as long as that. Returns undefined for a short one. */
export const turnAfterParsing = ({ length }: string): Promise<void> | undefined => (length > MAX_READ ? yieldAsBegun() : undefined)

/** Returns whether a request needs a turn of its own. Of a chunked body thousands of pieces may be there already. */
const isLong = ({ url = '', headers, rawHeaders }: IncomingMessage): boolean => {
  if (headers['transfer-encoding'] !== undefined) return true
  let length = url.length
  for (const each of rawHeaders) length += each.length
  return length > MAX_SHARED_HEAD
}

/** Waits until a request may begin. Returns undefined if it may begin now, and resolves with false if it must be refused because too many wait. */
export const turnToBegin = (req: IncomingMessage, by: Pick<Call, 'client'>): Promise<boolean> | undefined =>
  isLong(req) ? yieldToBegin(by.client).then(() => true) : turnFor(OF_BEGINNING, by)
