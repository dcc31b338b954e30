import { sameBytes, toHex } from './bytes.ts'

/** A full block id in five parts. `shard` is the unsigned 64-bit prefix with its terminating bit (0x8000000000000000n is the whole workchain). */
export interface BlockId extends ShortBlockId {
  /** Representation hash of the block's root cell, 32 bytes. */
  readonly rootHash: Uint8Array
  /** sha256 of the serialized file, 32 bytes. */
  readonly fileHash: Uint8Array
}

export interface ShortBlockId {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
}

/** `hash`: account id, 32 bytes. */
export interface AccountId {
  readonly workchain: number
  readonly hash: Uint8Array
}

export const WHOLE_SHARD = 0x8000000000000000n
export const MASTERCHAIN = -1

export const isMasterchain = (id: ShortBlockId): boolean => id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD

/** Text of a shard in JSON: a signed 64-bit decimal number. */
export const shardToWire = (shard: bigint): string => BigInt.asIntN(64, shard).toString()
export const shardFromWire = (shard: bigint): bigint => BigInt.asUintN(64, shard)

export const sameAccount = (a: AccountId, b: AccountId): boolean => a.workchain === b.workchain && sameBytes(a.hash, b.hash)

export const sameBlock = (a: BlockId, b: BlockId): boolean =>
  a.seqno === b.seqno &&
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  sameBytes(a.rootHash, b.rootHash) &&
  sameBytes(a.fileHash, b.fileHash)

/** `(-1,8000000000000000,123)`: a block id as in TON's own texts. */
export const blockText = (id: ShortBlockId): string => `(${id.workchain},${id.shard.toString(16).padStart(16, '0')},${id.seqno})`

/** `(-1,8000000000000000,123):ROOT_HASH:FILE_HASH`: a full block id as in TON's own texts. */
export const blockFullText = (id: BlockId): string =>
  `${blockText(id)}:${toHex(id.rootHash).toUpperCase()}:${toHex(id.fileHash).toUpperCase()}`
