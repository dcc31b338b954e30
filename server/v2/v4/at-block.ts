import { TonError } from '../../../shared/errors.ts'
import type { Answer } from '../../base/answer.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { type BlockId, shardToWire } from '../../tlb/ids.ts'
import { base64 } from '../wire.ts'

/** Makes the answer to a call whose parameters name a block or a transaction, which never changes. */
export type FinalAnswer = <T>(body: T) => Answer<T>

/** What answers are made of. */
export interface V4Reads {
  readonly chain: Chain
  readonly final: FinalAnswer
}

/**
 * Whoever has such an answer need not ask again. Where blocks can be taken back there may be another block of that number tomorrow, so there its time of
 * validity is zero.
 */
export const finalAnswers = (reverts: boolean): FinalAnswer => {
  const headers = { 'Cache-Control': `public, max-age=${reverts ? 0 : 31_536_000}, immutable` }
  return (body) => ({ body, headers })
}

export const blockId = ({ workchain, seqno, shard, rootHash, fileHash }: BlockId) => ({
  workchain,
  seqno,
  shard: shardToWire(shard),
  rootHash: base64(rootHash),
  fileHash: base64(fileHash),
})

/*
 * A client asks for the newest block and then for what it holds. Behind one address there may be several processes, and the second one may see the block a moment
 * later than the first.
 */
const SOON = 3
const WAIT_MS = 1_000

/** The masterchain block of a seqno; undefined if it is not there yet. */
export const findMaster = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId | undefined> => {
  const ahead = seqno - chain.head().id.seqno
  if (ahead > 0 && ahead <= SOON)
    for await (const { id } of chain.heads(AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]))) if (id.seqno >= seqno) break
  signal.throwIfAborted()
  return seqno > chain.head().id.seqno ? undefined : chain.pin(seqno, signal)
}

/** The same for a call that needs the block. */
export const masterAt = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId> => {
  const found = await findMaster(chain, seqno, signal)
  if (found === undefined) throw new TonError('NOT_FOUND', `seqno: there is no block ${seqno}; the newest is ${chain.head().id.seqno}`)
  return found
}
