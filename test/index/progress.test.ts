import { describe, expect, it } from 'vitest'
import { createPace } from '../../server/index/service/pace.ts'
import { formatProgress } from '../../server/index/service/progress-line.ts'
import type { IndexStatus } from '../../server/metrics/figures.ts'

const status: IndexStatus = {
  phase: 'backfill',
  seqno: 500,
  head: 1000,
  first: 1,
  lag: 500,
  transactions: 0,
  blocksPerSecond: 12,
  transactionsPerSecond: 1234,
  secondsLeft: 42,
  failedTraces: 0,
  leftOut: 0,
  tracesLeft: 0,
  error: '',
  cause: '',
}

describe('pace', () => {
  it('the pace is that of the last ten seconds, for groups of any size', () => {
    const pace = createPace()
    expect(pace({ from: 0, at: 1000, blocks: 50, transactions: 0 })).toEqual({ blocksPerSecond: 50, transactionsPerSecond: 0 })
    // A group is read while the one before it is written.
    expect(pace({ from: 500, at: 2000, blocks: 10, transactions: 400 })).toEqual({ blocksPerSecond: 30, transactionsPerSecond: 200 })
    expect(pace({ from: 2000, at: 11_500, blocks: 19, transactions: 0 })).toEqual({
      blocksPerSecond: 29 / 11,
      transactionsPerSecond: 400 / 11,
    })
    expect(pace({ from: 100_000, at: 100_010, blocks: 1, transactions: 3 })).toEqual({ blocksPerSecond: 100, transactionsPerSecond: 300 })
  })
})

describe('progress of a backfill', () => {
  it('the progress of a backfill tells place, speed and time left', () => {
    expect(formatProgress(status)).toBe('index [############............] 500 of 1000, 12 blocks/s, 1234 tx/s, 42 s left')
    expect(formatProgress({ ...status, secondsLeft: 61 })).toMatch(/2 min left$/)
    expect(formatProgress({ ...status, seqno: 750, first: 501 })).toMatch(/\[#{12}\.{12}\] 750 of 1000/)
    expect(formatProgress({ ...status, seqno: -1 })).toMatch(/\[\.{24}\] 0 of 1000/)
  })
  it('the progress of a backfill has no speed before one is known', () => {
    expect(formatProgress({ ...status, seqno: -1, secondsLeft: 0 })).toBe('index [........................] 0 of 1000, ...')
  })
  it('progress is only told during a backfill', () => {
    expect(formatProgress({ ...status, phase: 'following' })).toBe('')
    expect(formatProgress({ ...status, phase: 'starting', head: 0 })).toBe('')
  })
})
