import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { crc32c } from '../../server/cell/boc/crc32c.ts'
import { HEAP, JOB } from '../../server/cell/sha256/code.ts'
import { createHasher, digest, message } from '../../server/cell/sha256/sha256.ts'
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

  for (const vectors of [true, false]) {
    it(`hashes of jobs of every shape, made ${vectors ? 'four at a time' : 'one by one'}, equal node:crypto's`, () => {
      const random = createRandom(seed)
      const { bytes, words, run } = createHasher(4, vectors)
      const dataAt = HEAP
      const recordsAt = HEAP + 4096
      const jobsAt = recordsAt + 36 * 400
      for (let i = dataAt; i < jobsAt; i++) bytes[i] = random.below(256)
      const expected: { readonly at: number; readonly hash: string }[] = []
      let job = jobsAt >>> 2
      let groups = 0
      for (let refs = 0; refs <= 4; refs++) {
        for (let length = 0; length <= 128; length += 1 + random.below(7)) {
          for (let lane = 0; lane < 4; lane++, job += JOB / 4) {
            const target = recordsAt + 36 * (100 + ((groups * 4 + lane) % 300))
            const from = dataAt + random.below(2000)
            const [d1, d2] = [random.below(256), random.below(256)]
            const children = Array.from({ length: refs }, () => recordsAt + 36 * random.below(100))
            words[job] = target
            words[job + 1] = from
            bytes.set([d1, d2, length, refs], 4 * job + 8)
            words.set(children, job + 3)
            const parts = [Buffer.from([d1, d2]), bytes.subarray(from, from + length)]
            for (const child of children) parts.push(bytes.subarray(child + 32, child + 34))
            for (const child of children) parts.push(bytes.subarray(child, child + 32))
            expected.push({ at: target, hash: sha256(Buffer.concat(parts)).toString('hex') })
          }
          words[job++] = ((2 + length + 34 * refs + 8) >>> 6) + 1
          groups++
        }
      }
      // Few enough targets to be distinct within a run of 75 groups.
      for (let from = 0; from < groups; from += 75) {
        const n = Math.min(75, groups - from)
        run(jobsAt + from * (4 * JOB + 4), n)
        for (const { at, hash } of expected.slice(4 * from, 4 * (from + n))) expect(bytes.toString('hex', at, at + 32)).toBe(hash)
      }
    })
  }

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
