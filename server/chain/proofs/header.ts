import type { Budget } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { type Block, loadBlock } from '../../tlb/block/block.ts'
import { type BlockInfo, loadBlockInfo } from '../../tlb/block/block-info.ts'
import { shardChildren, shardParent } from '../../tlb/block/shard-ident.ts'
import { sameBytes, toHex } from '../../tlb/bytes.ts'
import { type BlockId, blockText, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { must, ProofError, proving } from './error.ts'
import { proofRoot } from './roots.ts'

/* Checks block headers by the rules of unpack_block_prev_blk_ext and check_block_header_proof (ton-blockchain/ton, crypto/block). */

const WHAT = 'block header'

export type ProvenBlock = ReturnType<typeof checkBlockRoot>

/** The previous blocks that a header names, with their shards. After a merge the left half comes first. For seqno 1 the previous block is the zerostate. */
export const prevBlocksOf = (info: BlockInfo): readonly BlockId[] => {
  const blocks = readPrevBlocks(info)
  must(info.seqno === Math.max(...blocks.map((prev) => prev.seqno)) + 1, WHAT, 'the seqno does not follow the previous blocks')
  return blocks
}

const readPrevBlocks = (info: BlockInfo): readonly BlockId[] => {
  const [first, second] = info.prev
  if (first === undefined) throw new ProofError(WHAT, 'no previous block')
  if (!info.afterMerge) {
    must(!info.afterSplit || first.seqno > 0, WHAT, 'split immediately after the initial state')
    const shard = info.afterSplit ? shardParent(info.shard) : info.shard
    return [{ workchain: info.workchain, shard, seqno: first.seqno, rootHash: first.rootHash, fileHash: first.fileHash }]
  }
  must(!info.afterSplit, WHAT, 'split and merged in the same block')
  if (second === undefined) throw new ProofError(WHAT, 'one previous block after a merge')
  must(first.seqno > 0 && second.seqno > 0, WHAT, 'merged immediately after the initial state')
  const [left, right] = shardChildren(info.shard)
  return [
    { workchain: info.workchain, shard: left, seqno: first.seqno, rootHash: first.rootHash, fileHash: first.fileHash },
    { workchain: info.workchain, shard: right, seqno: second.seqno, rootHash: second.rootHash, fileHash: second.fileHash },
  ]
}

/** Checks the root hash only, for proofs that do not include the header. `root` may be virtual. */
export const checkRootHash = (root: Cell, id: BlockId): Block =>
  proving(WHAT, () => {
    const hash = root.hash(0)
    must(sameBytes(hash, id.rootHash), WHAT, () => `root hash ${toHex(hash)} instead of ${toHex(id.rootHash)}`)
    return loadBlock(root)
  })

/** Checks that a complete or virtual root is the block with this id, and reads its header. */
export const checkBlockRoot = (root: Cell, id: BlockId) =>
  proving(WHAT, () => {
    const block = checkRootHash(root, id)
    const info = loadBlockInfo(block.info)
    must(info.version === 0, WHAT, () => `version ${info.version}`)
    must(
      info.workchain === id.workchain && info.shard === id.shard && info.seqno === id.seqno,
      WHAT,
      () => `the header is of ${blockText(info)}, not of ${blockText(id)}`,
    )
    const isMaster = id.workchain === MASTERCHAIN
    must(info.notMaster === !isMaster, WHAT, 'not_master does not agree with the workchain')
    must(!isMaster || id.shard === WHOLE_SHARD, WHAT, 'a masterchain block of a split shard')
    must(!isMaster || !info.vertSeqnoIncr || info.keyBlock, WHAT, 'vert_seqno_incr outside a key block')
    // The index stores them as signed numbers.
    must(Math.max(info.vertSeqno, info.prevKeyBlockSeqno, info.masterRef?.seqno ?? 0) < 2 ** 31, WHAT, 'a seqno of 2^31 or more')
    return { id, block, info }
  })

/** Checks a header proof (a BoC of one Merkle proof of the block) against the block's id. */
export const checkHeader = (proof: Uint8Array, id: BlockId, budget?: Budget): ProvenBlock =>
  checkBlockRoot(proofRoot(proof, WHAT, budget), id)

/** Hash of the shard state after the block. */
export const stateHashOf = (proven: ProvenBlock): Uint8Array =>
  proving(WHAT, () => {
    const update = proven.block.stateUpdate
    must(update.type === 'merkle-update', WHAT, 'the state update is not a Merkle update')
    return update.ref(1).hash(0)
  })
