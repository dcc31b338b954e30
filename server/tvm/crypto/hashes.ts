import { createHash } from 'node:crypto'
import { keccak_256, keccak_512 } from '@noble/hashes/sha3.js'

/** A hash of HASHEXT, updated in pieces. */
export interface Hasher {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

/** The hashes of HASHEXT by number. `bytesPerGas` is the number of bytes that cost one gas. */
export const HASHES: readonly { readonly bytesPerGas: number; readonly create: () => Hasher }[] = [
  { bytesPerGas: 33, create: () => createHash('sha256') },
  { bytesPerGas: 16, create: () => createHash('sha512') },
  { bytesPerGas: 19, create: () => createHash('blake2b512') },
  { bytesPerGas: 11, create: () => keccak_256.create() },
  { bytesPerGas: 6, create: () => keccak_512.create() },
]
