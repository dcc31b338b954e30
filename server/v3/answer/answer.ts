import { TonError } from '../../../shared/errors.ts'
import type { MethodName } from '../../../shared/registry.ts'
import { joinAbort } from '../../base/abort.ts'
import type { Answer, AnswerHeaders, Pieces } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { jsonPieces } from '../../base/json/steps.ts'
import { jsonOf } from '../../base/json-text.ts'
import { beforeDeadline } from '../../base/limits/deadline.ts'
import { canonical } from '../../base/memory/canonical-text.ts'
import { endingWith, type Piece } from '../../base/pieces.ts'
import { NOT_IN_TIME } from '../../store/postgres/faults.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { readIndex, type View } from '../../store/queries/view.ts'
import type { ProvingChain } from '../proofs/make.ts'
import type { AnswerCache } from './answer-cache.ts'
import { type BookAndTokensReader, createBookAndTokensReader } from './book-and-tokens.ts'

/** A list or a map (rows, metadata) with more members than this is serialized in several event-loop turns. */
const SHORT = 50

const isLengthy = (member: unknown): member is object =>
  typeof member === 'object' && member !== null && (Array.isArray(member) ? member.length : Object.keys(member).length) > SHORT

/** Depth down to which a large answer is serialized in steps: its members, and their members. */
const LEVELS = 2

const isLarge = (body: object): boolean => isLengthy(body) || Object.values(body).some(isLengthy)

/** Headers with the last and the first indexed masterchain block, and with the cursor of the next page. */
const headersOf = ({ head, first }: View, next?: string): AnswerHeaders => ({
  'X-Index-Seqno': String(head),
  'X-Index-First': String(first),
  ...(next !== undefined && { 'X-Next-Cursor': next }),
})

/** Adds the headers of an answer to an error, so that the caller knows which blocks were searched. */
const notThere = (error: unknown, view: View): unknown => {
  if (!(error instanceof TonError)) return error
  const { kind, message, retryAfter, issues, detail } = error
  return new TonError(kind, message, { retryAfter, issues, detail, cause: error, headers: headersOf(view) })
}

export interface Overrides {
  readonly x_timeout?: number | undefined
  readonly x_no_address_book?: boolean | undefined
  readonly x_no_metadata?: boolean | undefined
}

export interface V3Index {
  /** Reader of the index. Rejects with UNAVAILABLE if there is no index to read. */
  readonly reader: Reader
  /** Called for a token whose off-chain data was not fetched yet. Undefined if off-chain data is not fetched. */
  readonly want?: ((token: Buffer) => void) | undefined
  /** Undefined: answers are not cached. */
  readonly cache?: AnswerCache | undefined
  /** Returns the chain that proves the answer of a call. Undefined in worker threads, which have no chain. */
  readonly chainOf?: ((call: Call) => ProvingChain) | undefined
}

/** Calls `run` with a signal that aborts with the caller's signal, or with SOURCE_TIMEOUT after `milliseconds`. */
const patiently = <T>(milliseconds: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  // `late` is not released, because chunks of the answer are read after this promise is settled.
  const late = joinAbort(signal)
  return beforeDeadline(milliseconds, NOT_IN_TIME, late, () => run(late.signal))
}

/** `isRead`: true if all data was read, so that sending the texts does not use the index. */
interface StreamedTexts {
  readonly texts: AsyncIterable<Piece>
  readonly isRead?: boolean
}

/** The result of a read: a body, its JSON, or chunks of JSON whose data is read while they are sent. */
export type ReadResult<T> = (
  | { readonly body: T; readonly text?: undefined; readonly texts?: undefined }
  | { readonly text: string; readonly texts?: undefined }
  | (StreamedTexts & { readonly text?: undefined })
) & {
  readonly next?: string | undefined
}

type Read<T> = (view: View, bookAndTokens: BookAndTokensReader) => Promise<ReadResult<T>>

type StoreAnswer = (view: View, text: string, headers: AnswerHeaders) => void

/**
 * Yields the texts. If they throw, `fail` ends the snapshot, and the consumer gets the error with which the snapshot ended (UNAVAILABLE if the database is
 * away).
 */
