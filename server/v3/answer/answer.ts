import { TonError } from '../../../shared/errors.ts'
import type { Answer, AnswerHeaders, Pieces } from '../../base/answer.ts'
import { jsonPieces } from '../../base/json-text.ts'
import { endingWith, gathered } from '../../base/pieces.ts'
import type { Reader } from '../../store/postgres/pool.ts'
import { readIndex, type View } from '../../store/queries/head.ts'
import { type Beside, createBeside } from './beside.ts'

/** A list or a map of more members is written in turns: rows, the metadata beside them. */
const SHORT = 50

const isLengthy = (member: unknown): member is object =>
  typeof member === 'object' && member !== null && (Array.isArray(member) ? member.length : Object.keys(member).length) > SHORT

/** Levels of a large answer that are written in turns: its members, and those of each. */
const LEVELS = 2

const isLarge = (body: object): boolean => isLengthy(body) || Object.values(body).some(isLengthy)

/** The masterchain block that an answer is complete up to, and where its next page begins. */
const headersOf = ({ head }: View, next?: string): AnswerHeaders => ({
  'X-Index-Seqno': String(head),
  ...(next !== undefined && { 'X-Next-Cursor': next }),
})

/** What is not there is not there up to this block. */
const notThere = (error: unknown, view: View): unknown => {
  if (!(error instanceof TonError)) return error
  const { kind, message, retryAfter, issues, detail } = error
  return new TonError(kind, message, { retryAfter, issues, detail, cause: error, headers: headersOf(view) })
}

/** What a caller asks of one answer (v3.md 1.3). */
export interface Overrides {
  readonly x_timeout?: number | undefined
  readonly x_no_address_book?: boolean | undefined
  readonly x_no_metadata?: boolean | undefined
}

/** What the handlers of v3 read. */
export interface V3Index {
  /** Rejects with UNAVAILABLE while there is no index to read. */
  readonly reader: Reader
  /** Told of a token whose data off the chain is not here yet; undefined where nobody fetches it. */
  readonly want?: ((token: Buffer) => void) | undefined
}

/** Runs with a signal that ends after so many milliseconds. */
const patiently = async <T>(milliseconds: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new TonError('SOURCE_TIMEOUT', 'the database did not answer in time')), milliseconds)
  try {
    return await run(AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** What a read gives: a body, or JSON text that is still read from the index while it is written. */
export type Told<T> = ({ readonly body: T; readonly texts?: undefined } | { readonly texts: AsyncIterable<string> }) & {
  /** Cursor of the page after, if there is one. */
  readonly next?: string | undefined
}

/** The same texts; an error in them ends the snapshot by `fail`, and is told as the snapshot's end tells it: a database that is away is UNAVAILABLE. */
async function* failingWith(texts: AsyncIterable<string>, fail: (error: unknown) => void, end: Promise<unknown>): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    fail(error)
    await end
    throw error
  }
}

/** Gives the way to read the pieces away, and waits until they have been read, are given up, or nobody waits for them. */
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
 * Reads one snapshot of the index; headers say how far the answer reaches, and where its next page begins. The snapshot, and the connection that has it, last until the
 * texts of an answer have been read or are given up.
 */
export const answer = <T extends object>(
  { reader, want }: V3Index,
  { x_timeout, x_no_address_book, x_no_metadata }: Overrides,
  signal: AbortSignal,
  read: (view: View, beside: Beside) => Promise<Told<T>>,
): Promise<Answer<T>> => {
  const run = (stop: AbortSignal): Promise<Answer<T>> =>
    new Promise((resolve, reject) => {
      const over = readIndex(reader, stop, async (view): Promise<Answer<T>> => {
        const beside = createBeside(view, { book: !x_no_address_book, metadata: !x_no_metadata, want })
        const told = await read(view, beside).catch((error: unknown) => {
          throw notThere(error, view)
        })
        const headers = headersOf(view, told.next)
        const { texts } = told
        if (texts !== undefined) return await whileRead(texts, stop, (piecesOf) => resolve({ pieces: piecesOf(over), headers }))
        return isLarge(told.body) ? { pieces: jsonPieces(told.body, LEVELS), headers } : { body: told.body, headers }
      })
      over.then(resolve, reject)
    })
  return x_timeout === undefined ? run(signal) : patiently(x_timeout, signal, run)
}
