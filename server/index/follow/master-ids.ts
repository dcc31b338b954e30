import type { BlockId } from '../../tlb/ids.ts'
import type { Source } from './source.ts'

export const headOf = async (source: Source, signal: AbortSignal): Promise<BlockId> => {
  const current = source.server.head?.()
  if (current) return current.id
  for await (const { id } of source.server.heads(signal)) return id
  throw new Error('the source gave no head')
}

export type MasterIds = (seqno: number) => Promise<BlockId | undefined>

/**
 * Returns a function that finds the ids of masterchain blocks; undefined for a block that the chain lacks. The current head proves each id. On a chain that
 * can be reverted the source's ids are used without a proof.
 */
export const openMasterIds = async (source: Source, reverts: boolean, signal: AbortSignal): Promise<MasterIds> => {
  if (reverts) return (seqno) => source.masterId(seqno, signal)
  const head = await headOf(source, signal)
  return async (seqno) => {
    if (seqno === head.seqno) return head
    return seqno < head.seqno ? source.provenId(seqno, head, signal) : undefined
  }
}
