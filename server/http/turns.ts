import type { IncomingMessage } from 'node:http'
import type { Call } from '../base/call.ts'
import { yieldToEventLoop } from '../base/yield.ts'

/*
 * Spreads requests over event-loop turns. A turn accepts one connection, but reads what thousands of others have sent. Without this limit 2,000 busy
 * connections would make a turn last for a second, and a new client would wait for hundreds of turns.
 */

/** Bytes of requests that are read in one turn. A larger request has a turn of its own. */
const MAX_READ = 64 << 10
/** Bytes that each body and each message count in addition to their size, because even an empty one takes time to parse. */
const OF_MESSAGE = 512
/** Bytes that the beginning of an HTTP request counts: 16 of them begin in a turn. */
const OF_BEGINNING = MAX_READ / 16
/** Longest target and header lines (bytes) that may share a turn. Names of 60 KB in a query or in Accept-Encoding take up to 18 ms. */
const MAX_SHARED_HEAD = 8 << 10
/** Requests that may wait for a turn. */
const MAX_WAITING = 10_000

interface Waiting {
  readonly size: number
  go(isAdmitted: boolean): void
}

let read = 0
let isAccepting = false
let count = 0
/** Requests that wait, in order of arrival, by client. The first client is next; afterwards it is the last one. */
const waiting = new Map<string, Waiting[]>()

/** After a turn that accepted a connection only one request continues, because more connections may wait to be accepted. */
const advance = (): void => {
  const room = isAccepting ? OF_BEGINNING : MAX_READ
  read = 0
  for (const [client, line] of waiting) {
    const { size, go } = line[0]!
    if (read > 0 && read + size > room) break
    read += size
    count--
    line.shift()
    waiting.delete(client)
    if (line.length > 0) waiting.set(client, line)
    go(true)
  }
  read += MAX_READ - room
  isAccepting = false
  if (read > 0) setImmediate(advance)
}

/** Refuses the newest request of the client with the most waiting requests. */
const refuseOne = (): void => {
  const [client, line] = [...waiting].reduce((a, b) => (b[1].length > a[1].length ? b : a))
  count--
  line.pop()!.go(false)
  if (line.length === 0) waiting.delete(client)
}

/** Waits until this many bytes fit into a turn. Clients take turns, so one that sends much on many connections does not delay the others. */
const take = (size: number, { client = '' }: Pick<Call, 'client'>): Promise<boolean> =>
  new Promise((go) => {
    const line = waiting.get(client)
    if (line === undefined) waiting.set(client, [{ size, go }])
    else line.push({ size, go })
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
  bytes + OF_MESSAGE > MAX_READ ? yieldToEventLoop() : turnFor(bytes + OF_MESSAGE, by)

const isLong = ({ url = '', rawHeaders }: IncomingMessage): boolean => {
  let length = url.length
  for (const each of rawHeaders) length += each.length
  return length > MAX_SHARED_HEAD
}

/** Waits until a request may begin. Returns undefined if it may begin now, and resolves with false if it must be refused because too many wait. */
export const turnToBegin = (req: IncomingMessage, by: Pick<Call, 'client'>): Promise<boolean> | undefined =>
  isLong(req) ? yieldToEventLoop().then(() => true) : turnFor(OF_BEGINNING, by)

export const noteConnection = (): void => {
  isAccepting = true
}
