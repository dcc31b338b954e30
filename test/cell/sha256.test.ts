import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { crc32c } from '../../server/cell/boc/crc32c.ts'
import { digest, message } from '../../server/cell/sha256.ts'
import { createRandom, seed } from '../kit/random.ts'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

describe('hashing', () => {
  it('the hash of messages of every length equals node:crypto’s', () => {
    const random = createRandom(seed)
    for (let length = 0; length <= 266; length++) {
      const bytes = Buffer.from(Array.from({ length }, () => random.below(256)))
      bytes.copy(message)
      expect(digest(length), `${length} bytes`).toBe(sha256(bytes).toString('latin1'))
    }
  })

  it('CRC32C equals the reference vectors (RFC 3720, appendix B.4)', () => {
    const hex = (bytes: Uint8Array): string => crc32c(bytes).toString(16)
    expect(hex(new Uint8Array(32))).toBe('8a9136aa')
    expect(hex(new Uint8Array(32).fill(255))).toBe('62a8ab43')
    expect(hex(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe('46dd794e')
    expect(hex(Uint8Array.from({ length: 32 }, (_, i) => 31 - i))).toBe('113fdb5c')
    expect(hex(Buffer.from('123456789'))).toBe('e3069283')
    expect(hex(new Uint8Array())).toBe('0')
  })
})
