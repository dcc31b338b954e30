import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js'

const { Point } = ristretto255
type RistrettoPoint = InstanceType<typeof Point>

export const decodeRistretto = (bytes: Uint8Array): RistrettoPoint | undefined => {
  try {
    return Point.fromBytes(bytes)
  } catch {
    return undefined
  }
}

export const addRistretto = (x: RistrettoPoint, y: RistrettoPoint): Uint8Array => x.add(y).toBytes()
export const subtractRistretto = (x: RistrettoPoint, y: RistrettoPoint): Uint8Array => x.subtract(y).toBytes()
/** `factor` is from 1 to order - 1. */
export const multiplyRistretto = (x: RistrettoPoint, factor: bigint): Uint8Array => (x.is0() ? x : x.multiply(factor)).toBytes()
export const multiplyRistrettoBase = (factor: bigint): Uint8Array => Point.BASE.multiply(factor).toBytes()
/** Maps 64 uniformly random bytes to an element (RFC 9496, element derivation). */
export const ristrettoFromHash = (bytes: Uint8Array): Uint8Array => ristretto255_hasher.deriveToCurve!(bytes).toBytes()
