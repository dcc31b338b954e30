import { AbsentCellError, type Whereabouts } from '../../../cell/absent.ts'
import { placeOf } from '../fork/trees.ts'
import type { Fresh, Journal } from './journal.ts'
import { std } from './queue.ts'

/**
 * An AbsentCellError with the destinations of the messages that are still to be delivered, so that all are fetched together; any other error as it is. Takes the
 * messages out of the journal, because the block is given up.
 */
export const withWantedNext = (error: unknown, workchain: number, { fresh }: Pick<Journal, 'fresh'>): unknown => {
  if (!(error instanceof AbsentCellError)) return error
  const others = new Map<string, Whereabouts>()
  for (let item: Fresh | undefined = fresh.pop(); item !== undefined; item = fresh.pop()) {
    const dest = std(item.info.dest)
    const at = placeOf(dest)
    if (dest.workchain === workchain) others.set(at.key, at)
  }
  return error.withOthers([...others.values()])
}
