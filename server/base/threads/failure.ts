import { type ErrorKind, TonError, type TonErrorOptions } from '../../../shared/errors.ts'
import { toCallerError } from '../fault.ts'

/*
 * Errors in messages between threads and processes. Messages lose the class of an error, so the receiver creates an error of the right class again where it needs the class.
 */

/** An error as plain data. */
export interface Failure {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  /** What the error has besides: SQLSTATE or a lite-server's code, the kind of a TonError or TvmError, the hash and the place of an absent cell, ... */
  readonly data: Readonly<Record<string, unknown>>
}

/** Classes that the receiver tells apart, by name, and how each is made again. A TonError is always made again. */
export type Remade = Readonly<Record<string, (failure: Failure) => Error>>

/** Members that cross. */
const MEMBERS = ['code', 'kind', 'what', 'retryAfter', 'issues', 'detail', 'headers', 'hash', 'at', 'others'] as const

const dataOf = (error: Error): Failure['data'] => {
  const members = error as unknown as Readonly<Record<string, unknown>>
  // A function or an instance of a class would make the whole message fail, or lose its class.
  return Object.fromEntries(
    MEMBERS.filter((name) => members[name] !== undefined && isData(members[name])).map((name) => [name, members[name]]),
  )
}

/** Whether a value is made of plain objects, lists and texts, numbers and so on. */
const isData = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol'
  if (Array.isArray(value)) return value.every(isData)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isData)
}

/** A thrown value as plain data. */
export const toFailure = (thrown: unknown): Failure => {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown), stack: undefined, data: {} }
  return { name: thrown.name, message: thrown.message, stack: thrown.stack, data: dataOf(thrown) }
}

/** The same in the form in which callers are answered, but for classes of `remade`. A bug stays as it is. */
export const toAnsweredFailure = (thrown: unknown, remade: Remade = {}): Failure =>
  toFailure(thrown instanceof Error && Object.hasOwn(remade, thrown.name) ? thrown : (toCallerError(thrown) ?? thrown))

/** The error of the other side, with its stack. */
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
