/*
 * The 32-bit word (`meta`) that describes a cell, both in built cells and in tables:
 *   bits 0-9 number of data bits, 10-12 references, 13-15 type, 16-18 level mask, 19-29 depth,
 *   30 solid (neither the cell nor any cell below it is a view of a table), 31 tracked (a recording view of a cell, usage.ts).
 * Data bytes always have the completion tag in the last byte, as in hashing and serialization.
 */

export const MAX_BITS = 1023
export const MAX_REFS = 4
export const MAX_DEPTH = 1024

export const ORDINARY = 0
export const PRUNED = 1
export const LIBRARY = 2
export const MERKLE_PROOF = 3
export const MERKLE_UPDATE = 4

export const SOLID = 1 << 30
export const TRACKED = 1 << 31

export const POPCOUNT: readonly number[] = [0, 1, 1, 2, 1, 2, 2, 3]
/** Highest level of a level mask. */
export const LEVEL: readonly number[] = [0, 1, 2, 2, 3, 3, 3, 3]

export const bitsOf = (meta: number): number => meta & 1023
export const refsOf = (meta: number): number => (meta >>> 10) & 7
export const typeOf = (meta: number): number => (meta >>> 13) & 7
export const maskOf = (meta: number): number => (meta >>> 16) & 7
export const depthOf = (meta: number): number => (meta >>> 19) & 2047
/** Number of data bytes, with the completion tag. */
export const bytesOf = (meta: number): number => ((meta & 1023) + 7) >>> 3

export const packMeta = (bits: number, refs: number, type: number, mask: number, depth: number): number =>
  bits | (refs << 10) | (type << 13) | (mask << 16) | (depth << 19)

/** Index of the hash for `level` among a cell's hashes: the number of significant levels up to `level`. */
export const hashSlot = (mask: number, level: number): number => POPCOUNT[mask & ((1 << level) - 1)]!

/** First descriptor byte (references, exotic bit, level mask). */
export const descriptor1 = (refs: number, type: number, mask: number): number => refs | (type !== ORDINARY ? 8 : 0) | (mask << 5)
/** Second descriptor byte (data length in half bytes). */
export const descriptor2 = (bits: number): number => (bits >>> 3) + ((bits + 7) >>> 3)
