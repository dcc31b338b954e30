import { createPublicKey, verify } from 'node:crypto'

/* The curve P-256 (secp256r1), which OpenSSL has. */

/** The bytes of SubjectPublicKeyInfo before a compressed point on P-256. */
const P256_PREFIX = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

/** Whether an ECDSA signature (r, s of 32 bytes each) of SHA-256 of the data is valid for a compressed key of 33 bytes. */
export const verifyP256 = (key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean => {
  if (key[0] !== 2 && key[0] !== 3) return false
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([P256_PREFIX, key]), format: 'der', type: 'spki' })
    return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}
