import { untilAborted } from '../../base/abort.ts'
import { inOwnTurn, runSteps } from '../../base/yield.ts'
import type { Cell } from '../cell.ts'
import { type BocOptions, bocSteps } from './write.ts'

/** Steps within which a bag of a thousand cells is written. Such a bag does not wait for large ones. */
const FEW_STEPS = 20

const firstSteps = <R>(steps: Generator<void, R>): R | undefined => {
  for (let i = 0; i < FEW_STEPS; i++) {
    const step = steps.next()
    if (step.done) return step.value
  }
  return undefined
}

/** The last of the large bags that wait or are written. They are written one after another: if all went on together, all would be in memory until the end. */
let lastBag: Promise<unknown> = Promise.resolve()

const inLine = <R>(work: () => Promise<R>): Promise<R> => {
  const result = lastBag.then(work)
  lastBag = result.catch(() => undefined)
  return result
}

/**
 * Writes the same bytes as `serializeBoc`, with pauses, because anybody can make an account of 65,536 cells, and a block of 200,000. Rejects with CellError
 * `budget` above `maxCells` or `maxBytes`, and with the signal's reason.
 */
export const serializeBocInTurns = async (roots: readonly Cell[], signal: AbortSignal, options?: BocOptions): Promise<Uint8Array> => {
  const steps = bocSteps(roots, options)
  const few = await inOwnTurn(() => firstSteps(steps))
  if (few !== undefined) return few
  const written = inLine(() => runSteps(steps, signal))
  // A caller who leaves the line does not keep the cells in memory until its turn.
  return await untilAborted(written, signal, () => steps.return(new Uint8Array()))
}
