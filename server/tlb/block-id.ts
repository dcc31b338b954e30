import { CellError } from '../cell/cell.ts'
import { shardContains, shardOfPrefix } from './block/shard-ident.ts'
import type { BlockId, ShortBlockId } from './ids.ts'

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}

/** Whether two ids name the same block in all five parts. */
export const sameBlock = (a: BlockId, b: BlockId): boolean =>
  a.seqno === b.seqno &&
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  sameBytes(a.rootHash, b.rootHash) &&
  sameBytes(a.fileHash, b.fileHash)

/** Whether one of two shards lies within the other. */
export const shardsIntersect = (a: bigint, b: bigint): boolean => shardContains(a, b) || shardContains(b, a)

/** A shard as the account prefix that lookups use. They find the block whose shard contains it, even after splits. */
export const leafShard = (shard: bigint): bigint => shardOfPrefix(shard, 60)

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/** 32 bytes as an unsigned number: the key in dictionaries by hash. Throws CellError 'range' for another length. */
export const hashToBig = (hash: Uint8Array): bigint => {
  if (hash.length !== 32) throw new CellError('range', `a hash has 32 bytes, not ${hash.length}`)
  return BigInt(`0x${toHex(hash)}`)
}

/** `(-1,8000000000000000,123)`: a block id as in TON's own texts. */
export const blockText = (id: ShortBlockId): string => `(${id.workchain},${id.shard.toString(16).padStart(16, '0')},${id.seqno})`

/** `(-1,8000000000000000,123):ROOT_HASH:FILE_HASH`: a full block id as in TON's own texts. */
export const blockFullText = (id: BlockId): string =>
  `${blockText(id)}:${toHex(id.rootHash).toUpperCase()}:${toHex(id.fileHash).toUpperCase()}`
