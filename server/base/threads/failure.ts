import { type ErrorKind, TonError, type TonErrorOptions } from '../../../shared/errors.ts'
import { toCallerError } from '../fault.ts'

/*
 * Errors in messages between threads. A structured clone loses the class of an error, so the receiver creates an error of the original class where the class
 * matters.
 */

type Members = TonErrorOptions & { readonly kind: ErrorKind }

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** SQLSTATE of an error of the database. */
  readonly code?: string
  /** Members of a TonError. */
  readonly members?: Members
}

const membersOf = ({ kind, retryAfter, issues, detail, headers }: TonError): Members => ({ kind, retryAfter, issues, detail, headers })

/** Converts a thrown value to plain data. A fault becomes the error that callers get. An unexpected error stays as it is. */
export const toFailure = (thrown: unknown): Failure => {
  const error = toCallerError(thrown) ?? thrown
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  if (error instanceof TonError) return { name, message, stack, members: membersOf(error) }
  const { code } = error as { code?: unknown }
  return { name, message, stack, ...(typeof code === 'string' && { code }) }
}

/** Recreates the error of the other side, with its original stack. Only a TonError keeps its class. */
export const fromFailure = ({ name, message, stack, code, members }: Failure): Error => {
  const error = members ? new TonError(members.kind, message, members) : Object.assign(new Error(message), { name, ...(code && { code }) })
  if (stack !== undefined) error.stack = stack
  return error
}
