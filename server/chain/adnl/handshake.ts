import { type Cipher, createCipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Lru } from '../../base/memory/lru.ts'
import { nodeIdShort } from '../../tlb/config/validator-hash.ts'
import { AdnlError } from './error.ts'
import { type AdnlKey, createKey, sharedSecret } from './keys.ts'

/*
 * The first 256 bytes of a connection: id of the server's key, public key of the client, sha256 of the parameters, and the 160 bytes of parameters
 * encrypted for the server: two keys (server to client, client to server), their two counters, 64 unused bytes.
 */

export const HANDSHAKE_LENGTH = 256
const PARAMETERS_LENGTH = 160
const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()
const ctr = (key: Uint8Array, iv: Uint8Array): Cipher => createCipheriv('aes-256-ctr', key, iv)

/** Cipher streams of one connection. In counter mode encryption and decryption are the same operation. */
export interface Ciphers {
  readonly receive: Cipher
  readonly send: Cipher
}

const parameterCipher = (secret: Buffer, hash: Buffer): Cipher =>
  ctr(Buffer.concat([secret.subarray(0, 16), hash.subarray(16, 32)]), Buffer.concat([hash.subarray(0, 4), secret.subarray(20, 32)]))

export const greet = (serverKey: Uint8Array): { readonly packet: Buffer; readonly ciphers: Ciphers } => {
  const own = createKey()
  const parameters = randomBytes(PARAMETERS_LENGTH)
  const hash = sha256(parameters)
  const sealed = parameterCipher(sharedSecret(own, serverKey), hash).update(parameters)
  return {
    packet: Buffer.concat([nodeIdShort(serverKey), own.publicKey, hash, sealed]),
    ciphers: {
      receive: ctr(parameters.subarray(0, 32), parameters.subarray(64, 80)),
      send: ctr(parameters.subarray(32, 64), parameters.subarray(80, 96)),
    },
  }
}

/** Number of recent handshakes whose repetition is refused, so that a recorded connection cannot be replayed. */
const REMEMBERED = 10_000

/** Decrypts handshakes made for this server's key. Throws AdnlError for other handshakes. */
export const createHandshakeReader = (own: AdnlKey): ((packet: Uint8Array) => Ciphers) => {
  const id = nodeIdShort(own.publicKey)
  const seen = new Lru<string, true>({ max: REMEMBERED })
  return (packet) => {
    const data = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
    if (data.length !== HANDSHAKE_LENGTH || !timingSafeEqual(data.subarray(0, 32), id)) throw new AdnlError('a handshake for another key')
    const hash = data.subarray(64, 96)
    const parameters = parameterCipher(sharedSecret(own, data.subarray(32, 64)), hash).update(data.subarray(96))
    if (!timingSafeEqual(sha256(parameters), hash)) throw new AdnlError('a handshake whose hash is wrong')
    const mark = hash.toString('latin1')
    if (seen.has(mark)) throw new AdnlError('a handshake used before')
    seen.set(mark, true)
    return {
      receive: ctr(parameters.subarray(32, 64), parameters.subarray(80, 96)),
      send: ctr(parameters.subarray(0, 32), parameters.subarray(64, 80)),
    }
  }
}
