import { LiteServerError } from '../../chain/liteserver.ts'
import { ProofError } from '../../chain/proofs/error.ts'
import { TvmError } from '../../tvm/tvm.ts'
import { CheckpointMovedError } from '../follow/checkpoint.ts'
import { IndexRefusal } from '../follow/session.ts'

/* Errors as plain objects for messages between threads. Classes that the receiver distinguishes are created again there. */

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** SQLSTATE, a lite-server's error code, or a system error code. */
  readonly code: unknown
  /** `kind` of a TvmError; `what` of a ProofError (what it should have proven). */
  readonly kind: unknown
}

export const toFailure = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, code: undefined, kind: undefined }
  const { code, kind, what } = error as { readonly code?: unknown; readonly kind?: unknown; readonly what?: unknown }
  const plain = (value: unknown): unknown => (typeof value === 'string' || typeof value === 'number' ? value : undefined)
  return { name: error.name, message: error.message, stack: error.stack, code: plain(code), kind: plain(kind ?? what) }
}

const made = ({ name, message, code, kind }: Failure): Error => {
  if (name === 'LiteServerError') return new LiteServerError(Number(code), message)
  // The message is `<what>: <text>`, and the constructor adds `<what>: ` again.
  if (name === 'ProofError') return new ProofError(String(kind), message.slice(String(kind).length + 2))
  if (name === 'TvmError') return new TvmError(kind as TvmError['kind'], message)
  if (name === 'CheckpointMovedError') return new CheckpointMovedError()
  if (name === 'IndexRefusal') return new IndexRefusal(message)
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

export const fromFailure = (failure: Failure): Error => {
  const error = made(failure)
  // Keep the stack of the original error, not of this function.
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}
