import { hash } from 'node:crypto'
import { AdnlError } from './error.ts'

/* A packet: length of what follows, 32 random bytes, payload, sha256 of both. */

const NONCE = 32
const HASH = 32
const HEAD = 4
const OVERHEAD = NONCE + HASH
/** Largest number of pieces of one packet that are kept before they are joined. */
const MAX_PIECES = 256

/** The bytes of a packet before encryption. */
export const sealPacket = (payload: Uint8Array, nonce: Uint8Array): Buffer => {
  const packet = Buffer.allocUnsafe(HEAD + OVERHEAD + payload.length)
  packet.writeUInt32LE(OVERHEAD + payload.length, 0)
  packet.set(nonce, HEAD)
  packet.set(payload, HEAD + NONCE)
  const end = HEAD + NONCE + payload.length
  packet.set(hash('sha256', packet.subarray(HEAD, end), 'buffer'), end)
  return packet
}

const openPacket = (body: Buffer): Buffer => {
  const end = body.length - HASH
  if (hash('sha256', body.subarray(0, end), 'buffer').compare(body, end) !== 0) throw new AdnlError('a packet whose hash is wrong')
  return body.subarray(NONCE, end)
}

export interface PacketReader {
  /** Takes decrypted bytes and returns the payloads of complete packets. Throws AdnlError for bytes that cannot be packets. */
  feed(data: Buffer): void
  /** Whether a packet has begun and is not complete. */
  partial(): boolean
}

/** `maxPacket`: longest accepted payload. Memory is allocated as bytes arrive, not by the announced length. */
export const createPacketReader = (maxPacket: number, onPacket: (payload: Buffer) => void): PacketReader => {
  let pieces: Buffer[] = []
  let held = 0
  let wanted = HEAD

  const lengthAt = (data: Buffer, at: number): number => {
    const length = data.readUInt32LE(at)
    if (length < OVERHEAD || length > OVERHEAD + maxPacket) throw new AdnlError(`a packet of ${length} bytes`)
    return HEAD + length
  }

  return {
    feed(chunk) {
      pieces.push(chunk)
      held += chunk.length
      if (held < wanted) {
        if (pieces.length > MAX_PIECES) pieces = [Buffer.concat(pieces, held)]
        return
      }
      const data = pieces.length === 1 ? chunk : Buffer.concat(pieces, held)
      let at = 0
      wanted = HEAD
      while (data.length - at >= HEAD) {
        const length = lengthAt(data, at)
        if (data.length - at < length) {
          wanted = length
          break
        }
        const body = data.subarray(at + HEAD, at + length)
        at += length
        onPacket(openPacket(body))
      }
      pieces = at === data.length ? [] : [data.subarray(at)]
      held = data.length - at
    },
    partial: () => held > 0,
  }
}
