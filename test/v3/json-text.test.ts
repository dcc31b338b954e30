import { describe, expect, it } from 'vitest'
import { jsonParts, piecesOf } from '../../server/base/json/parts.ts'
import { fc } from '../kit/property.ts'
import { jsonText } from '../kit/service/results.ts'

/* Large answers are written in turns: the same text as JSON.stringify's, others run in between, and nobody writes for nobody. */

const signal = new AbortController().signal
const written = (value: object, levels: number, stop = signal) => jsonText({ pieces: piecesOf(jsonParts(value, levels)) }, stop)

describe('JSON of answers', () => {
  it('the JSON of an answer equals JSON.stringify, however deep it is written in turns', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const withGaps = fc.dictionary(fc.string(), fc.oneof(json, fc.constant(undefined)), { noNullPrototype: true })
    const value = fc.oneof(withGaps, fc.array(fc.oneof(withGaps, fc.constant(undefined))))
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 0, max: 6 }), async (body, levels) => {
        const expected = JSON.stringify(body)
        expect(await written(body, levels)).toBe(expected)
        expect(await jsonText({ body }, signal)).toBe(expected)
      }),
    )
  })

  it('pieces of texts and of bytes are joined, cut between characters', async () => {
    const text = JSON.stringify({ name: 'Звезда 🌟' })
    const pieces = async function* () {
      for (const [i, character] of [...text].entries()) yield i % 2 ? character : Buffer.from(character)
    }
    expect(await jsonText({ pieces: pieces() }, signal)).toBe(text)
    expect(await jsonText({ pieces: [text.slice(0, 3), text.slice(3)] }, signal)).toBe(text)
  })

  it('writing JSON lets others run in between', async () => {
    const rows = Array.from({ length: 6000 }, (_, i) => ({ i, text: 'x'.repeat(2000) }))
    let turns = 0
    let going = true
    const beat = (): void => {
      turns++
      if (going) setImmediate(beat)
    }
    setImmediate(beat)
    const text = await written({ rows }, 2)
    going = false
    expect(turns).toBeGreaterThan(0)
    expect(JSON.parse(text)).toEqual({ rows })
  })

  it('writing JSON ends when nobody waits for it any more', async () => {
    const gone = new AbortController()
    const rows = Array.from({ length: 6000 }, () => ({ text: 'x'.repeat(2000) }))
    const writing = written({ rows }, 2, gone.signal)
    gone.abort(new Error('gone'))
    await expect(writing).rejects.toThrow('gone')
  })

  it('values that JSON does not have are refused', async () => {
    for (const body of [undefined, 1n]) await expect(jsonText({ body }, signal)).rejects.toThrow(TypeError)
    await expect(written({ rows: [1n] }, 2)).rejects.toThrow(TypeError)
  })
})
