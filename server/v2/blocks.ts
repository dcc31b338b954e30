import { TonError } from '../../shared/errors.ts'
import type { blocks } from '../../shared/v2/blocks.ts'
import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { BlockLink, SignatureSet } from '../chain/liteserver.ts'
import { type BlockId, shardFromWire } from '../tlb/ids.ts'
import { findBlock } from './block-id.ts'
import { base64, blockIdExt } from './wire.ts'

const signaturesOf = (id: BlockId, set: SignatureSet) => {
  const signed = {
    id: blockIdExt(id),
    signatures: set.signatures.map(
      ({ nodeIdShort, signature }) =>
        ({ '@type': 'blocks.signature', node_id_short: base64(nodeIdShort), signature: base64(signature) }) as const,
    ),
  }
  if (set.type === 'ordinary') return { '@type': 'blocks.blockSignatures', ...signed } as const
  return {
    '@type': 'blocks.blockSignatures.simplex',
    ...signed,
    session_id: base64(set.sessionId),
    slot: set.slot,
    candidate: base64(set.candidate),
  } as const
}

/** Formats a link of the masterchain part of a proof. v2 has a format only for links back from the requested block, so forward links are left out. */
const linkBack = (link: BlockLink) =>
  link.type === 'back'
    ? [
        {
          '@type': 'blocks.blockLinkBack',
          to_key_block: link.toKeyBlock,
          from: blockIdExt(link.from),
          to: blockIdExt(link.to),
          dest_proof: base64(link.destProof),
          proof: base64(link.proof),
          state_proof: base64(link.stateProof),
        } as const,
      ]
    : []

export const blockHandlers = ({
  chain,
  now,
}: {
  readonly chain: Chain
  readonly now: () => number
}): Pick<Handlers, keyof typeof blocks> => ({
  async getMasterchainInfo(_, { signal }) {
    const { last, stateRootHash, init } = await chain.masterchainInfo(signal)
    return {
      '@type': 'blocks.masterchainInfo',
      last: blockIdExt(last),
      state_root_hash: base64(stateRootHash),
      // The id of a zerostate has no shard. tonlib writes 0.
      init: blockIdExt({ workchain: init.workchain, shard: 0n, seqno: 0, rootHash: init.rootHash, fileHash: init.fileHash }),
    }
  },

  async getMasterchainBlockSignatures({ seqno }, { signal }) {
    const { id, signatures } = await chain.signatures(seqno, signal)
    return signaturesOf(id, signatures)
  },

  async getShardBlockProof({ workchain, shard, seqno, from_seqno }, { signal }) {
    const id = await findBlock(chain, { workchain, shard, seqno }, signal)
    const from = from_seqno === undefined ? undefined : await chain.pin(from_seqno, signal)
    const proof = await chain.shardBlockProof(id, from, signal)
    // Links of the masterchain only lead back, so a `from` block older than `mcId` is refused, as in tonlib.
    if (proof.mcId.seqno > proof.from.seqno) throw new TonError('CHAIN', 'from mc block is too old')
    return {
      '@type': 'blocks.shardBlockProof',
      from: blockIdExt(proof.from),
      mc_id: blockIdExt(proof.mcId),
      links: proof.links.map((link) => ({ '@type': 'blocks.shardBlockLink', id: blockIdExt(link.id), proof: base64(link.proof) })),
      mc_proof: proof.mcProof.flatMap(linkBack),
    }
  },

  async getConsensusBlock() {
    return { '@type': 'ext.blocks.consensusBlock', consensus_block: chain.head().id.seqno, timestamp: now() }
  },

  async lookupBlock({ workchain, shard, seqno, lt, unixtime }, { signal }) {
    const by = seqno !== undefined ? ({ seqno: true } as const) : lt !== undefined ? { lt } : { utime: unixtime! }
    return blockIdExt(await chain.lookupBlock({ workchain, shard: shardFromWire(shard), seqno: seqno ?? 0 }, by, signal))
  },

  async getShards({ seqno }, { signal }) {
    const shards = await chain.shards(await chain.pin(seqno, signal), signal)
    return { '@type': 'blocks.shards', shards: shards.map(({ id }) => blockIdExt(id)) }
  },

  async getBlockHeader(params, { signal }) {
    const { id, globalId, info, prevBlocks } = await chain.blockHeader(await findBlock(chain, params, signal), signal)
    return {
      '@type': 'blocks.header',
      id: blockIdExt(id),
      global_id: globalId,
      version: info.version,
      after_merge: info.afterMerge,
      after_split: info.afterSplit,
      before_split: info.beforeSplit,
      want_merge: info.wantMerge,
      want_split: info.wantSplit,
      // Signed on the wire: tonlib_api.tl has no unsigned integers.
      validator_list_hash_short: info.genValidatorListHashShort | 0,
      catchain_seqno: info.genCatchainSeqno,
      min_ref_mc_seqno: info.minRefMcSeqno,
      is_key_block: info.keyBlock,
      prev_key_block_seqno: info.notMaster ? 0 : info.prevKeyBlockSeqno,
      start_lt: info.startLt.toString(),
      end_lt: info.endLt.toString(),
      gen_utime: info.genUtime,
      prev_blocks: prevBlocks.map(blockIdExt),
    }
  },

  async getOutMsgQueueSize(_, { signal }) {
    const { shards, limit } = await chain.outMsgQueueSizes(signal)
    return {
      '@type': 'blocks.outMsgQueueSizes',
      shards: shards.map(({ id, size }) => ({ '@type': 'blocks.outMsgQueueSize', id: blockIdExt(id), size })),
      ext_msg_queue_size_limit: limit,
    }
  },
})
