import { packed } from '../../../base/threads/packed.ts'
import { TvmError } from '../../../tvm/tvm.ts'
import { LiteServerError } from '../../liteserver.ts'

/*
 * Answers between the two threads. The link turns faults into errors for callers; a refusal whose class or code the receiver looks at is sent as a
 * value.
 */

export type Outcome<T> =
  | { readonly value: T }
  | { readonly refused: 'lite-server'; readonly code: number; readonly message: string }
  | { readonly refused: 'tvm'; readonly kind: TvmError['kind']; readonly message: string }

/** Resolves with a refusal in place of rejecting with it; rejects with any other error. */
export const outcomeOf = async <T>(work: Promise<T>): Promise<Outcome<T>> => {
  try {
    return { value: packed(await work) }
  } catch (error) {
    if (error instanceof LiteServerError) return { refused: 'lite-server', code: error.code, message: error.message }
    if (error instanceof TvmError) return { refused: 'tvm', kind: error.kind, message: error.message }
    throw error
  }
}

/** The value of an outcome; throws its refusal. */
export const settled = <T>(outcome: Outcome<T>): T => {
  if ('value' in outcome) return outcome.value
  throw outcome.refused === 'tvm' ? new TvmError(outcome.kind, outcome.message) : new LiteServerError(outcome.code, outcome.message)
}
