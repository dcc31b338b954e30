import { toHex } from '../../tlb/bytes.ts'

export const NO_HASH: Uint8Array = new Uint8Array(32)

/** A hash as a dictionary key: unsigned, big-endian. */
export const keyOf = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)

export const hashOf = (key: bigint): Uint8Array => new Uint8Array(Buffer.from(key.toString(16).padStart(64, '0'), 'hex'))

export const laterLt = (a: bigint, b: bigint): bigint => (b > a ? b : a)
