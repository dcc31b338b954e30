const WINDOW_MS = 10_000

interface Step {
  readonly from: number
  readonly at: number
  readonly blocks: number
  readonly transactions: number
}

/** Computes the average speed over WINDOW_MS. A single group of blocks says little, because group sizes vary a lot. Times come from `performance.now()`. */
export const createPace = () => {
  let steps: readonly Step[] = []
  return (step: Step) => {
    steps = [...steps.filter(({ at }) => at > step.at - WINDOW_MS), step]
    const seconds = (step.at - Math.min(...steps.map(({ from }) => from))) / 1000
    const perSecond = (of: 'blocks' | 'transactions'): number => steps.reduce((sum, each) => sum + each[of], 0) / Math.max(seconds, 0.001)
    return { blocksPerSecond: perSecond('blocks'), transactionsPerSecond: perSecond('transactions') }
  }
}
