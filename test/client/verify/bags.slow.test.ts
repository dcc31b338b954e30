import { describe, expect, it } from 'vitest'
import { MAX_PAGE, proofRoot, wholeRoot } from '../../../client/verify/boc.ts'
import type { Cell as OwnCell } from '../../../client/verify/cell.ts'
import { VerifyError } from '../../../client/verify/error.ts'
import { readTransaction } from '../../../client/verify/transaction.ts'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import { currencies, forks, wideTree } from '../../kit/bombs.ts'
import { hasData, readData, readJson } from '../../kit/data.ts'
import { createRandom } from '../../kit/random.ts'
import { allBlocks, inline, singleBlocks } from '../../tlb/data.ts'

/* Bags of cells: the verifier's reader beside the server's, and bags that somebody made to hurt it. */

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const budget = () => ({ hashes: MAX_PAGE })
const read = (bytes: Uint8Array): OwnCell => wholeRoot(base64(bytes), budget())

/** Milliseconds that any bag may take: a hundred times what an honest one does. */
const MAX_MS = 3_000
const timed = <T>(run: () => T): T => {
  const begin = performance.now()
  try {
    return run()
  } finally {
    expect(performance.now() - begin).toBeLessThan(MAX_MS)
  }
}

describe('bags of cells', () => {
  it('bags of cells have the hashes that the server computes: recorded blocks, transactions and proofs', () => {
    for (const { boc, root } of singleBlocks()) expect(hex(wholeRoot(base64(boc), { hashes: 1 << 22 }).hashes[0]!)).toBe(root.hashHex())
    for (const { root } of inline('transaction.json.gz'))
      for (const crc32c of [false, true]) expect(hex(read(serializeBoc(root, { crc32c })).hashes[3]!)).toBe(root.hashHex())
    const proofs = [
      'recorded/liteserver-tl/tongo-state_proof.boc',
      'recorded/liteserver-tl/tongo-config_proof.boc',
      'config/tongo-config_proof_4324374.boc',
    ]
    for (const bytes of proofs.filter(hasData).map(readData)) {
      const [own, root] = [proofRoot(base64(bytes), budget()), openProof(parseBocRoot(bytes))]
      for (const level of [0, 1, 2, 3])
        expect([hex(own.hashes[level]!), own.depths[level]]).toEqual([hex(root.hash(level)), root.depth(level)])
    }
    expect(readJson('inline/merkle_proof.json')).toBeDefined()
  })

  it('bags with shared cells cost linear time, and very large or deep ones are refused', () => {
    const shared = forks(beginCell().storeUint(7, 8).end(), 1_000)
    expect(hex(timed(() => read(serializeBoc(shared))).hashes[0]!)).toBe(shared.hashHex())
    const wide = serializeBoc(wideTree(140_000))
    expect(() => timed(() => read(wide))).toThrow(/a bag of 140000 cells, the limit is 131072/)
    expect(() => wholeRoot(base64(serializeBoc(shared)), { hashes: 1_000 })).toThrow(/the limit is 1000/)
    // A pruned branch of three levels, twice: it and each cell above it have four hashes.
    const pruned = Buffer.concat([Buffer.of(232, 208, 1, 7), Buffer.alloc(102)])
    const deep = Buffer.concat([Buffer.from('b5ee9c7201010201006d00e10001', 'hex'), pruned])
    expect(() => wholeRoot(base64(deep), { hashes: 7 })).toThrow(/too many hashes/)
    expect(() => wholeRoot(base64(deep), { hashes: 8 })).toThrow(/pruned/)
    const bytes = (cells: number): Buffer => {
      const data = Buffer.concat(
        Array.from({ length: cells }, (_, i) => (i < cells - 1 ? Buffer.of(1, 0, (i + 1) >> 8, i + 1) : Buffer.of(0, 0))),
      )
      const [count, length] = [Buffer.of(cells >> 8, cells), Buffer.of(0, data.length >> 8, data.length)]
      return Buffer.concat([Buffer.from('b5ee9c720203', 'hex'), count, Buffer.of(0, 1, 0, 0), length, Buffer.of(0, 0), data])
    }
    expect(read(bytes(1_025)).depths[0]).toBe(1_024)
    expect(() => timed(() => read(bytes(1_026)))).toThrow(/1025 deep/)
  })

  it('bags with any bit flipped, cut anywhere or made of noise are refused with VerifyError, or mean the same', () => {
    const random = createRandom(11)
    const roots = inline('transaction.json.gz').map(({ root }) => root)
    let refused = 0
    for (let i = 0; i < 3_000; i++) {
      const root = random.pick(roots)
      const bytes = Buffer.from(serializeBoc(root))
      const kind = random.below(3)
      const bit = random.below(bytes.length * 8)
      if (kind === 0) bytes[bit >> 3]! ^= 1 << (bit & 7)
      const broken =
        kind === 0 ? bytes : kind === 1 ? bytes.subarray(0, bit >> 3) : Buffer.concat([bytes.subarray(0, 10), random.bytes(60)])
      try {
        const { hashes } = timed(() => read(broken))
        // Another tree has another hash, which nobody trusts.
        if (hex(hashes[0]!) !== root.hashHex()) refused += 1
      } catch (error) {
        expect(error).toBeInstanceOf(VerifyError)
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(2_800)
  })

  it('transactions with more entries in a dictionary than anybody can walk are refused', () => {
    const { root } = inline('transaction.json.gz')[0]!
    /** The same transaction with another dictionary of fees in other currencies, or of sent messages. */
    const bomb = beginCell()
    const s = root.slice()
    bomb.storeBits(s.loadBits(4 + 256 + 64 + 256 + 64 + 32 + 15 + 4), 4 + 256 + 64 + 256 + 64 + 32 + 15 + 4)
    bomb.storeRef(s.loadRef()).storeCoins(s.loadCoins()).storeMaybeRef(currencies())
    s.loadMaybeRef()
    bomb.storeRef(s.loadRef()).storeRef(s.loadRef())
    expect(() => timed(() => readTransaction(read(serializeBoc(bomb.end())), 0))).toThrow(/a dictionary of more than 1024 edges/)
  })

  it('cells of other kinds are refused as transactions, each with VerifyError', () => {
    const roots = [
      ...allBlocks()
        .slice(0, 40)
        .map(({ root }) => root),
      ...inline('transaction.json.gz').flatMap(({ root }) => Array.from({ length: root.refCount }, (_, i) => root.ref(i))),
    ]
    for (const root of roots.slice(0, 300))
      expect(() => timed(() => readTransaction(wholeRoot(base64(serializeBoc(root)), { hashes: 1 << 22 }), 0))).toThrow()
  })

  it.each<[string, unknown]>([
    ['a number', 7],
    ['nothing', undefined],
    ['no base64', '%%%'],
    ['a picture', base64(Buffer.from('89504e470d0a1a0a', 'hex'))],
    ['cells without end', base64(Buffer.from('b5ee9c7204080000ffffffff00000001000000000000000000000000ffffffffffffffff', 'hex'))],
    ['no roots', base64(Buffer.from('b5ee9c72010101000002000000', 'hex'))],
  ])('bags that are %s are refused with VerifyError', (_, text) => {
    expect(() => timed(() => wholeRoot(text, budget()))).toThrow()
  })
})
