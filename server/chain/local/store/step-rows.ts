import { Lru } from '../../../base/memory/lru.ts'
import { type BlockId, MASTERCHAIN, sameBlock } from '../../../tlb/ids.ts'
import type { LogFile } from './log-file.ts'
import type { BlockRow, StepRow } from './records.ts'
import { readStepRow } from './recover.ts'
import type { StepIndex } from './step-index.ts'

const MAX_ROWS = 512

/** Reads rows of the log's steps by seqno, with a cache. `refuse` throws for a step whose record is damaged. */
export const createRows = (log: LogFile, index: StepIndex, refuse: (seqno: number, at: number) => never) => {
  const cache = new Lru<number, StepRow>({ max: MAX_ROWS })
  const row = (seqno: number): StepRow => {
    const cached = cache.get(seqno)
    if (cached) return cached
    const at = index.at(seqno)
    // The start only reads records after the last step of the index. So damage in earlier records is found here.
    if (log.recordAt(at, true) === undefined) refuse(seqno, at)
    const found = readStepRow(log, at)
    if (found.seqno !== seqno) refuse(seqno, at)
    cache.set(seqno, found)
    return found
  }
  const headSeqno = (): number => index.count() - 1
  const has = (seqno: number): boolean => seqno >= 0 && seqno <= headSeqno()
  const block = (workchain: number, seqno: number): BlockRow | undefined => {
    if (!has(seqno)) return undefined
    return workchain === MASTERCHAIN ? row(seqno).master : workchain === 0 ? row(seqno).shard : undefined
  }
  return {
    row,
    headSeqno,
    has,
    block,
    of: (id: BlockId): BlockRow | undefined => {
      const found = block(id.workchain, id.seqno)
      return found && sameBlock(found.id, id) ? found : undefined
    },
    /** Binary search from seqno 1 on. `reached` must be true for every block after the first block for which it is true. */
    firstWhere: (workchain: number, reached: (block: BlockRow) => boolean): BlockId | undefined => {
      let low = 1
      let high = headSeqno() + 1
      while (low < high) {
        const middle = (low + high) >>> 1
        const found = block(workchain, middle)
        if (!found) return undefined
        if (reached(found)) high = middle
        else low = middle + 1
      }
      return low <= headSeqno() ? block(workchain, low)?.id : undefined
    },
    clear: (): void => cache.clear(),
  }
}
export type Rows = ReturnType<typeof createRows>
