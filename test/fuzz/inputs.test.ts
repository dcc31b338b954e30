import { describe, expect, it } from 'vitest'
import { seed } from '../kit/random.ts'
import { inputReaders, readChanged } from './inputs.ts'

const READERS = inputReaders()

describe('readers of foreign bytes', () => {
  it('there are at least twenty, and each takes the inputs that are changed', () => {
    expect(READERS.length).toBeGreaterThanOrEqual(20)
    for (const { name, seeds, read } of READERS) {
      // Some examples of methods show what is refused.
      if (name.startsWith('body of') || name.startsWith('query of')) continue
      for (const each of seeds) expect(() => read(Buffer.from(each)), name).not.toThrow()
    }
  })
  it.each(READERS)('$name: changed inputs are read, or refused by an error of its own', (reader) => {
    expect(readChanged(reader, 100, seed)).toEqual([])
  })
  it('a reader that stumbles is found', () => {
    const stumbling = {
      name: 'stumbling',
      seeds: [Buffer.from('{"a":{"b":1}}')],
      refusals: [SyntaxError],
      read: (bytes: Buffer) => JSON.parse(bytes.toString()).a.b,
    }
    expect(readChanged(stumbling, 1_000, seed)[0]).toMatch(/^stumbling, [0-9a-f]*: TypeError/)
  })
})
