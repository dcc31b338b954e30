import type { StatusBoard } from './status.ts'

const WINDOW_MS = 10_000

interface Step {
  /** When the reading of the group began, and when it was written (`performance.now()`). */
  readonly from: number
  readonly at: number
  readonly blocks: number
  readonly transactions: number
}

/** @internal Computes the average speed over WINDOW_MS. A single group of blocks says little, because group sizes vary a lot. */
export const createPace = () => {
  let steps: readonly Step[] = []
  return (step: Step) => {
    steps = [...steps.filter(({ at }) => at > step.at - WINDOW_MS), step]
    const seconds = (step.at - Math.min(...steps.map(({ from }) => from))) / 1000
    const perSecond = (of: 'blocks' | 'transactions'): number => steps.reduce((sum, each) => sum + each[of], 0) / Math.max(seconds, 0.001)
    return { blocksPerSecond: perSecond('blocks'), transactionsPerSecond: perSecond('transactions') }
  }
}

/** Returns a function that reports written groups to the status board: last block, speed, and remaining time. */
export const createProgress = ({ update, status }: StatusBoard) => {
  const pace = createPace()
  return (seqno: number, group: Omit<Step, 'at'> & { readonly leftOut: number }): void => {
    const { blocksPerSecond, transactionsPerSecond } = pace({ ...group, at: performance.now() })
    const { head, transactions, leftOut } = status()
    update({
      seqno,
      transactions: transactions + group.transactions,
      blocksPerSecond: Math.round(blocksPerSecond),
      transactionsPerSecond: Math.round(transactionsPerSecond),
      secondsLeft: Math.ceil(Math.max(0, head - seqno) / blocksPerSecond),
      leftOut: leftOut + group.leftOut,
      error: '',
    })
  }
}
