import { expect, it } from 'vitest'
import { idOf, objectOf, StreamError } from '../../../server/http/stream/read-request.ts'

const hashes = (count: number): string =>
  JSON.stringify({ id: 2 ** 60, trace_external_hash_norms: Array.from({ length: count }, () => 'x') })
const object = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"a${i}":1`)}}`

it('a request of a stream has at most as many values and members as a body of JSON-RPC, and its id stays a number', () => {
  expect(objectOf(hashes(100_000))['id']).toBe(2 ** 60)
  expect(() => objectOf(hashes(100_001))).toThrow(new StreamError('JSON has more than 100000 commas', true))
  expect(Object.keys(objectOf(object(35_000)))).toHaveLength(35_000)
  expect(() => objectOf(object(35_001))).toThrow(new StreamError('JSON has more than 35000 members', true))
  expect(() => objectOf('{')).toThrow(StreamError)
})

it('an id of a request of a stream is a number or a text of at most 1,000 characters, because answers repeat it', () => {
  const id = 'x'.repeat(1_000)
  expect([idOf({ id }), idOf({ id: 1.5 }), idOf({ id: null })]).toEqual([id, 1.5, undefined])
  expect(() => idOf({ id: `${id}x` })).toThrow(new StreamError('id is over 1000 characters', true))
})
