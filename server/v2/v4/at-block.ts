import { TonError } from '../../../shared/errors.ts'
import type { Answer } from '../../base/answer.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { type BlockId, shardToWire } from '../../tlb/ids.ts'
import { base64 } from '../wire.ts'

/** Marks an answer as final. Used for calls that identify a block or a transaction, because their answers never change. */
export type FinalAnswer = <T>(body: T) => Answer<T>

export interface V4Reads {
  readonly chain: Chain
  readonly final: FinalAnswer
}

/** Lets clients and proxies cache final answers for a year. Not on a chain that can revert blocks, because the same seqno may then identify another block. */
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
 * A client reads the newest seqno and then that block. If several processes serve the same address, the second call may reach one that does not have the
 * block yet. So a call for one of the next SOON blocks waits up to WAIT_MS.
 */
const SOON = 3
const WAIT_MS = 1_000

/** Undefined if the block does not exist yet. */
export const findMaster = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId | undefined> => {
  const ahead = seqno - chain.head().id.seqno
  if (ahead > 0 && ahead <= SOON)
    for await (const { id } of chain.heads(AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]))) if (id.seqno >= seqno) break
  signal.throwIfAborted()
  return seqno > chain.head().id.seqno ? undefined : chain.pin(seqno, signal)
}

export const masterAt = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId> => {
  const found = await findMaster(chain, seqno, signal)
  if (found === undefined) throw new TonError('NOT_FOUND', `seqno: there is no block ${seqno}; the newest is ${chain.head().id.seqno}`)
  return found
}
