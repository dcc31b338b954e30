import type { Builder } from '../../cell/builder.ts'
import { CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag } from '../common.ts'
import { WHOLE_SHARD } from '../ids.ts'

/*
 * shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;
 */

/** A workchain and a shard. The shard is an unsigned 64-bit number: its prefix, a one bit, and zeros (0x8000000000000000 is the whole workchain). */
export interface ShardIdent {
  readonly workchain: number
  readonly shard: bigint
}

const lowBit = (shard: bigint): bigint => shard & -shard

/** Number of bits in a shard's prefix, 0 to 60. Throws CellError 'range' for a number that is not a shard. */
export const shardPrefixLength = (shard: bigint): number => {
  const low = lowBit(shard)
  if (shard <= 0n || shard > 0xffffffffffffffffn || low < 8n) throw new CellError('range', `0x${shard.toString(16)} is not a shard`)
  return 64 - low.toString(2).length
}

/** The shard with a prefix of `bits` bits that contains a 64-bit account prefix. */
export const shardOfPrefix = (prefix: bigint, bits: number): bigint => {
  const end = 1n << BigInt(63 - bits)
  return (prefix & ~((end << 1n) - 1n)) | end
}

export const accountPrefix = (id: Uint8Array): bigint => new DataView(id.buffer, id.byteOffset).getBigUint64(0)

export const shardHasAccount = (shard: bigint, id: Uint8Array): boolean =>
  shardOfPrefix(accountPrefix(id), shardPrefixLength(shard)) === shard

export const shardContains = (outer: bigint, inner: bigint): boolean => {
  const low = lowBit(outer)
  return lowBit(inner) <= low && ((outer ^ inner) & -(low << 1n) & 0xffffffffffffffffn) === 0n
}

/** The two halves of a shard, left (next bit 0) first. */
export const shardChildren = (shard: bigint): readonly [bigint, bigint] => {
  const half = lowBit(shard) >> 1n
  return [shard - half, shard + half]
}

/** The parent of a shard: the shard whose left or right half it is. Throws CellError 'range' for the whole workchain. */
export const shardParent = (shard: bigint): bigint => {
  if (shard === WHOLE_SHARD) throw new CellError('range', 'the whole workchain has no parent shard')
  const low = lowBit(shard)
  return (shard - low) | (low << 1n)
}

export const loadShardIdent = (s: Slice): ShardIdent => {
  expectTag(s, 2, 0, 'ShardIdent')
  const bits = s.loadUint(6)
  if (bits > 60) throw new CellError('range', `a shard prefix of ${bits} bits`)
  const workchain = s.loadInt(32)
  // Bits after the prefix are ignored, because mainnet's zerostate of workchain 0 has the terminating bit in shard_prefix.
  return { workchain, shard: shardOfPrefix(s.loadUintBig(64), bits) }
}

export const storeShardIdent = (b: Builder, ident: ShardIdent): Builder =>
  b
    .storeUint(shardPrefixLength(ident.shard), 8)
    .storeInt(ident.workchain, 32)
    .storeUint(ident.shard - lowBit(ident.shard), 64)

export const shardsIntersect = (a: bigint, b: bigint): boolean => shardContains(a, b) || shardContains(b, a)

export const overlap = (a: ShardIdent, b: ShardIdent): boolean => a.workchain === b.workchain && shardsIntersect(a.shard, b.shard)

/**
 * The smallest shard (60 bits of prefix) around the account prefix `shard`. No split divides this shard, so at each seqno or time one block's shard
 * contains it.
 */
export const leafShard = (shard: bigint): bigint => shardOfPrefix(shard, 60)
