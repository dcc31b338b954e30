/** @internal Thrown for text that is not JSON, is nested too deep or has too many members. */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly reason: 'syntax' | 'depth' | 'members'
  constructor(reason: JsonError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** @internal Maximum nesting depth of a request, as in TON Center's C++ service. */
export const MAX_JSON_DEPTH = 2048
/**
 * @internal Maximum number of members of a request. The 8,000 arguments that a get-method may get as objects have 32,000. A megabyte can have 130,000 names,
 * and JSON.parse takes half a microsecond for each that is new.
 */
export const MAX_JSON_MEMBERS = 35_000
/**
 * @internal Maximum number of commas of a request, those in texts included. A thousand calls, each with a thousand short values, have more, and nobody sends
 * those: half a million numbers fit into a megabyte, and their cache key took 170 ms.
 */
export const MAX_JSON_COMMAS = 100_000
/** Maximum number of opening brackets of a request, those in texts included. Half a million arrays, nested in few others, took 200 ms. */
const MAX_JSON_BRACKETS = 100_000

/** 16 digits. Without the lookbehind a search would begin again at each digit of each shorter number, which took 80 ms for a megabyte of them. */
const LONG_DIGITS = /(?<!\d)\d{16}/
const BACKSLASH = 92
const NAME_END = /^[ \t\n\r]*:/

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Index after the string that starts at `start`; the end of the text if the string is not closed. */
const skipString = (text: string, start: number): number => {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return text.length
    let escapes = 0
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** Index after the number that starts at `start`, and whether the number is an integer beyond 2^53. */
const skipNumber = (text: string, start: number): { end: number; big: boolean } => {
  const digits = text[start] === '-' ? start + 1 : start
  let end = digits
  while (isDigit(text.charCodeAt(end))) end++
  const length = end - digits
  const next = text[end]
  if (next === '.' || next === 'e' || next === 'E') {
    while (end < text.length && /[-+.eE\d]/.test(text[end]!)) end++
    return { end, big: false }
  }
  // Quoting must not turn invalid JSON into valid JSON, so a number with a leading zero or in place of a member's name stays unquoted.
  if (length < 16 || text[digits] === '0' || NAME_END.test(text.slice(end, end + 16))) return { end, big: false }
  return { end, big: length > 16 || !Number.isSafeInteger(Number(text.slice(digits, end))) }
}

/** Checks the nesting depth and quotes integers beyond 2^53, in one pass over the text. */
const scan = (text: string, maxDepth: number): string => {
  let out = ''
  let copied = 0
  let depth = 0
  for (let i = 0; i < text.length; ) {
    const char = text[i]
    if (char === '"') {
      i = skipString(text, i)
    } else if (char === '-' || isDigit(text.charCodeAt(i))) {
      const { end, big } = skipNumber(text, i)
      if (big) {
        out += `${text.slice(copied, i)}"${text.slice(i, end)}"`
        copied = end
      }
      i = Math.max(end, i + 1)
    } else {
      if (char === '[' || char === '{') {
        if (++depth > maxDepth) throw new JsonError('depth', `JSON is nested deeper than ${maxDepth}`)
      } else if (char === ']' || char === '}') depth--
      i++
    }
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** True if a text has at most `most` of these characters, strings included. So many brackets cannot be nested deeper, nor so many colons name more members. */
const hasAtMost = (text: string, chars: string, most: number): boolean => {
  if (text.length <= most) return true
  let left = most
  for (const char of chars) {
    for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) if (--left < 0) return false
  }
  return true
}

/**
 * Returns whether a value of JSON has more than `most` values inside it. Of `leaf`, which is one of them, those on its first level count, whatever
 * they contain.
 */
export const hasMoreValues = (value: unknown, most: number, leaf?: unknown): boolean => {
  const open = [value]
  let left = most
  while (open.length > 0) {
    const each = open.pop()
    if (typeof each !== 'object' || each === null) continue
    const members: readonly unknown[] = Array.isArray(each) ? each : Object.values(each)
    left -= members.length
    if (left < 0) return true
    if (each !== leaf) open.push(...members)
  }
  return false
}

/** Throws JsonError if a request has too many members, commas or brackets. */
export const checkMembers = (text: string): void => {
  if (!hasAtMost(text, ':', MAX_JSON_MEMBERS)) throw new JsonError('members', `JSON has more than ${MAX_JSON_MEMBERS} members`)
  if (!hasAtMost(text, ',', MAX_JSON_COMMAS)) throw new JsonError('members', `JSON has more than ${MAX_JSON_COMMAS} commas`)
  if (!hasAtMost(text, '[{', MAX_JSON_BRACKETS)) throw new JsonError('members', `JSON has more than ${MAX_JSON_BRACKETS} opening brackets`)
}

/**
 * JSON.parse that returns integers beyond 2^53 exactly, as decimal texts, and rejects deep nesting and too many members. Runs in linear time. Throws only
 * JsonError. Members named `__proto__` become own members and do not affect the prototype.
 */
export const parseJson = (text: string, maxDepth = MAX_JSON_DEPTH): unknown => {
  checkMembers(text)
  const plain = hasAtMost(text, '[{', maxDepth) && !LONG_DIGITS.test(text)
  const safe = plain ? text : scan(text, maxDepth)
  try {
    return JSON.parse(safe)
  } catch (cause) {
    throw new JsonError('syntax', cause instanceof Error ? `invalid JSON: ${cause.message.slice(0, 200)}` : 'invalid JSON', { cause })
  }
}
