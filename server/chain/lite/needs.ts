import { type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { LiteArgs, LiteFunction } from '../liteserver.ts'

/** The masterchain block that a server must have to answer; 0 where the question does not tell. */
export const neededSeqno = <F extends LiteFunction>(args: LiteArgs<F>): number => {
  const { id, mcBlockId, known, target } = args as Partial<Record<'id' | 'mcBlockId' | 'known' | 'target', BlockId>>
  const seqnos = [id, mcBlockId, known, target].map((block) => (block?.rootHash && block.workchain === MASTERCHAIN ? block.seqno : 0))
  return Math.max(...seqnos)
}

/** Blocks behind the head from which on a server may have dropped what it had. */
const OLD = 1_000

export const isHistory = (seqno: number, head: number): boolean => seqno > 0 && seqno < head - OLD
