import { expect, test } from 'vitest'
import { answerOfParts, jsonParts, memberParts, piecesOf, shortText } from '../../../server/base/json/parts.ts'
import { jsonText } from '../../../server/base/json-text.ts'

const { signal } = new AbortController()

/** Members of a thousand characters each, some of which are two bytes. */
const membersOf = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padEnd(1_000, i % 2 ? 'é' : 'e'))
const partsOf = (members: readonly string[]): Generator<string> => memberParts(members, (member) => member)

test('values are written as JSON.stringify writes them', async () => {
  for (const value of [null, 'a"é', 12, [], [1, 'b'], {}, { a: { b: null }, '"': [] }, { left: undefined, a: 1, out: undefined }])
    expect(await answerOfParts(jsonParts(value), signal)).toEqual({ pieces: [JSON.stringify(value)] })
})

test('a large member of a list is written in parts, as JSON.stringify writes it', () => {
  const members = [{ small: 1 }, { large: [1, 2], among: { a: 'é', none: undefined }, gone: undefined }, null]
  const parts = [
    ...memberParts(
      members,
      (member) => member,
      (member) => (member && 'large' in member ? 2 : 0),
    ),
  ]
  expect(parts.join('')).toBe(JSON.stringify(members).slice(1, -1))
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(20)
})

test('what is long comes in pieces', async () => {
  const members = membersOf(1_000)
  const pieces: string[] = []
  for await (const piece of piecesOf(partsOf(members))) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(10)
  expect(JSON.parse(`[${pieces.join('')}]`)).toEqual(members)
})

test('a text that becomes too long is passed on in pieces from its beginning', async () => {
  const members = membersOf(400)
  const answer = await answerOfParts(partsOf(members), signal)
  expect(Array.isArray(answer.pieces)).toBe(false)
  expect(JSON.parse(`[${await jsonText(answer, signal)}]`)).toEqual(members)
})

test('parts end when nobody reads on', async () => {
  let hasEnded = false
  const all = function* (): Generator<string> {
    try {
      yield* partsOf(membersOf(400))
    } finally {
      hasEnded = true
    }
  }
  for await (const _ of piecesOf(all())) break
  expect(hasEnded).toBe(true)
})

test('a text that takes long is not made to its end once the caller has left', async () => {
  const leaving = new AbortController()
  let made = 0
  const slow = function* (): Generator<string> {
    for (; made < 100; made++) {
      for (const until = performance.now() + 10; performance.now() < until; );
      yield ''
    }
  }
  setImmediate(() => leaving.abort(new Error('left')))
  await expect(shortText(slow(), leaving.signal)).rejects.toThrow('left')
  expect(made).toBeLessThan(100)
})
