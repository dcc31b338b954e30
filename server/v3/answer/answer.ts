import { TonError } from '../../../shared/errors.ts'
import { joinAbort } from '../../base/abort.ts'
import type { Answer, AnswerHeaders, Pieces } from '../../base/answer.ts'
import { clientOf, setClient } from '../../base/call-client.ts'
import { jsonPieces } from '../../base/json-text.ts'
import { endingWith, gathered } from '../../base/pieces.ts'
import { NOT_IN_TIME } from '../../store/postgres/faults.ts'
import type { Reader } from '../../store/postgres/pool.ts'
import { readIndex, type View } from '../../store/queries/head.ts'
import { type BookAndTokensReader, createBookAndTokensReader } from './book-and-tokens.ts'

/** A list or a map with more members than this (rows, metadata) is written in several turns of the event loop. */
const SHORT = 50

const isLengthy = (member: unknown): member is object =>
  typeof member === 'object' && member !== null && (Array.isArray(member) ? member.length : Object.keys(member).length) > SHORT

/** Levels of a large answer that are written in turns: its members, and the members of each. */
const LEVELS = 2

const isLarge = (body: object): boolean => isLengthy(body) || Object.values(body).some(isLengthy)

/** Headers that name the last and the first masterchain block that the answer covers, and the cursor of the next page. */
const headersOf = ({ head, first }: View, next?: string): AnswerHeaders => ({
  'X-Index-Seqno': String(head),
  'X-Index-First': String(first),
  ...(next !== undefined && { 'X-Next-Cursor': next }),
})

/** The error with the headers of an answer, which name the last block that was searched. */
const notThere = (error: unknown, view: View): unknown => {
  if (!(error instanceof TonError)) return error
  const { kind, message, retryAfter, issues, detail } = error
  return new TonError(kind, message, { retryAfter, issues, detail, cause: error, headers: headersOf(view) })
}

/** Settings of one answer that a caller may give (v3.md 1.3). */
export interface Overrides {
  readonly x_timeout?: number | undefined
  readonly x_no_address_book?: boolean | undefined
  readonly x_no_metadata?: boolean | undefined
}

/** The inputs of v3's handlers. */
export interface V3Index {
  /** Rejects with UNAVAILABLE while there is no index to read. */
  readonly reader: Reader
  /** Called for a token whose off-chain data is not fetched yet; undefined if nothing is fetched. */
  readonly want?: ((token: Buffer) => void) | undefined
}

/** Runs work with a signal that is aborted with the caller's, and with SOURCE_TIMEOUT after some milliseconds. */
const patiently = async <T>(milliseconds: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  // It stays joined: pieces of the answer are read after this promise is settled.
  const late = joinAbort(signal)
  const client = clientOf(signal)
  if (client !== undefined) setClient(late.signal, client)
  const timer = setTimeout(() => late.abort(new TonError('SOURCE_TIMEOUT', NOT_IN_TIME)), milliseconds)
  try {
    return await run(late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The result of a read: a body, or JSON text that is read from the index while it is being sent. */
export type Told<T> = ({ readonly body: T; readonly texts?: undefined } | { readonly texts: AsyncIterable<string> }) & {
  /** Cursor of the next page, if there is one. */
  readonly next?: string | undefined
}

/** The same texts. An error in them ends the snapshot through `fail`; the error that the snapshot ends with is thrown (UNAVAILABLE if the database is away). */
async function* failingWith(texts: AsyncIterable<string>, fail: (error: unknown) => void, end: Promise<unknown>): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    fail(error)
    await end
    throw error
  }
}

/** Passes the pieces to the caller through `give`, and waits until they have been read or given up. */
const whileRead = async <T>(
  texts: AsyncIterable<string>,
  stop: AbortSignal,
  give: (piecesOf: (end: Promise<unknown>) => Pieces) => void,
): Promise<Answer<T>> => {
  await new Promise<void>((end, fail) => {
    stop.addEventListener('abort', () => end(), { once: true })
    give((over) => endingWith(gathered(failingWith(texts, fail, over)), end))
  })
  return { pieces: [] }
}

/**
 * Reads one snapshot of the index. Headers name the last block that the answer covers and the cursor of the next page. The snapshot and its connection are
 * held until the texts of the answer have been read or given up.
 */
export const answer = <T extends object>(
  { reader, want }: V3Index,
  { x_timeout, x_no_address_book, x_no_metadata }: Overrides,
  signal: AbortSignal,
  read: (view: View, bookAndTokens: BookAndTokensReader) => Promise<Told<T>>,
): Promise<Answer<T>> => {
  const run = (stop: AbortSignal): Promise<Answer<T>> =>
    new Promise((resolve, reject) => {
      /** Why an answer failed after its beginning was sent. It cannot be repeated on another replica, as a read can. */
      let broken: { readonly error: unknown } | undefined
      const reading = async (view: View): Promise<Told<T>> => {
        if (broken) throw broken.error
        const bookAndTokens = createBookAndTokensReader(view, { book: !x_no_address_book, metadata: !x_no_metadata, want })
        return await read(view, bookAndTokens).catch((error: unknown) => {
          throw notThere(error, view)
        })
      }
      const telling = async (told: Told<T>, view: View): Promise<Answer<T>> => {
        const headers = headersOf(view, told.next)
        const { texts } = told
        if (texts === undefined)
          return isLarge(told.body) ? { pieces: jsonPieces(told.body, LEVELS), headers } : { body: told.body, headers }
        const give = (piecesOf: (end: Promise<unknown>) => Pieces): void => resolve({ pieces: piecesOf(over), headers })
        return await whileRead<T>(texts, stop, give).catch((error: unknown) => {
          broken = { error }
          throw error
        })
      }
      const over = readIndex(reader, stop, reading, telling)
      over.then(resolve, reject)
    })
  return x_timeout === undefined ? run(signal) : patiently(x_timeout, signal, run)
}
