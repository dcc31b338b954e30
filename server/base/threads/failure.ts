import { type ErrorKind, TonError, type TonErrorOptions } from '../../../shared/errors.ts'
import { toCallerError } from '../fault.ts'

/*
 * Errors in messages between threads and processes. A structured clone loses the class of an error, so the receiver creates an error of the original class
 * where the class matters.
 */

export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** Additional data of the error: SQLSTATE, or the members of a TonError. */
  readonly data: Readonly<Record<string, unknown>>
}

const MEMBERS = ['code', 'kind', 'retryAfter', 'issues', 'detail', 'headers'] as const

const dataOf = (error: Error): Failure['data'] => {
  const members = error as unknown as Readonly<Record<string, unknown>>
  // Members that are not plain data are omitted: a function makes the message fail, and an instance of a class loses its class.
  return Object.fromEntries(
    MEMBERS.filter((name) => members[name] !== undefined && isData(members[name])).map((name) => [name, members[name]]),
  )
}

const isData = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  if (Array.isArray(value)) return value.every(isData)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData)
}

/** @internal Converts a thrown value to plain data. */
export const toFailure = (thrown: unknown): Failure => {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), stack: undefined, data: {} }
  return { name: thrown.name, message: thrown.message, stack: thrown.stack, data: dataOf(thrown) }
}

/** Converts a thrown value to plain data. A fault becomes the error that callers get. An unexpected error stays as it is. */
export const toAnsweredFailure = (thrown: unknown): Failure => toFailure(toCallerError(thrown) ?? thrown)

/** Recreates the error of the other side, with its original stack. Only a TonError keeps its class. */
export const fromFailure = (failure: Failure): Error => {
  const error = make(failure)
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}

const make = ({ name, message, data }: Failure): Error => {
  if (name === 'TonError') return new TonError(data['kind'] as ErrorKind, message, data as TonErrorOptions)
  return Object.assign(new Error(message), { name, ...(data['code'] !== undefined && { code: data['code'] }) })
}
