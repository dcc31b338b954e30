import { type ErrorKind, TonError } from '../../../shared/errors.ts'
import { asksForProofs, MAX_PROVEN_ROWS } from '../../../shared/fields/v3/proofs.ts'
import { joinAbort } from '../../base/abort.ts'
import type { Answer } from '../../base/answer.ts'
import type { Call } from '../../base/call.ts'
import { jsonPieces } from '../../base/json/steps.ts'
import { jsonText } from '../../base/json-text.ts'
import { beforeDeadline } from '../../base/limits/deadline.ts'
import type { View } from '../../store/queries/view.ts'
import type { V3Index } from '../answer/answer.ts'
import { makeProof, type ProvingChain } from './make.ts'
import type { ProofSubject } from './subject.ts'
import type { WireProof } from './wire.ts'

/* An answer with its proof. The proof is made after the snapshot of the rows was released. */

/** Milliseconds for a proof. After that the rows are answered without it. */
const MAX_TIME = 7_000

/** Errors of the chain that leave an answer without a proof. */
const MISSING: ReadonlySet<ErrorKind> = new Set(['CHAIN', 'SOURCE_TIMEOUT', 'NO_WORKERS', 'UNAVAILABLE'])

interface ProofMembers {
  readonly proof: WireProof | null
  readonly proof_missing?: string
}

const missing = (proof_missing: string): ProofMembers => ({ proof: null, proof_missing })

/** Resolves with the error's message if the chain is why there is no proof. */
const orMissing = async <T>(signal: AbortSignal, run: () => Promise<T>): Promise<T | string> => {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TonError && MISSING.has(error.kind)) return error.message
    throw error
  }
}

const proofOf = async (chain: ProvingChain | undefined, subject: ProofSubject | string, signal: AbortSignal): Promise<ProofMembers> => {
  if (typeof subject === 'string') return missing(subject)
  if (chain === undefined) return missing('this process has no chain to prove from')
  if (subject.rows.length > MAX_PROVEN_ROWS) return missing(`proofs are for at most ${MAX_PROVEN_ROWS} rows`)
  const own = joinAbort(signal)
  const work = () => makeProof(chain, subject, own.signal)
  const proof = await orMissing(signal, () => beforeDeadline(MAX_TIME, 'the proofs were not there in time', own, work))
  // After a failed query, ends the queries that are still running.
  own.abort()
  return typeof proof === 'string' ? missing(proof) : { proof }
}

/** Depth down to which a proof is written in several event-loop turns: its members, their elements. */
const LEVELS = 3

async function* withMembers(text: string, members: ProofMembers): AsyncGenerator<string> {
  yield `${text.slice(0, -1)},`
  let isFirst = true
  for await (const piece of jsonPieces(members, LEVELS)) {
    yield isFirst ? piece.slice(1) : piece
    isFirst = false
  }
}

/** Reads, within the snapshot of an answer, what its proof is about. */
export type ReadSubject<Found, Params> = (view: View, found: Found, params: Params) => Promise<ProofSubject>

export type TakeSubject = <Found, Params>(
  read: ReadSubject<Found, Params> | undefined,
  view: View,
  found: Found,
  params: Params,
) => Promise<void>

const takeNone: TakeSubject = async () => {}

/** Answers a call by `run`, and adds a proof if the caller wants one. An answer with a proof is not cached, because the proof needs the rows. */
export const withProof = <T>(
  index: V3Index,
  params: object,
  call: Call,
  run: (index: V3Index, take: TakeSubject) => Promise<Answer<T>> | Answer<T>,
): Promise<Answer<T>> | Answer<T> => {
  if (!asksForProofs(params)) return run(index, takeNone)
  const prove = async (): Promise<Answer<T>> => {
    let subject: ProofSubject | string = 'nothing was read'
    const { signal } = call
    const answer = await run({ ...index, cache: undefined }, async (read, view, found, given) => {
      subject = await orMissing(signal, () => read!(view, found, given))
    })
    const text = await jsonText(answer, signal)
    const members = await proofOf(index.chainOf?.(call), subject, signal)
    return { pieces: withMembers(text, members), ...(answer.headers && { headers: answer.headers }) }
  }
  return prove()
}
