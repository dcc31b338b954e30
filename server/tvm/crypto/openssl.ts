import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Lru } from '../../base/memory/lru.ts'

/* Signatures that OpenSSL checks, as in the node: Ed25519 and P-256. */

const MAX_CACHED = 1_000
const keys = new Lru<string, KeyObject>({ max: MAX_CACHED })

/** Importing a key as a JWK takes 12 microseconds. OpenSSL's decoder takes 100 for the DER form, as long as a verification. */
export const ed25519Key = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') }, format: 'jwk' })

const keyOf = (bytes: Buffer): KeyObject => {
  const name = bytes.toString('latin1')
  let key = keys.get(name)
  if (key === undefined) {
    key = ed25519Key(bytes)
    keys.set(name, key)
  }
  return key
}

const check = (key: Buffer, data: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(null, data, keyOf(key), signature)
  } catch {
    return false
  }
}

/**
 * Results by key, data and signature. An external message is checked three times: when it is emulated, when the chain accepts it, and when it is in a block.
 * The check of its signature is most of that work.
 */
const verdicts = new Lru<string, boolean>({ max: MAX_CACHED })

/** `signature` has 64 bytes. The result is false if the key is not a point. */
export const verifyEd25519 = (key: Buffer, data: Uint8Array, signature: Uint8Array): boolean => {
  const name = Buffer.concat([key, signature, data]).toString('latin1')
  const cached = verdicts.get(name)
  if (cached !== undefined) return cached
  const isValid = check(key, data, signature)
  verdicts.set(name, isValid)
  return isValid
}

/** The bytes of SubjectPublicKeyInfo before a compressed point on P-256. */
const P256_PREFIX = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

/** Returns whether an ECDSA signature (r, s of 32 bytes each) of SHA-256 of the data is valid for a compressed key of 33 bytes. */
export const verifyP256 = (key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean => {
  if (key[0] !== 2 && key[0] !== 3) return false
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([P256_PREFIX, key]), format: 'der', type: 'spki' })
    return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}
