import { AbsentCellError, type Whereabouts } from '../../../cell/absent.ts'
import { placeOf } from '../fork/trees.ts'
import type { Fresh, Journal } from './journal.ts'
import { std } from './queue.ts'

/**
 * Adds to an AbsentCellError the destinations of the messages that are still to be delivered, so that they are fetched together. Takes all messages out
 * of the journal: the block is given up.
 */
export const withWantedNext = (error: unknown, workchain: number, { fresh }: Pick<Journal, 'fresh'>): unknown => {
  if (!(error instanceof AbsentCellError)) return error
  const others = new Map<string, Whereabouts>()
  for (let item: Fresh | undefined = fresh.pop(); item !== undefined; item = fresh.pop()) {
    const dest = std(item.info.dest)
    const at = placeOf(dest)
    if (dest.workchain === workchain) others.set(at.key, at)
  }
  error.others = [...others.values()]
  return error
}
