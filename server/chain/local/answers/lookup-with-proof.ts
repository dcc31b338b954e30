import { leafShard, shardContains } from '../../../tlb/block/shard-ident.ts'
import { type BlockId, isMasterchain, MASTERCHAIN, sameBlock } from '../../../tlb/ids.ts'
import { prevBlocksOf } from '../../proofs/header.ts'
import { oldBlockIn } from '../../proofs/old-blocks.ts'
import type { BlockStore } from '../model.ts'
import { lookup } from './blocks.ts'
import { type Answers, type AnswersDeps, blockOf, masterBlockAndState, refuse } from './find-or-refuse.ts'
import { boc, NO_BYTES, prove, proveHeader, readHeader } from './prove.ts'
import { readMasterState } from './read-with-references.ts'
import { shardLinks } from './shards.ts'

/** Proves that prev_blocks of a later masterchain state contains a masterchain block. */
const proveOld = async (
  store: BlockStore,
  reference: BlockId,
  old: BlockId,
): Promise<{ readonly block: Uint8Array; readonly state: Uint8Array }> => {
  const { block, state } = await masterBlockAndState(store, reference)
  const { proof } = prove(state, (root) => {
    const found = oldBlockIn(readMasterState(root).prevBlocks, old.seqno)
    if (found === undefined || !sameBlock(found.id, old)) throw refuse('client mc blkid is not in prev_blocks')
  })
  return { block: boc(proveHeader(block.root)), state: boc(proof) }
}

export const lookupAnswers = ({ store }: AnswersDeps): Answers<'lookupBlockWithProof'> => ({
  async lookupBlockWithProof({ id: requested, by, mcBlockId: reference }) {
    if (!isMasterchain(reference)) throw refuse('masterchain block id must be specified')
    if (requested.shard === 0n) throw refuse('invalid BlockId')
    const id = await lookup(store, { id: requested, by })
    const { root } = await blockOf(store, id)
    const { proof, value: prevBlocks } = prove(root, (virtual) => prevBlocksOf(readHeader(virtual)))
    const { masterchainId, links } = id.workchain === MASTERCHAIN ? { masterchainId: id, links: [] } : await shardLinks(store, id)
    if (masterchainId.seqno > reference.seqno) throw refuse("specified mc block is older than block's masterchain ref")
    const old = sameBlock(masterchainId, reference) ? undefined : await proveOld(store, reference, masterchainId)
    const prev = 'seqno' in by ? undefined : prevBlocks.find((block) => shardContains(block.shard, leafShard(requested.shard)))
    return {
      id,
      mode: 'seqno' in by ? 1 : 'lt' in by ? 2 : 4,
      mcBlockId: masterchainId,
      clientMcStateProof: old?.block ?? NO_BYTES,
      mcBlockProof: old?.state ?? NO_BYTES,
      shardLinks: links,
      header: boc(proof),
      // A lookup by lt or time cannot prove block 1, because the zerostate before it has no header. blockOf refuses the zerostate, as TON's lite-server
      // does.
      prevHeader: prev === undefined ? NO_BYTES : boc(proveHeader((await blockOf(store, prev)).root)),
    }
  },
})
