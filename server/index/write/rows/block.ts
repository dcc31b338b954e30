import { shardKey } from '../../../store/keys.ts'
import { shardChildren, shardParent } from '../../../tlb/block/shard-ident.ts'
import type { SourceBlock } from '../../follow/source.ts'
import { beginRow, endRow, putBig, putBool, putBytes, putMaybe, putNumber, putText, type RowTable } from './row.ts'

/** The shards of a block's previous blocks: its parent's after a split, both children after a merge, else its own. */
export const previousShards = ({ id, info }: Pick<SourceBlock, 'id' | 'info'>): readonly bigint[] => {
  if (info.afterMerge) return shardChildren(id.shard)
  return [info.afterSplit ? shardParent(id.shard) : id.shard]
}

const signed = (shard: bigint): string => BigInt.asIntN(64, shard).toString()

/** Writes a row of blocks. */
export const putBlock = (table: RowTable, block: SourceBlock, mcSeqno: number, transactions: number): void => {
  const { id, info } = block
  beginRow(table)
  putBytes(shardKey(id.workchain, id.shard))
  putNumber(id.seqno)
  putNumber(id.workchain)
  putText(signed(id.shard))
  putBytes(id.rootHash)
  putBytes(id.fileHash)
  putNumber(mcSeqno)
  putNumber(block.globalId)
  // A uint32 in an integer column, as the hash of the validator list below.
  putNumber(info.version | 0)
  putBool(info.afterMerge)
  putBool(info.beforeSplit)
  putBool(info.afterSplit)
  putBool(info.wantMerge)
  putBool(info.wantSplit)
  putBool(info.keyBlock)
  putBool(info.vertSeqnoIncr)
  putNumber(info.flags)
  putNumber(info.genUtime)
  putBig(info.startLt)
  putBig(info.endLt)
  putNumber(info.genValidatorListHashShort | 0)
  putNumber(info.genCatchainSeqno)
  putNumber(info.minRefMcSeqno)
  putNumber(info.prevKeyBlockSeqno)
  putNumber(info.vertSeqno)
  putMaybe(info.masterRef?.seqno)
  putBytes(block.extra.randSeed)
  putBytes(block.extra.createdBy)
  putNumber(transactions)
  putText(`{${previousShards(block).map(signed).join(',')}}`)
  putText(`{${info.prev.map(({ seqno }) => seqno).join(',')}}`)
  endRow()
}

/** Writes a row of shard_tops. */
export const putShardTop = (table: RowTable, workchain: number, shard: bigint, seqno: number, mcSeqno: number): void => {
  beginRow(table)
  putBytes(shardKey(workchain, shard))
  putNumber(mcSeqno)
  putNumber(seqno)
  endRow()
}
