import { expect, test } from 'vitest'
import { JsonBytes } from '../../../server/base/json/bytes.ts'
import { allPieces, memberSteps, shortSteps, valueSteps } from '../../../server/base/json/steps.ts'

const { signal } = new AbortController()

/** Members of a thousand characters each, some of which are two bytes. */
const membersOf = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padEnd(1_000, i % 2 ? 'é' : 'e'))
const steps = (out: JsonBytes, members: readonly string[]): Generator<void> =>
  memberSteps(out, members, (to, member) => to.json(JSON.stringify(member)))

const piecesOf = async (out: JsonBytes, of: Iterable<void>): Promise<Buffer[]> => {
  const pieces: Buffer[] = []
  for await (const piece of allPieces(out, of)) pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
  return pieces
}

test('values are written as JSON.stringify writes them', async () => {
  for (const value of [null, 'a"é', 12, [], [1, 'b'], {}, { a: { b: null }, '"': [] }, { left: undefined, a: 1, out: undefined }]) {
    const out = new JsonBytes()
    expect(await shortSteps(out, valueSteps(out, value), signal)).toBe(true)
    expect(out.text()).toBe(JSON.stringify(value))
  }
})

test('what is long comes in pieces, which are whole characters in memory of their own', async () => {
  const members = membersOf(1_000)
  const out = new JsonBytes()
  const pieces = await piecesOf(out, steps(out, members))
  expect(pieces.length).toBeGreaterThan(10)
  expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length)
  for (const piece of pieces) expect(piece.byteLength).toBe(piece.buffer.byteLength)
  expect(JSON.parse(`[${pieces.map(String).join('')}]`)).toEqual(members)
})

test('pieces may be given away while the rest is written', async () => {
  const members = membersOf(400)
  const out = new JsonBytes()
  let text = ''
  for await (const piece of allPieces(out, steps(out, members))) {
    text += String(piece)
    structuredClone(piece, { transfer: [piece.buffer as ArrayBuffer] })
    expect(piece.byteLength).toBe(0)
  }
  expect(JSON.parse(`[${text}]`)).toEqual(members)
})

test('a text that becomes too long is passed on in pieces from its beginning', async () => {
  const members = membersOf(400)
  const out = new JsonBytes()
  const left = steps(out, members)
  expect(await shortSteps(out, left, signal)).toBe(false)
  expect(JSON.parse(`[${(await piecesOf(out, left)).map(String).join('')}]`)).toEqual(members)
})

test('steps end when nobody reads on', async () => {
  const out = new JsonBytes()
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
  const out = new JsonBytes()
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
