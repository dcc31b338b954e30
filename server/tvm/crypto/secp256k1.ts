import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bigOfBytes } from '../../tlb/bytes.ts'

const { Point } = secp256k1
const ORDER = Point.Fn.ORDER

/** Recovers the uncompressed key (65 bytes) from a hash and its signature r, s; undefined if no key fits. `recovery` is 0 to 3. */
export const recoverSecp256k1 = (hash: Uint8Array, r: Uint8Array, s: Uint8Array, recovery: number): Uint8Array | undefined => {
  if (recovery > 3) return undefined
  try {
    const signature = new secp256k1.Signature(bigOfBytes(r), bigOfBytes(s), recovery)
    return signature.recoverPublicKey(hash).toBytes(false)
  } catch {
    return undefined
  }
}

/** BIP-340 key plus tweak times the generator, uncompressed (65 bytes); undefined if the key or the tweak is invalid. */
export const tweakSecp256k1 = (key: Uint8Array, tweak: Uint8Array): Uint8Array | undefined => {
  const factor = bigOfBytes(tweak)
  if (factor >= ORDER) return undefined
  try {
    const point = Point.fromBytes(Buffer.concat([Buffer.of(2), key]))
    const moved = factor === 0n ? point : point.add(Point.BASE.multiply(factor))
    return moved.is0() ? undefined : moved.toBytes(false)
  } catch {
    return undefined
  }
}
