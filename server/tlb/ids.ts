/** A full block id, in five parts. `shard` is the unsigned 64-bit prefix with its terminating bit (0x8000000000000000n = whole workchain). */
export interface BlockId {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
  /** Representation hash of the block's root cell, 32 bytes. */
  readonly rootHash: Uint8Array
  /** sha256 of the serialized file, 32 bytes. */
  readonly fileHash: Uint8Array
}

/** The part of a block id that a client can know in advance. */
export interface ShortBlockId {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
}

/** An account: workchain and 256-bit id. */
export interface AccountId {
  readonly workchain: number
  readonly hash: Uint8Array
}

/** The shard prefix of a whole workchain. */
export const WHOLE_SHARD = 0x8000000000000000n
export const MASTERCHAIN = -1

/** Wire form of a shard: signed 64-bit decimal text (v2.md 0.1 rule 8). */
export const shardToWire = (shard: bigint): string => BigInt.asIntN(64, shard).toString()
export const shardFromWire = (shard: bigint): bigint => BigInt.asUintN(64, shard)
