/* Sizes of points on BLS12-381, and the encoding of infinity. Nothing here needs the library of curves. */

export const G1_SIZE = 48
export const G2_SIZE = 96
/** Order of the groups. */
export const BLS_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** The encoding of infinity. */
export const zeroOf = (size: number): Uint8Array => {
  const bytes = Buffer.alloc(size)
  bytes[0] = 0xc0
  return bytes
}
