import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bigOfBytes } from '../../tlb/bytes.ts'
import { type BlsGroup, G1_SIZE, G2_SIZE, zeroOf } from './bls-format.ts'

/*
 * Decodes compressed points on BLS12-381 as blst does: any point on the curve is valid. (The decoder of @noble/curves refuses points outside the group of
 * prime order.) First byte: 0x80 compressed, 0x40 infinity (all other bits zero), 0x20 the greater y.
 */

const { Fp, Fp2 } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point

export type G1Point = InstanceType<typeof G1>
export type G2Point = InstanceType<typeof G2>

const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(96, '0'), 'hex')
const HALF = (Fp.ORDER - 1n) / 2n

const coordinate = (bytes: Uint8Array, flags: boolean): bigint | undefined => {
  const copy = Buffer.from(bytes)
  if (flags) copy[0]! &= 0x1f
  const value = bigOfBytes(copy)
  return value < Fp.ORDER ? value : undefined
}

const isInfinity = (bytes: Uint8Array): boolean | undefined => {
  if ((bytes[0]! & 0x80) === 0) return undefined
  if ((bytes[0]! & 0x40) === 0) return false
  return (bytes[0]! & 0x3f) === 0 && bytes.subarray(1).every((byte) => byte === 0) ? true : undefined
}

export const decodeG1 = (bytes: Uint8Array): G1Point | undefined => {
  const infinity = isInfinity(bytes)
  if (infinity !== false) return infinity ? G1.ZERO : undefined
  const x = coordinate(bytes, true)
  // blst refuses x = 0, which no point of the group has.
  if (x === undefined || x === 0n) return undefined
  try {
    const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), 4n))
    return G1.fromAffine({ x, y: y > HALF === ((bytes[0]! & 0x20) !== 0) ? y : Fp.neg(y) })
  } catch {
    return undefined
  }
}

const greater = (y: { readonly c0: bigint; readonly c1: bigint }): boolean => (y.c1 === 0n ? y.c0 > HALF : y.c1 > HALF)

export const decodeG2 = (bytes: Uint8Array): G2Point | undefined => {
  const infinity = isInfinity(bytes)
  if (infinity !== false) return infinity ? G2.ZERO : undefined
  const c1 = coordinate(bytes.subarray(0, 48), true)
  const c0 = coordinate(bytes.subarray(48), false)
  if (c0 === undefined || c1 === undefined || (c0 === 0n && c1 === 0n)) return undefined
  try {
    const x = { c0, c1 }
    const y = Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), { c0: 4n, c1: 4n }))
    return G2.fromAffine({ x, y: greater(y) === ((bytes[0]! & 0x20) !== 0) ? y : Fp2.neg(y) })
  } catch {
    return undefined
  }
}

export const encodeG1 = (point: G1Point): Uint8Array => {
  if (point.is0()) return zeroOf(G1_SIZE)
  const { x, y } = point.toAffine()
  const bytes = bytesOf(x)
  bytes[0]! |= y > HALF ? 0xa0 : 0x80
  return bytes
}

export const encodeG2 = (point: G2Point): Uint8Array => {
  if (point.is0()) return zeroOf(G2_SIZE)
  const { x, y } = point.toAffine()
  const bytes = Buffer.concat([bytesOf(x.c1), bytesOf(x.c0)])
  bytes[0]! |= greater(y) ? 0xa0 : 0x80
  return bytes
}

export const BLS_G1: BlsGroup<G1Point> = { zero: G1.ZERO, decode: decodeG1, encode: encodeG1 }
export const BLS_G2: BlsGroup<G2Point> = { zero: G2.ZERO, decode: decodeG2, encode: encodeG2 }

/* By its types, mapToCurve of @noble/curves returns affine points. It returns curve points with their cofactor cleared. */
const toG1 = bls12_381.G1.mapToCurve as unknown as (element: bigint) => G1Point
const toG2 = bls12_381.G2.mapToCurve as unknown as (element: readonly bigint[]) => G2Point

const element = (bytes: Uint8Array): bigint => bigOfBytes(bytes) % Fp.ORDER
export const mapToG1 = (bytes: Uint8Array): Uint8Array => encodeG1(toG1(element(bytes)))
export const mapToG2 = (bytes: Uint8Array): Uint8Array => encodeG2(toG2([element(bytes.subarray(0, 48)), element(bytes.subarray(48))]))
