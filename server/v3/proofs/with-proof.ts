import { type ErrorKind, TonError } from '../../../shared/errors.ts'
import { MAX_PROVEN_ROWS } from '../../../shared/fields/v3/proofs.ts'
import { beforeDeadline, joinAbort } from '../../base/abort.ts'
import type { Answer } from '../../base/answer.ts'
import { jsonParts, piecesOf } from '../../base/json/parts.ts'
import { jsonTexts, MAX_JOINED } from '../../base/json-text.ts'
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
const LEVELS = 2

function* withMembers(texts: readonly string[], { proof, proof_missing }: ProofMembers): Generator<string> {
  yield* texts.slice(0, -1)
  yield `${texts.at(-1)!.slice(0, -1)},"proof":`
  yield* jsonParts(proof, LEVELS)
  yield proof_missing === undefined ? '}' : `,"proof_missing":${JSON.stringify(proof_missing)}}`
}

/** Gets what the proof of an answer is about, which is read within the snapshot of the answer. */
export type TakeSubject = (read: () => Promise<ProofSubject>) => Promise<void>

/** Adds a proof to the answer that `run` makes. It is not cached, because its proof can be missing for a moment. */
export const withProof = async (
  chain: ProvingChain | undefined,
  signal: AbortSignal,
  run: (takeSubject: TakeSubject) => Promise<Answer<never>>,
): Promise<Answer<never>> => {
  let subject: ProofSubject | string = 'nothing was read'
  const answer = await run(async (read) => {
    subject = await orMissing(signal, read)
  })
  const texts = await jsonTexts(answer, signal, MAX_JOINED.single)
  const members = await proofOf(chain, subject, signal)
  return { pieces: piecesOf(withMembers(texts, members)), isTransient: true, ...(answer.headers && { headers: answer.headers }) }
}
