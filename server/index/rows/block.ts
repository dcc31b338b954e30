import { shardKey } from '../../store/keys.ts'
import { shardChildren, shardParent } from '../../tlb/shard-ident.ts'
import type { SourceBlock } from '../source.ts'
import { bool, bytes, int32, line } from './text.ts'

/** The shards of a block's previous blocks: its parent's after a split, both children after a merge, else its own. */
export const previousShards = ({ id, info }: Pick<SourceBlock, 'id' | 'info'>): readonly bigint[] => {
  if (info.afterMerge) return shardChildren(id.shard)
  return [info.afterSplit ? shardParent(id.shard) : id.shard]
}

const signed = (shard: bigint): string => BigInt.asIntN(64, shard).toString()

/** A row of blocks. */
export const blockRow = (block: SourceBlock, mcSeqno: number, transactions: number): string => {
  const { id, info } = block
  return line([
    bytes(shardKey(id.workchain, id.shard)),
    String(id.seqno),
    String(id.workchain),
    signed(id.shard),
    bytes(id.rootHash),
    bytes(id.fileHash),
    String(mcSeqno),
    String(block.globalId),
    int32(info.version),
    bool(info.afterMerge),
    bool(info.beforeSplit),
    bool(info.afterSplit),
    bool(info.wantMerge),
    bool(info.wantSplit),
    bool(info.keyBlock),
    bool(info.vertSeqnoIncr),
    String(info.flags),
    String(info.genUtime),
    String(info.startLt),
    String(info.endLt),
    int32(info.genValidatorListHashShort),
    String(info.genCatchainSeqno),
    String(info.minRefMcSeqno),
    String(info.prevKeyBlockSeqno),
    String(info.vertSeqno),
    info.masterRef === undefined ? '\\N' : String(info.masterRef.seqno),
    bytes(block.extra.randSeed),
    bytes(block.extra.createdBy),
    String(transactions),
    `{${previousShards(block).map(signed).join(',')}}`,
    `{${info.prev.map(({ seqno }) => seqno).join(',')}}`,
  ])
}

/** A row of shard_tops. */
export const shardTopRow = (workchain: number, shard: bigint, seqno: number, mcSeqno: number): string =>
  line([bytes(shardKey(workchain, shard)), String(mcSeqno), String(seqno)])
