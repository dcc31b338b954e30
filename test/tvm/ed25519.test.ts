import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { verifyEd25519 } from '../../server/tvm/crypto/openssl.ts'
import { createRandom, seed } from '../kit/random.ts'

it('an Ed25519 signature is judged the same the second time, and nothing that differs in one bit takes over its result', () => {
  const random = createRandom(seed)
  // An Ed25519 key in the form of PKCS #8.
  const secret = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), random.bytes(32)])
  const privateKey = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' })
  const key = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const data = Buffer.from(random.bytes(32))
  const signature = sign(null, data, privateKey)
  const flipped = (bytes: Buffer, bit: number): Buffer => {
    const copy = Buffer.from(bytes)
    copy[bit >> 3]! ^= 1 << (bit & 7)
    return copy
  }
  for (let round = 0; round < 2; round++) {
    expect(verifyEd25519(key, data, signature)).toBe(true)
    for (const bit of [0, 77, 255]) {
      expect(verifyEd25519(flipped(key, bit), data, signature)).toBe(false)
      expect(verifyEd25519(key, flipped(data, bit), signature)).toBe(false)
      expect(verifyEd25519(key, data, flipped(signature, bit))).toBe(false)
    }
    // The same bytes, divided otherwise between signature and data.
    expect(verifyEd25519(key, data.subarray(1), signature)).toBe(false)
    expect(verifyEd25519(key, Buffer.concat([data, Buffer.of(0)]), signature)).toBe(false)
  }
})