async function* failingWith(texts: AsyncIterable<Piece>, fail: (error: unknown) => void, end: Promise<unknown>): AsyncGenerator<Piece> {
  try {
    yield* texts
  } catch (error) {
    fail(error)
    await end
    throw error
  }
}

/**
 * Passes the chunks to the caller through `give`. Resolves when all chunks were read or abandoned, or when `stop` is aborted. Rejects if the chunks cannot
 * be read.
 */
const whileRead = async <T>(
  texts: AsyncIterable<Piece>,
  stop: AbortSignal,
  give: (piecesOf: (end: Promise<unknown>) => Pieces) => void,
): Promise<Answer<T>> => {
  await new Promise<void>((end, fail) => {
    stop.addEventListener('abort', () => end(), { once: true })
    give((over) => endingWith(failingWith(texts, fail, over), end))
  })
  return { pieces: [] }
}

/**
 * Reads an answer in one snapshot of the index. Headers name the last block that the answer covers and the cursor of the next page. The snapshot and its
 * connection stay open until the texts of the answer were read or abandoned. `store`: gets a short answer as text.
 */
const readAnswer = <T extends object>(
  { reader, want }: V3Index,
  { x_no_address_book, x_no_metadata }: Overrides,
  stop: AbortSignal,
  read: Read<T>,
  { store, isShort }: { readonly store?: StoreAnswer | undefined; readonly isShort: boolean },
): Promise<Answer<T>> =>
  new Promise((resolve, reject) => {
    /** Error of an answer whose beginning was already sent. It prevents a retry on another replica, which would send the beginning again. */
    let broken: { readonly error: unknown } | undefined
    const reading = async (view: View): Promise<ReadResult<T>> => {
      if (broken) throw broken.error
      const bookAndTokens = createBookAndTokensReader(view, { book: !x_no_address_book, metadata: !x_no_metadata, want })
      const result = await read(view, bookAndTokens).catch((error: unknown) => {
        throw notThere(error, view)
      })
      if (result.texts !== undefined && !result.isRead) view.hold()
      return result
    }
    const respond = async (result: ReadResult<T>, view: View): Promise<Answer<T>> => {
      const headers = headersOf(view, result.next)
      const { texts } = result
      if (texts === undefined) {
        if (result.text === undefined) {
          if (isLarge(result.body)) return { pieces: jsonPieces(result.body, LEVELS), headers }
          if (store === undefined) return { body: result.body, headers }
        }
        const text = result.text ?? jsonOf(result.body)
        store?.(view, text, headers)
        return { pieces: [text], headers }
      }
      if (result.isRead) return { pieces: texts, headers }
      const give = (piecesOf: (end: Promise<unknown>) => Pieces): void => resolve({ pieces: piecesOf(over), headers })
      return await whileRead<T>(texts, stop, give).catch((error: unknown) => {
        broken = { error }
        throw error
      })
    }
    const over = readIndex(reader, stop, reading, respond, isShort)
    over.then(resolve, reject)
  })

/** Answers a call from the cache or from the index. `isShort`: the read finds a few rows by key (readIndex). */
export const answer = <T extends object>(
  index: V3Index,
  method: MethodName,
  params: Overrides,
  signal: AbortSignal,
  read: Read<T>,
  isShort = false,
): Promise<Answer<T>> | Answer<T> => {
  const { cache } = index
  const key = cache === undefined ? '' : `${method}${canonical(params)}`
  const present = cache?.now(key)
  if (present !== undefined) return present
  const run = async (stop: AbortSignal): Promise<Answer<T>> => {
    if (cache === undefined) return await readAnswer(index, params, stop, read, { isShort })
    const cached = await cache.find(key, stop)
    if (cached) return cached
    const store: StoreAnswer | undefined = cache.noteRequest(key) ? (view, text, headers) => cache.put(key, view, text, headers) : undefined
    return await readAnswer(index, params, stop, read, { store, isShort })
  }
  return params.x_timeout === undefined ? run(signal) : patiently(params.x_timeout, signal, run)
}
