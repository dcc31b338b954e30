import { TonError } from '../../shared/errors.ts'
import type { Chain } from '../chain/chain-port.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type BlockId, shardFromWire } from '../tlb/ids.ts'

/** A block as clients name it. Its hashes are compared only if both are given. */
interface Named {
  readonly workchain: number
  /** Signed 64-bit shard id, as on the wire. */
  readonly shard: bigint
  readonly seqno: number
  readonly root_hash?: Uint8Array | undefined
  readonly file_hash?: Uint8Array | undefined
}

/** Throws CHAIN if the chain does not have the block, or has a block with this seqno but other hashes. */
export const findBlock = async (chain: Chain, block: Named, signal: AbortSignal): Promise<BlockId> => {
  const { workchain, seqno, root_hash, file_hash } = block
  const found = await chain.lookupBlock({ workchain, shard: shardFromWire(block.shard), seqno }, { seqno: true }, signal)
  if (root_hash && file_hash && !(sameBytes(found.rootHash, root_hash) && sameBytes(found.fileHash, file_hash))) {
    throw new TonError('CHAIN', 'LITE_SERVER_NOTREADY: block is not found by its root_hash and file_hash')
  }
  return found
}
