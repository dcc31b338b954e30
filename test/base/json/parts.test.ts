import { expect, test } from 'vitest'
import { jsonParts, memberParts, piecesOf } from '../../../server/base/json/parts.ts'

/** Members of a thousand characters each, some of which are two bytes. */
const membersOf = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padEnd(1_000, i % 2 ? 'é' : 'e'))
const partsOf = (members: readonly string[]): Generator<string> => memberParts(members, (member) => member)

test('values are written as JSON.stringify writes them', () => {
  for (const value of [null, 'a"é', 12, [], [1, 'b'], {}, { a: { b: null }, '"': [] }, { left: undefined, a: 1, out: undefined }])
    expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value))
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
