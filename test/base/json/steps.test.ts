import { expect, test } from 'vitest'
import { allPieces, memberSteps, shortSteps, valueSteps } from '../../../server/base/json/steps.ts'
import { JsonText } from '../../../server/base/json/text.ts'

const { signal } = new AbortController()

/** Members of a thousand characters each, some of which are two bytes. */
const membersOf = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padEnd(1_000, i % 2 ? 'é' : 'e'))
const steps = (out: JsonText, members: readonly string[]): Generator<void> => memberSteps(out, members, (to, member) => to.value(member))

const piecesOf = async (out: JsonText, of: Iterable<void>): Promise<string[]> => {
  const pieces: string[] = []
  for await (const piece of allPieces(out, of)) pieces.push(piece)
  return pieces
}

test('values are written as JSON.stringify writes them', async () => {
  for (const value of [null, 'a"é', 12, [], [1, 'b'], {}, { a: { b: null }, '"': [] }, { left: undefined, a: 1, out: undefined }]) {
    const out = new JsonText()
    expect(await shortSteps(out, valueSteps(out, value), signal)).toBe(true)
    expect(out.take()).toBe(JSON.stringify(value))
  }
})

test('what is long comes in pieces', async () => {
  const members = membersOf(1_000)
  const out = new JsonText()
  const pieces = await piecesOf(out, steps(out, members))
  expect(pieces.length).toBeGreaterThan(10)
  expect(JSON.parse(`[${pieces.join('')}]`)).toEqual(members)
})

test('a text that becomes too long is passed on in pieces from its beginning', async () => {
  const members = membersOf(400)
  const out = new JsonText()
  const left = steps(out, members)
  expect(await shortSteps(out, left, signal)).toBe(false)
  expect(JSON.parse(`[${(await piecesOf(out, left)).join('')}]`)).toEqual(members)
})

test('steps end when nobody reads on', async () => {
  const out = new JsonText()
  let hasEnded = false
  const all = function* (): Generator<void> {
    try {
      yield* steps(out, membersOf(400))
    } finally {
      hasEnded = true
    }
  }
  for await (const _ of allPieces(out, all())) break
  expect(hasEnded).toBe(true)
})

test('a text that takes long is not made to its end once the caller has left', async () => {
  const leaving = new AbortController()
  const out = new JsonText()
  let made = 0
  const slow = function* (): Generator<void> {
    for (; made < 100; made++) {
      for (const until = performance.now() + 10; performance.now() < until; );
      yield
    }
  }
  setImmediate(() => leaving.abort(new Error('left')))
  await expect(shortSteps(out, slow(), leaving.signal)).rejects.toThrow('left')
  expect(made).toBeLessThan(100)
})
