import { type BlockId, shardToWire } from '../tlb/ids.ts'

/** The block that holds what was asked, as the wire has it. */
export const inBlock = (id: BlockId) => ({
  block: {
    '@type': 'ton.blockIdExt' as const,
    workchain: id.workchain,
    shard: shardToWire(id.shard),
    seqno: id.seqno,
    root_hash: Buffer.from(id.rootHash).toString('base64'),
    file_hash: Buffer.from(id.fileHash).toString('base64'),
  },
})
