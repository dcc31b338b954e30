import { TonError } from '../../../shared/errors.ts'
import { asksForProofs } from '../../../shared/fields/v3/proofs.ts'
import type { MethodName, Params } from '../../../shared/registry.ts'
import { beforeDeadline, joinAbort } from '../../base/abort.ts'
import type { Answer, AnswerHandlers, AnswerHeaders, Pieces } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { endingWith, type Piece } from '../../base/pieces.ts'
import { isSameHead } from '../../store/head/index-head.ts'
import { NOT_IN_TIME } from '../../store/postgres/faults.ts'
import type { Reader } from '../../store/postgres/reader.ts'
import { readIndex, type View } from '../../store/queries/view.ts'
import type { ProvingChain } from '../proofs/make.ts'
import type { ProofSubject } from '../proofs/subject.ts'
import { type TakeSubject, withProof } from '../proofs/with-proof.ts'

/** Headers with the last and the first indexed masterchain block, and with the cursor of the next page. */
const headersOf = ({ head, first }: View, next?: string): AnswerHeaders => ({
  'X-Index-Seqno': String(head),
  'X-Index-First': String(first),
  ...(next !== undefined && { 'X-Next-Cursor': next }),
})

/** Adds the headers of an answer to an error, so that the caller knows which blocks were searched. */
const withHeaders = (error: unknown, view: View): unknown => {
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
  /** Returns the chain that proves the answer of a call. Undefined in worker threads, which have no chain. */
  readonly chainOf?: ((call: Call) => ProvingChain) | undefined
}

export type V3Method = Extract<MethodName, `v3.${string}`>

export interface ReadResult {
  readonly pieces: Pieces
  /** True if the pieces are read from the snapshot while they are sent. */
  readonly isOpen?: boolean
  readonly next?: string | undefined
  /** Reads what a proof of the answer is about. Undefined for methods without proofs. */
  readonly subject?: (() => Promise<ProofSubject>) | undefined
}

type Read = (view: View) => Promise<ReadResult>

/**
 * Yields the pieces. If they throw, `fail` ends the snapshot, and the consumer gets the error with which the snapshot ended (UNAVAILABLE if the database is
 * away).
 */
async function* failingWith(pieces: Pieces, fail: (error: unknown) => void, end: Promise<unknown>): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    fail(error)
    await end
    throw error
  }
}

/**
 * Reads an answer in one snapshot of the index. Headers name the last block that the answer covers and the cursor of the next page. If the answer is open,
 * the snapshot and its connection stay open until its pieces were read or abandoned.
 */
const readAnswer = (reader: Reader, signal: AbortSignal, read: Read, isShort: boolean, client?: string): Promise<Answer<never>> =>
  new Promise((resolve, reject) => {
    /** Error of an answer whose beginning was already sent. It prevents a retry on another replica, which would send the beginning again. */
    let broken: { readonly error: unknown } | undefined
    const reading = async (view: View): Promise<ReadResult> => {
      if (broken) throw broken.error
      const result = await read(view).catch((error: unknown) => {
        throw withHeaders(error, view)
      })
      if (result.isOpen) view.hold()
      return result
    }
    const respond = async ({ pieces, isOpen, next }: ReadResult, view: View): Promise<Answer<never>> => {
      const headers = headersOf(view, next)
      if (isOpen) {
        await new Promise<void>((end, fail) => {
          signal.addEventListener('abort', () => end(), { once: true })
          resolve({ pieces: endingWith(failingWith(pieces, fail, over), end), headers })
        }).catch((error: unknown) => {
          broken = { error }
          throw error
        })
      }
      const present = reader.head?.now()
      return { pieces, headers, isTransient: present === undefined || !isSameHead(present, view.place) }
    }
    const over = readIndex(reader, signal, reading, respond, isShort, client)
    over.then(resolve, reject)
  })

/** Calls `run` with a signal that aborts with the caller's signal, or with SOURCE_TIMEOUT after `milliseconds`. */
const patiently = <T>(milliseconds: number, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  // `late` is not released, because pieces of the answer are read after this promise is settled.
  const late = joinAbort(signal)
  return beforeDeadline(milliseconds, NOT_IN_TIME, late, () => run(late.signal))
}

export interface Endpoint<P> {
  readonly read: (view: View, params: P, call: Call) => Promise<ReadResult>
  /** True if the answer is a few rows that are found by key, usually by one statement (readIndex). */
  readonly isShort?: ((params: P) => boolean) | undefined
}

export const endpoint =
  <M extends V3Method>({ reader, chainOf }: V3Index, { read, isShort }: Endpoint<Params<M>>): AnswerHandlers<M>[M] =>
  (params: Params<M>, call: Call) => {
    const run = (takeSubject?: TakeSubject): Promise<Answer<never>> => {
      const readAll = async (view: View): Promise<ReadResult> => {
        const result = await read(view, params, call)
        await takeSubject?.(result.subject!)
        return result
      }
      const { x_timeout } = params as Overrides
      const answer = (signal: AbortSignal): Promise<Answer<never>> =>
        readAnswer(reader, signal, readAll, isShort?.(params) ?? false, call.client)
      return x_timeout === undefined ? answer(call.signal) : patiently(x_timeout, call.signal, answer)
    }
    return asksForProofs(params) ? withProof(chainOf?.(call), call.signal, run) : run()
  }
