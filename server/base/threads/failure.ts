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
  /** Additional data of the error: SQLSTATE or a lite-server's code, the kind of a TonError or TvmError, the hash and position of an absent cell, ... */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Functions that recreate errors, by the name of the error's class. Only for classes that the receiver distinguishes, and not for TonError, which is always
 * recreated.
 */
export type Remade = Readonly<Record<string, (failure: Failure) => Error>>

const MEMBERS = ['code', 'kind', 'what', 'retryAfter', 'issues', 'detail', 'headers', 'hash', 'at', 'others'] as const

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

/** @internal */
export const toFailure = (thrown: unknown): Failure => {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), stack: undefined, data: {} }
  return { name: thrown.name, message: thrown.message, stack: thrown.stack, data: dataOf(thrown) }
}

/** Converts a thrown value to plain data. A fault becomes the error that callers get, unless `remade` has its class. An unexpected error stays as it is. */
export const toAnsweredFailure = (thrown: unknown, remade: Remade = {}): Failure =>
  toFailure(thrown instanceof Error && Object.hasOwn(remade, thrown.name) ? thrown : (toCallerError(thrown) ?? thrown))

/** Recreates the error of the other side, with its original stack. */
export const fromFailure = (failure: Failure, remade: Remade = {}): Error => {
  const error = make(failure, remade)
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}

const make = (failure: Failure, remade: Remade): Error => {
  const { name, message, data } = failure
  if (Object.hasOwn(remade, name)) return remade[name]!(failure)
  if (name === 'TonError') return new TonError(data['kind'] as ErrorKind, message, data as TonErrorOptions)
  return Object.assign(new Error(message), { name, ...(data['code'] !== undefined && { code: data['code'] }) })
}
