import { loadBlock } from '../../../tlb/block/block.ts'
import { leafShard, shardsIntersect } from '../../../tlb/block/shard-ident.ts'
import { type BlockId, blockFullText, isMasterchain, MASTERCHAIN, sameBlock } from '../../../tlb/ids.ts'
import type { LiteAnswer, ShardLink } from '../../liteserver.ts'
import { prevBlocksOf } from '../../proofs/header.ts'
import { MAX_SHARD_LINKS } from '../../proofs/shard-links.ts'
import { shardIn } from '../../proofs/shards.ts'
import type { BlockStore, StoredBlock } from '../model.ts'
import { type Answers, type AnswersDeps, blockOf, refuse } from './find-or-refuse.ts'
import { boc, prove, readHeader } from './prove.ts'
import { readMasterBlock } from './read-with-references.ts'

/** One link from a block down to a shard block: the next lower block and its proof. */
const stepDown = (current: StoredBlock, target: BlockId): ShardLink => {
  const { proof, value } = prove(current.root, (root) => {
    if (current.id.workchain === MASTERCHAIN) {
      void loadBlock(root).info.refCount
      return shardIn(readMasterBlock(root).shardHashes, target.workchain, leafShard(target.shard), false)?.id
    }
    return prevBlocksOf(readHeader(root)).find((prev) => shardsIntersect(prev.shard, target.shard))
  })
  if (value === undefined) throw refuse(current.id.workchain === MASTERCHAIN ? 'shard not found' : 'failed to find block chain')
  return { id: value, proof: boc(proof) }
}

export const shardLinks = async (store: BlockStore, target: BlockId): Promise<LiteAnswer<'getShardBlockProof'>> => {
  const masterchainId = await store.masterOf(target)
  if (masterchainId === undefined) throw refuse("block doesn't have masterchain ref")
  const links: ShardLink[] = []
  let current = await blockOf(store, masterchainId)
  while (!sameBlock(current.id, target)) {
    if (links.length === MAX_SHARD_LINKS) throw refuse('proof chain is too long')
    const link = stepDown(current, target)
    links.push(link)
    if (link.id.seqno <= target.seqno && !sameBlock(link.id, target)) throw refuse(`failed to find ${blockFullText(target)}`)
    current = await blockOf(store, link.id)
  }
  return { masterchainId, links }
}

export const shardLinkAnswers = ({ store }: AnswersDeps): Answers<'getShardBlockProof'> => ({
  async getShardBlockProof({ id }) {
    if (isMasterchain(id)) return { masterchainId: id, links: [] }
    await blockOf(store, id)
    return shardLinks(store, id)
  },
})
