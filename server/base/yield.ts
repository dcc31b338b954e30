const waiting: (() => void)[] = []

/** Resumes the first one; the next one resumes in the next turn. */
const advance = (): void => {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(advance)
}

/**
 * For long work: waits for a turn of the event loop in which no other long work runs. Immediates that are due run all in one turn, so that fifty calls of
 * 80 ms each would hold it for four seconds.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(advance)
  })

/** Milliseconds that long work may block the event loop at a time. */
const SLICE_MS = 10

/** Long work calls it after each of its small steps. What it returns is awaited if it is there: other code runs then. */
export type Pause = () => Promise<void> | undefined

/** When the first slices of all work that began in this turn end. */
let firstSlices: number | undefined
const endFirstSlices = (): void => {
  firstSlices = undefined
}
const firstSlice = (slice: number): number => {
  const until = performance.now() + slice
  if (firstSlices === undefined) setImmediate(endFirstSlices)
  firstSlices = Math.min(firstSlices ?? until, until)
  return firstSlices
}

/**
 * Yields after each `slice` milliseconds of work; all work that begins in one turn has one slice together. The pauses reject with the signal's reason when the
 * caller has left.
 */
export const createPauses = (slice = SLICE_MS, signal?: AbortSignal): Pause => {
  let until = firstSlice(slice)
  const pause = async (): Promise<void> => {
    await yieldToEventLoop()
    signal?.throwIfAborted()
    until = performance.now() + slice
  }
  return () => (performance.now() < until ? undefined : pause())
}

/** Runs steps to their end without pauses. */
export const endSteps = <R>(steps: Generator<void, R>): R => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs steps to their end with pauses between them. Rejects with the signal's reason when the caller has left. */
export const runSteps = async <R>(steps: Generator<void, R>, signal?: AbortSignal): Promise<R> => {
  const pause = createPauses(SLICE_MS, signal)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** Maps a long list with pauses between its items. Rejects with the signal's reason when the caller has left. */
export const mapWithPauses = <T, R>(items: readonly T[], map: (item: T) => R, signal: AbortSignal): Promise<R[]> =>
  runSteps(
    (function* () {
      const results: R[] = []
      for (const item of items) {
        // Before the first one too: calls at the same time begin in one turn.
        yield
        results.push(map(item))
      }
      return results
    })(),
    signal,
  )
