import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { storeHash } from '../common.ts'
import type { BlockId } from '../ids.ts'
import { loadShardIdent, storeShardIdent } from './shard-ident.ts'

/*
 * block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
 */

export const loadBlockIdExt = (s: Slice): BlockId => ({
  ...loadShardIdent(s),
  seqno: s.loadUint(32),
  rootHash: s.loadBytes(32),
  fileHash: s.loadBytes(32),
})

export const storeBlockIdExt = (b: Builder, id: BlockId): Builder =>
  storeHash(storeHash(storeShardIdent(b, id).storeUint(id.seqno, 32), id.rootHash), id.fileHash)
