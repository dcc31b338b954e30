import { beginCell } from '../../../cell/builder.ts'
import { type Cell, untracked } from '../../../cell/cell.ts'
import { dictGet } from '../../../cell/dict.ts'
import { loadBlock } from '../../../tlb/block/block.ts'
import { leafShard, shardPrefixLength, shardsIntersect } from '../../../tlb/block/shard-ident.ts'
import { type BlockId, blockFullText, isMasterchain, MASTERCHAIN, sameBlock } from '../../../tlb/ids.ts'
import type { LiteAnswer, ShardLink } from '../../liteserver.ts'
import { prevBlocksOf } from '../../proofs/header.ts'
import { MAX_SHARD_LINKS } from '../../proofs/shard-links.ts'
import { shardIn } from '../../proofs/shards.ts'
import type { BlockStore, StoredBlock } from '../model.ts'
import { type Answers, type AnswersDeps, type BlockAndState, blockOf, masterBlockAndState, refuse } from './find-or-refuse.ts'
import { boc, NO_BYTES, prove, proveHeader, readHeader } from './prove.ts'
import { readMasterBlock, readMasterState } from './read-with-references.ts'

/** The invalid block id that TON's lite-server sends if there is no block (BlockIdExt::invalidate_clear). */
export const NO_BLOCK: BlockId = { workchain: -0x80000000, shard: 0n, seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

/** Proves which block of a shard a masterchain block commits. The proof has two roots: block -> state, state -> ShardHashes. */
export const proveShard = (
  { block, state }: BlockAndState,
  workchain: number,
  shard: bigint,
  exact: boolean,
): { readonly proof: Uint8Array; readonly id: BlockId | undefined } => {
  const { proof, value } = prove(state, (root) => shardIn(readMasterState(root).shardHashes, workchain, shard, exact))
  return { proof: boc([proveHeader(block.root), proof]), id: value?.id }
}

const leafOf = (hashes: Cell | undefined, id: BlockId): Cell => {
  let cell = dictGet(hashes, 32, BigInt.asUintN(32, BigInt(id.workchain)))?.loadRef()
  for (let i = shardPrefixLength(id.shard), at = 63n; i > 0; i -= 1, at -= 1n) cell = cell?.ref((id.shard >> at) & 1n ? 1 : 0)
  if (cell === undefined) throw refuse('cannot unpack a leaf entry from ShardHashes')
  return cell
}

export const shardAnswers = ({ store }: AnswersDeps): Answers<'getShardInfo' | 'getAllShardsInfo'> => ({
  async getShardInfo({ id, workchain, shard, exact }) {
    if (shard === 0n || workchain === MASTERCHAIN) throw refuse('requested shard is invalid')
    const reference = await masterBlockAndState(store, id)
    const found = proveShard(reference, workchain, shard, exact)
    if (found.id === undefined) return { id, shardBlock: NO_BLOCK, shardProof: found.proof, shardDescr: NO_BYTES }
    return {
      id,
      shardBlock: found.id,
      shardProof: found.proof,
      shardDescr: boc(leafOf(readMasterState(reference.state).shardHashes, found.id)),
    }
  },

  async getAllShardsInfo({ id }) {
    if (!isMasterchain(id)) throw refuse('reference block must belong to the masterchain')
    const block = await blockOf(store, id)
    const { proof, value } = prove(block.root, (root) => {
      const hashes = readMasterBlock(root).shardHashes
      return hashes && untracked(hashes)
    })
    return { id, proof: boc(proof), data: boc(beginCell().storeMaybeRef(value).end()) }
  },
})

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
