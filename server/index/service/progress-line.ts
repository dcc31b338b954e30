import type { IndexStatus } from '../../metrics/figures.ts'

const WIDTH = 24

/** One line about a backfill for a terminal: bar, seqno, speed, time left. Empty if no backfill is running. */
export const formatProgress = ({ phase, seqno, first, head, blocksPerSecond, transactionsPerSecond, secondsLeft }: IndexStatus): string => {
  if (phase !== 'backfill' || head <= 0) return ''
  const filled = Math.floor((Math.max(0, seqno - first + 1) / Math.max(1, head - first + 1)) * WIDTH)
  const bar = '#'.repeat(filled).padEnd(WIDTH, '.')
  const left = secondsLeft >= 60 ? `${Math.ceil(secondsLeft / 60)} min` : `${secondsLeft} s`
  // The speed is unknown until the first group is written.
  const speed = secondsLeft > 0 ? `${blocksPerSecond} blocks/s, ${transactionsPerSecond} tx/s, ${left} left` : '...'
  return `index [${bar}] ${Math.max(0, seqno)} of ${head}, ${speed}`
}
