/* Small helpers: hashes in their three shapes (bytes, hex, dictionary key), lt. */

/** 32 zero bytes. */
export const NO_HASH: Uint8Array = new Uint8Array(32)

/** Lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')

/** Unsigned number of a big-endian hash. */
export const keyOf = (bytes: Uint8Array): bigint => BigInt(`0x${hexOf(bytes)}`)

/** 32 bytes of a dictionary key. */
export const hashOf = (key: bigint): Uint8Array => Buffer.from(key.toString(16).padStart(64, '0'), 'hex')

/** The later of two lt. */
export const laterLt = (a: bigint, b: bigint): bigint => (b > a ? b : a)
