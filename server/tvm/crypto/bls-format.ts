/* BLS12-381 constants that need no import of @noble/curves: a thread loads that library only when a run needs it. */

export const G1_SIZE = 48
export const G2_SIZE = 96
export const BLS_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Compressed encoding of the point at infinity. */
export const zeroOf = (size: number): Uint8Array => {
  const bytes = Buffer.alloc(size)
  bytes[0] = 0xc0
  return bytes
}

/** A point of @noble/curves. */
export interface BlsPoint<P> {
  is0(): boolean
  isTorsionFree(): boolean
  add(other: P): P
  negate(): P
  /** `factor` is from 0 to order - 1. */
  multiplyUnsafe(factor: bigint): P
}

export interface BlsGroup<P extends BlsPoint<P>> {
  readonly zero: P
  decode(bytes: Uint8Array): P | undefined
  encode(point: P): Uint8Array
}

export const isInGroup = <P extends BlsPoint<P>>(point: P): boolean => point.is0() || point.isTorsionFree()
