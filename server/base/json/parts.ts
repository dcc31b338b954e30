import { createPauses } from '../yield.ts'

/*
 * Writes JSON without blocking the event loop for long. The JSON is made in parts: texts of any length. It is passed on in pieces of many parts.
 */

/** Characters of a piece. Smaller pieces cost more to send than to produce. Larger ones block other calls while they are produced. */
const PIECE = 1 << 16
/** Characters of parts that are joined before anything is awaited: an await for each of a hundred thousand parts would take longer than making them. */
const STRETCH = 1 << 12

/** Joins parts to texts of at least STRETCH characters. */
export function* stretchesOf(parts: Iterable<string>): Generator<string> {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < STRETCH) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** Joins parts to pieces of at least PIECE characters. Yields to the event loop between parts when the time slice is over. */
export async function* piecesOf(parts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  const pause = createPauses()
  let text = ''
  // Many calls may begin in the same turn.
  const begun = pause()
  if (begun !== undefined) await begun
  for await (const part of Symbol.iterator in parts ? stretchesOf(parts) : parts) {
    text += part
    if (text.length >= PIECE) {
      yield text
      text = ''
    }
    const paused = pause()
    if (paused !== undefined) await paused
  }
  if (text !== '') yield text
}

export function* joinedParts(...all: readonly Iterable<string>[]): Generator<string> {
  for (const parts of all) yield* parts
}

/**
 * The members of an array as JSON, without its brackets. Each member is a part. `levelsOf`: outer levels of a large member whose members are parts of their
 * own.
 */
export function* memberParts<T>(
  members: readonly T[],
  jsonOf: (member: T) => unknown,
  levelsOf: (member: T) => number = () => 0,
): Generator<string> {
  for (const [i, member] of members.entries()) {
    if (i > 0) yield ','
    yield* jsonParts(jsonOf(member) ?? null, levelsOf(member))
  }
}

/** Any value as JSON. Each member of the outer `levels` levels is a part, and is read when it is written. Throws TypeError for a bigint. */
export function* jsonParts(value: unknown, levels = 1): Generator<string> {
  if (typeof value !== 'object' || value === null || levels === 0) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    yield '['
    yield* memberParts<unknown>(
      value,
      (member) => member,
      () => levels - 1,
    )
    yield ']'
  } else {
    let before = '{'
    for (const name of Object.keys(value)) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* jsonParts(member, levels - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
