import { TonError } from '../../../shared/errors.ts'
import type { Answer } from '../../base/answer.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { type BlockId, shardToWire } from '../../tlb/ids.ts'
import { base64 } from '../wire.ts'

/** Marks an answer as final. Used for calls whose parameters identify a block or a transaction, because such an answer never changes. */
export type FinalAnswer = <T>(body: T) => Answer<T>

/** Inputs of the v4 read handlers. */
export interface V4Reads {
  readonly chain: Chain
  readonly final: FinalAnswer
}

/**
 * Lets clients and proxies cache final answers for a year. On a chain that can revert blocks, another block may get the same number, so answers are not cached
 * there.
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
 * A client reads the newest block and then its contents. Another process behind the same address may see that block a moment later than the first one. So a
 * call for one of the next SOON blocks waits for it up to WAIT_MS.
 */
const SOON = 3
const WAIT_MS = 1_000

/** The masterchain block with a seqno; undefined if it does not exist yet. */
export const findMaster = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId | undefined> => {
  const ahead = seqno - chain.head().id.seqno
  if (ahead > 0 && ahead <= SOON)
    for await (const { id } of chain.heads(AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]))) if (id.seqno >= seqno) break
  signal.throwIfAborted()
  return seqno > chain.head().id.seqno ? undefined : chain.pin(seqno, signal)
}

/** Like `findMaster`, but throws NOT_FOUND if the block does not exist yet. */
export const masterAt = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<BlockId> => {
  const found = await findMaster(chain, seqno, signal)
  if (found === undefined) throw new TonError('NOT_FOUND', `seqno: there is no block ${seqno}; the newest is ${chain.head().id.seqno}`)
  return found
}
