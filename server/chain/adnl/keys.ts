import { createHash, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { AdnlError } from './error.ts'

/* Peers are identified by Ed25519 keys. Two peers share the X25519 secret of these keys, converted to the Montgomery curve. */

const P = 2n ** 255n - 19n
/** The bytes of SubjectPublicKeyInfo before a public key, and of PKCS #8 before a private key (RFC 8410). */
const DER = {
  ed25519: { public: '302a300506032b6570032100', private: '302e020100300506032b657004220420' },
  x25519: { public: '302a300506032b656e032100', private: '302e020100300506032b656e04220420' },
}

const publicKey = (curve: keyof typeof DER, key: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([Buffer.from(DER[curve].public, 'hex'), key]), format: 'der', type: 'spki' })
export const privateKey = (curve: keyof typeof DER, key: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([Buffer.from(DER[curve].private, 'hex'), key]), format: 'der', type: 'pkcs8' })

const tail32 = (key: KeyObject, type: 'spki' | 'pkcs8'): Buffer => key.export({ format: 'der', type: type as 'spki' }).subarray(-32)

/** An Ed25519 key pair, 32 bytes each. */
export interface AdnlKey {
  readonly seed: Uint8Array
  readonly publicKey: Uint8Array
}

export const keyFromSeed = (seed: Uint8Array): AdnlKey => ({
  seed,
  publicKey: tail32(createPublicKey(privateKey('ed25519', seed)), 'spki'),
})

export const createKey = (): AdnlKey => keyFromSeed(tail32(generateKeyPairSync('ed25519').privateKey, 'pkcs8'))

export const checkSignature = (key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === 64 && verify(null, data, publicKey('ed25519', key), signature)

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (let b = base % P, e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P
  return result
}

/** u = (1 + y) / (1 - y) */
const toMontgomery = (key: Uint8Array): Buffer => {
  const y = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const u = ((1n + y) * power((1n - y + P) % P, P - 2n)) % P
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse()
}

/** The X25519 secret of a key pair and a peer's public key, 32 bytes. Throws AdnlError for an invalid public key. */
export const sharedSecret = (own: AdnlKey, peer: Uint8Array): Buffer => {
  const scalar = createHash('sha512').update(own.seed).digest().subarray(0, 32)
  try {
    return diffieHellman({ privateKey: privateKey('x25519', scalar), publicKey: publicKey('x25519', toMontgomery(peer)) })
  } catch (cause) {
    throw new AdnlError('a public key of low order', { cause })
  }
}
