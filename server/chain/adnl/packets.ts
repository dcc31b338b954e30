import { createHash, type Hash, hash } from 'node:crypto'
import { AdnlError } from './error.ts'

/* Format of a packet: length of the rest, 32 random bytes, payload, sha256 of the random bytes and the payload. */

const NONCE = 32
const HASH = 32
const HEAD = 4
const OVERHEAD = NONCE + HASH
const WRONG = 'a packet whose hash is wrong'
const FIRST = 4_096

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
  if (hash('sha256', body.subarray(0, end), 'buffer').compare(body, end) !== 0) throw new AdnlError(WRONG)
  return body.subarray(NONCE, end)
}

/**
 * Assembles a packet that arrives in several pieces. Each piece is copied and hashed on arrival: hashing 16 MB at once would take 80 ms, and many packets
 * may end in one event-loop turn. The buffer grows with the received bytes.
 */
const createAssembly = (length: number) => {
  let data = Buffer.alloc(0)
  let filled = 0
  let hashed = HEAD
  const sum: Hash = createHash('sha256')
  return {
    length,
    filled: () => filled,
    add(piece: Buffer): void {
      if (filled + piece.length > data.length) {
        const size = Math.max(FIRST, 2 * data.length, filled + piece.length)
        // The buffer has at most four times the size of the received bytes.
        const grown = Buffer.allocUnsafeSlow(2 * size < length ? size : length)
        data.copy(grown, 0, 0, filled)
        data = grown
      }
      data.set(piece, filled)
      filled += piece.length
      const end = Math.min(filled, length - HASH)
      if (end <= hashed) return
      sum.update(data.subarray(hashed, end))
      hashed = end
    },
    open(): Buffer {
      if (sum.digest().compare(data, length - HASH) !== 0) throw new AdnlError(WRONG)
      return data.subarray(HEAD + NONCE, length - HASH)
    },
  }
}

/** `maxPacket`: maximum payload length. Memory is allocated as bytes arrive, not by the announced length. */
export const createPacketReader = (maxPacket: number, onPacket: (payload: Buffer) => void) => {
  /** Received bytes of a length field that has not arrived completely. */
  let head = Buffer.alloc(0)
  let begun: ReturnType<typeof createAssembly> | undefined

  const lengthAt = (data: Buffer, at: number): number => {
    const length = data.readUInt32LE(at)
    if (length < OVERHEAD || length > OVERHEAD + maxPacket) throw new AdnlError(`a packet of ${length} bytes`)
    return HEAD + length
  }
  /** Adds the chunk's bytes to the incomplete packet, and returns the offset of the next packet. */
  const goOn = (chunk: Buffer, assembly: NonNullable<typeof begun>): number => {
    const end = Math.min(chunk.length, assembly.length - assembly.filled())
    assembly.add(chunk.subarray(0, end))
    if (assembly.filled() < assembly.length) return end
    begun = undefined
    onPacket(assembly.open())
    return end
  }

  return {
    /** Parses decrypted bytes and passes the payloads of complete packets to the callback. Throws AdnlError for bytes that cannot be packets. */
    feed(chunk: Buffer): void {
      const data = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      head = Buffer.alloc(0)
      let at = begun === undefined ? 0 : goOn(data, begun)
      while (data.length - at >= HEAD) {
        const length = lengthAt(data, at)
        if (data.length - at < length) {
          begun = createAssembly(length)
          begun.add(data.subarray(at))
          return
        }
        const body = data.subarray(at + HEAD, at + length)
        at += length
        onPacket(openPacket(body))
      }
      // Copied, because a view would retain the chunk, which may be large.
      if (at < data.length) head = Buffer.from(data.subarray(at))
    },
    partial: (): boolean => begun !== undefined || head.length > 0,
  }
}
