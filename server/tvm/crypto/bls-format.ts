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
