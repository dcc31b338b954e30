import { parseExact } from './numbers.ts'
import type { Answer } from './transports.ts'

/* How an answer differs from the recorded one. */

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Most differences that are told. */
const MAX_TOLD = 5
const short = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120))

/** Places where two values differ, each with both values. */
function* unequal(expected: unknown, got: unknown, at: string): Generator<string> {
  if (isMembers(expected) && isMembers(got)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) yield* unequal(expected[name], got[name], `${at}.${name}`)
  } else if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [i, each] of expected.entries()) yield* unequal(each, got[i], `${at}[${i}]`)
  } else if (expected !== got) yield `${at}: ${short(got)} in place of ${short(expected)}`
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** Places where a value does not have the shape of another one: members that are missing, and other types. Items have the shape of the first item. */
function* misshapen(expected: unknown, got: unknown, at: string): Generator<string> {
  // What is null in one answer may be anything in another.
  if (expected === null || got === null) return
  if (kindOf(expected) !== kindOf(got)) yield `${at}: ${kindOf(got)} in place of ${kindOf(expected)}`
  else if (isMembers(expected))
    for (const [name, value] of Object.entries(expected)) yield* misshapen(value, (got as Members)[name], `${at}.${name}`)
  else if (Array.isArray(expected) && expected.length > 0)
    for (const [i, each] of (got as readonly unknown[]).entries()) yield* misshapen(expected[0], each, `${at}[${i}]`)
}

/** An answer of a case's file: the result, or the error. */
export type Recorded = { readonly result: unknown } | { readonly error: Members }
export const readRecorded = (line: string): Recorded => parseExact(line) as Recorded

const first = (found: Generator<string>): string[] => {
  const told: string[] = []
  for (const each of found) if (told.push(each) === MAX_TOLD) break
  return told
}

/** A GET says so itself where the text of an error names the request. */
const PREFIX = /^failed to parse (?:get|post) request: /

/** Texts are compared without the name of the verb. */
const textOfError = (text: unknown): unknown => (typeof text === 'string' ? text.replace(PREFIX, 'failed to parse request: ') : text)

/**
 * How an answer differs from the recorded one: [] if it does not. Of an error, only what the transport carries is compared: `isWhole` if that is everything.
 * `shape`: whether the shape of a result, and the status of an error, are enough.
 */
export const differences = (
  recorded: Recorded,
  status: number,
  answer: Answer,
  { isWhole = false, shape = false }: { readonly isWhole?: boolean; readonly shape?: boolean } = {},
): string[] => {
  if ('result' in recorded) {
    if ('error' in answer) return [`an error in place of a result: ${answer.status ?? ''} ${short(answer.error)}`]
    return first((shape ? misshapen : unequal)(recorded.result, answer.result, 'result'))
  }
  if ('result' in answer) return [`a result in place of an error: ${short(answer.result)}`]
  const found = answer.status === undefined || answer.status === status ? [] : [`status ${answer.status} in place of ${status}`]
  if (shape) return found
  const { error } = answer
  const names = isWhole ? Object.keys({ ...recorded.error, ...error }) : Object.keys(error)
  return [
    ...found,
    ...first(
      (function* () {
        for (const name of names) yield* unequal(textOfError(recorded.error[name]), textOfError(error[name]), `error.${name}`)
      })(),
    ),
  ]
}
