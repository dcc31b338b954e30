import { describe, expect, it } from 'vitest'
import { countInProduction, countWords, wordsOf } from './kit/words.ts'

/**
 * Words that say too little as a name, with the number of times that they may still stand in identifiers, comments and paths of server/, shared/ and client/.
 * Lower a limit when a room has fewer; no limit grows.
 */
const LIMITS: Readonly<Record<string, number>> = {
  told: 0,
  kept: 5,
  known: 8,
  asked: 19,
  wanted: 1,
  // All of them: `stake_held_for` of TON.
  held: 17,
  heed: 0,
  anew: 0,
}

describe('words of names and comments', () => {
  it('words are parts of identifiers and of texts, whatever their case', () => {
    expect(wordsOf('keptTraces KEPT_TRACES isKnown unknown HTTPKept tolds')).toEqual([
      'kept',
      'traces',
      'kept',
      'traces',
      'is',
      'known',
      'unknown',
      'http',
      'kept',
      'tolds',
    ])
  })

  it('identifiers, comments and the path count; texts and quoted keys do not', () => {
    const source = [
      '/** What is kept, kept again. */',
      "const keptRows: Kept = { known, 'asked': `told told`, [wanted]: 1, held: 'anew' } // told",
      'type Kept = { asked?: string } & typeof import("./told.ts")',
    ]
    const words = new Set(['told', 'kept', 'known', 'asked', 'wanted', 'held', 'heed', 'anew'])
    expect(Object.fromEntries(countWords('server/live/kept.ts', source.join('\n'), words))).toEqual({
      ...{ kept: 6, known: 1, wanted: 1, held: 1, told: 1, asked: 1 },
    })
  })

  it('no word stands more often than its limit', () => {
    const over: string[] = []
    for (const [word, files] of countInProduction(Object.keys(LIMITS))) {
      const total = files.reduce((sum, [, count]) => sum + count, 0)
      const most = files.slice(0, 15).map(([file, count]) => `  ${count} ${file}`)
      if (total > LIMITS[word]!) over.push([`${word}: ${total} times, the limit is ${LIMITS[word]}. Most are in`, ...most].join('\n'))
    }
    expect(over.join('\n')).toBe('')
  }, 120_000)
})
