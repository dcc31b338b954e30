import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, long } from '../../server/base/json-text.ts'

/* Long answers are written in turns: the same text as JSON.stringify's, others run in between, and nobody writes for nobody. */

const signal = new AbortController().signal

/** Marks every list and object of a value. */
const marked = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) marked(member)
  return long(value)
}

describe('JSON of long answers', () => {
  it('is what JSON.stringify says', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const withGaps = fc.dictionary(fc.string(), fc.oneof(json, fc.constant(undefined)), { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, withGaps, fc.array(fc.oneof(withGaps, fc.constant(undefined)))), async (value) => {
        const expected = JSON.stringify(value)
        expect(await jsonText(marked(value), signal)).toBe(expected)
        expect(jsonText(JSON.parse(expected), signal)).toBe(expected)
      }),
    )
  })

  it('lets others run in between', async () => {
    const rows = long(Array.from({ length: 6000 }, (_, i) => ({ i, text: 'x'.repeat(5000) })))
    let turns = 0
    let going = true
    const beat = (): void => {
      turns++
      if (going) setImmediate(beat)
    }
    setImmediate(beat)
    const text = await jsonText(long({ rows }), signal)
    going = false
    expect(turns).toBeGreaterThan(0)
    expect(JSON.parse(text)).toEqual({ rows })
  })

  it('ends when nobody waits for it any more', async () => {
    const gone = new AbortController()
    const rows = long(Array.from({ length: 6000 }, () => ({ text: 'x'.repeat(5000) })))
    const writing = jsonText(long({ rows }), gone.signal)
    gone.abort(new Error('gone'))
    await expect(writing).rejects.toThrow('gone')
  })

  it('refuses what JSON does not know', async () => {
    expect(() => jsonText(undefined, signal)).toThrow(TypeError)
    expect(() => jsonText(1n, signal)).toThrow(TypeError)
    await expect(jsonText(long({ rows: [1n] }), signal)).rejects.toThrow(TypeError)
  })
})
