import { describe, expect, it } from 'vitest'
import { formatProgress } from '../../server/index/progress.ts'
import type { IndexStatus } from '../../server/index/status.ts'

const status: IndexStatus = {
  phase: 'backfill',
  seqno: 500,
  head: 1000,
  first: 1,
  lag: 500,
  transactions: 0,
  transactionsPerSecond: 1234,
  secondsLeft: 42,
  error: '',
}

describe('progress of a backfill', () => {
  it('tells place, speed and time left', () => {
    expect(formatProgress(status)).toBe('index [############............] 500 of 1000, 1234 tx/s, 42 s left')
    expect(formatProgress({ ...status, secondsLeft: 61 })).toMatch(/2 min left$/)
    expect(formatProgress({ ...status, seqno: 750, first: 501 })).toMatch(/\[#{12}\.{12}\] 750 of 1000/)
    expect(formatProgress({ ...status, seqno: -1 })).toMatch(/\[\.{24}\] 0 of 1000/)
  })
  it('is silent otherwise', () => {
    expect(formatProgress({ ...status, phase: 'following' })).toBe('')
    expect(formatProgress({ ...status, phase: 'starting', head: 0 })).toBe('')
  })
})
