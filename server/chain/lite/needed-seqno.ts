import { type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { LiteArgs, LiteFunction } from '../liteserver.ts'

/** Seqno of the masterchain block that a server needs to answer; 0 if the query does not show it. */
export const neededSeqno = <F extends LiteFunction>(args: LiteArgs<F>): number => {
  const { id, mcBlockId, known, target } = args as Partial<Record<'id' | 'mcBlockId' | 'known' | 'target', BlockId>>
  const seqnos = [id, mcBlockId, known, target].map((block) => (block?.rootHash && block.workchain === MASTERCHAIN ? block.seqno : 0))
  return Math.max(...seqnos)
}

/** Number of blocks behind the head after which a server may have deleted old data. */
const OLD = 1_000

export const isHistory = (seqno: number, head: number): boolean => seqno > 0 && seqno < head - OLD
