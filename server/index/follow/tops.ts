import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { loadMcBlockExtra } from '../../tlb/block/mc-block-extra.ts'
import { loadShardDescrBlock } from '../../tlb/block/shard-descr.ts'
import { visitShards } from '../../tlb/block/shard-hashes.ts'
import { type BlockId, blockText } from '../../tlb/ids.ts'
import { CorruptBlockError } from './corrupt-block.ts'

export type ShardTop = BlockId

/** Newest blocks of all shards in a ShardHashes dictionary. */
export const topsOf = (shardHashes: Cell | undefined): readonly ShardTop[] => {
  const tops: ShardTop[] = []
  visitShards(shardHashes, (workchain, shard, s) => {
    const { seqno, rootHash, fileHash } = loadShardDescrBlock(s)
    tops.push({ workchain, shard, seqno, rootHash, fileHash })
  })
  return tops
}

/** Newest blocks of all shards that a masterchain block commits. */
export const topsIn = ({ id, extra }: SourceBlock): readonly ShardTop[] => {
  if (extra.custom === undefined) throw new CorruptBlockError(`block ${blockText(id)} is not of the masterchain`)
  return topsOf(loadMcBlockExtra(extra.custom).shardHashes)
}
