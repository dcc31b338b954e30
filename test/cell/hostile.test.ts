import { describe, expect, it } from 'vitest'
import { parseBoc, parseBocRoot, parseBocRootSteps, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import { wideTree } from '../kit/bombs.ts'
import { makeUpdate } from '../kit/make-update.ts'
import { GENERIC, HAS_CACHE_BITS, HAS_CRC, HAS_INDEX, INDEXED, INDEXED_CRC, LEAF, type RawBoc, rawBoc, record } from './raw-boc.ts'

/** The reason for which a bag is refused; `accepted` where it is not. */
const reason = (input: RawBoc | Uint8Array): string => {
  try {
    parseBoc(input instanceof Uint8Array ? input : rawBoc(input))
    return 'accepted'
  } catch (error) {
    if (error instanceof CellError && error.kind === 'boc') return error.message
    throw error
  }
}
const zeros = (n: number): number[] => new Array(n).fill(0)
const hashOf = (cell: Cell, level = 3): number[] => [...cell.hash(level)]
const emptyHash = hashOf(EMPTY_CELL)
/** A chain of cells, the root first. */
const chain = (length: number, refSize: number): RawBoc => ({
  refSize,
  records: Array.from({ length }, (_, i) => (i + 1 < length ? record(1, 0, [], [i + 1], refSize) : LEAF)),
})

describe('the reader refuses', () => {
  it.each<[string, RawBoc | Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /no bytes at all/],
    ['five bytes', Buffer.from('b5ee9c7201', 'hex'), /5 bytes are too few for a header/],
    ['half a header', Buffer.from('b5ee9c720101', 'hex'), /6 bytes are too few for a header of 10/],
    ['text', Buffer.from('hello, this is no bag of cells'), /unknown magic 68656c6c/],
    ['hex digits', Buffer.from('b5ee9c72010101', 'base64'), /unknown magic 6f979ef5: it looks like hex, base64 is expected/],
    ['upper-case hex digits', Buffer.from('B5EE9C72010101', 'base64'), /: it looks like hex/],
    ['no magic', { magic: 0, records: [LEAF] }, /unknown magic 00000000/],
    ['the fourth flag', { flags: 16, records: [LEAF] }, /unknown flags/],
    ['the fifth flag', { flags: 8, records: [LEAF] }, /unknown flags/],
    ['cache bits without index', { flags: HAS_CACHE_BITS, records: [LEAF] }, /cache bits without an index/],
    ['flags in an indexed form', { magic: INDEXED, flags: 64, index: [2], records: [LEAF] }, /unknown flags/],
    ['flags in the other indexed form', { magic: INDEXED_CRC, flags: 128, index: [2], records: [LEAF] }, /unknown flags/],
    ['references of 0 bytes', { refSize: 0, records: [LEAF] }, /reference size of 0/],
    ['references of 5 bytes', { refSize: 5, records: [LEAF] }, /reference size of 5/],
    ['references of 7 bytes', { refSize: 7, records: [LEAF] }, /reference size of 7/],
    ['offsets of 0 bytes', { offsetSize: 0, records: [LEAF] }, /offset size of 0/],
    ['offsets of 9 bytes', { offsetSize: 9, records: [LEAF] }, /offset size of 9/],
    ['offsets of 255 bytes', { offsetSize: 255, records: [LEAF] }, /offset size of 255/],
    ['no cells', { cells: 0, records: [LEAF] }, /no cells/],
    ['fewer cells than there are', { cells: 1, records: [LEAF, LEAF] }, /2 bytes of data left/],
    ['more cells than there are', { cells: 2, records: [record(0, 4, [1, 2])] }, /the data ends before cell 1 of 2/],
    ['2^22 cells in two bytes', { refSize: 3, cells: 1 << 22, records: [LEAF] }, /2 bytes of data cannot hold 4194304 cells/],
    ['2^24-1 cells', { refSize: 3, cells: 0xffffff, records: [LEAF] }, /over the limit of 4194304/],
    ['2^32-1 cells', { refSize: 4, cells: 0xffffffff, records: [LEAF] }, /over the limit/],
    ['no roots', { roots: 0, rootList: [], records: [LEAF] }, /no roots/],
    ['more roots than cells', { rootList: [0, 0], records: [LEAF] }, /2 roots of 1 cells/],
    ['roots without a list', { refSize: 2, cells: 65535, roots: 65535, records: [LEAF] }, /over the limit of 16384/],
    ['two roots in an indexed form', { magic: INDEXED, roots: 2, index: [2, 4], records: [LEAF, LEAF] }, /exactly one/],
    ['a root past the end', { rootList: [1], records: [LEAF] }, /root 0 is cell 1 of 1/],
    ['an absent cell', { absent: 1, records: [LEAF] }, /1 absent cells/],
    ['255 absent cells', { absent: 255, records: [LEAF] }, /255 absent cells/],
    ['more data than there is', { dataSize: 3, records: [LEAF] }, /16 bytes, but the header asks for 17/],
    ['2^64 bytes of data', { offsetSize: 8, dataSize: 2 ** 64 - 2048, records: [LEAF] }, /but the header asks for/],
    ['less data than there is', { dataSize: 2, records: [LEAF, LEAF], cells: 1 }, /2 bytes too many at the end/],
    ['trailing bytes', { records: [LEAF], tail: [0] }, /1 bytes too many/],
    ['a missing CRC', { flags: HAS_CRC, records: [LEAF], tail: [] }, /but the header asks for/],
    ['a wrong CRC', { flags: HAS_CRC, records: [LEAF], tail: [1, 2, 3, 4] }, /CRC32C/],
    ['a wrong CRC in the indexed form', { magic: INDEXED_CRC, index: [2], records: [LEAF], tail: [1, 2, 3, 4] }, /CRC32C/],
    ['a CRC that nobody announced', { records: [LEAF], tail: [1, 2, 3, 4] }, /4 bytes too many/],
    ['an index that lies', { flags: HAS_INDEX, index: [3], records: [LEAF] }, /index entry 0 is 3, not 2/],
    ['an index of beginnings', { flags: HAS_INDEX, index: [0, 3], records: [record(1, 0, [], [1]), LEAF] }, /index entry 0 is 0, not 3/],
    ['wrong cache bits', { flags: HAS_INDEX | HAS_CACHE_BITS, index: [5], records: [LEAF] }, /index entry 0 is 5, not 4/],
    [
      'missing cache bits',
      { flags: HAS_INDEX | HAS_CACHE_BITS, index: [8, 12], records: [record(2, 0, [], [1, 1]), LEAF] },
      /index entry 1 is 12, not 13/,
    ],
    ['a reference to itself', { records: [record(1, 0, [], [0])] }, /cell 0 refers to cell 0, which does not come after it/],
    ['a reference back', { records: [record(1, 0, [], [1]), record(1, 0, [], [0])] }, /cell 1 refers to cell 0/],
    ['a reference past the end', { records: [record(1, 0, [], [1])] }, /cell 0 refers to cell 1 of 1/],
    ['a reference cut short', { refSize: 2, records: [record(1, 0, [], [1])] }, /cell 0 runs past the end/],
    ['five references', { records: [record(5, 0, [], [1, 1, 1, 1, 1]), LEAF] }, /cell 0 has 5 references/],
    ['seven references', { records: [record(7, 0, [], [1]), LEAF] }, /cell 0 has 7 references/],
    ['an absent cell by its descriptor', { records: [record(23, 0, zeros(34))] }, /cell 0 is absent/],
    ['data past the end', { records: [record(0, 255, zeros(127))] }, /cell 0 runs past the end/],
    ['data without completion tag', { records: [record(0, 1, [0])] }, /no completion tag/],
    ['an empty completion tag', { records: [record(0, 3, [7, 128])] }, /no completion tag/],
    ['a level mask of nothing', { records: [record(32, 0)] }, /level mask 1 in its descriptor, but it must be 0/],
    ['level mask 7 of nothing', { records: [record(7 << 5, 0)] }, /level mask 7 in its descriptor, but it must be 0/],
    ['an exotic cell without type', { records: [record(8, 0)] }, /exotic with 0 bits/],
    ['an exotic cell of 7 bits', { records: [record(8, 1, [1])] }, /exotic with 7 bits/],
    ['a pruned branch without level', { records: [record(8, 4, [1, 0])] }, /level mask 0/],
    ['a pruned branch of level 4', { records: [record(8, 72, [1, 8, ...zeros(34)])] }, /pruned branch with level mask 8/],
    ['a pruned branch too short', { records: [record(8 | 32, 70, [1, 1, ...zeros(33)])] }, /pruned branch of level mask 1 with 280 bits/],
    ['a pruned branch too long', { records: [record(8 | 32, 74, [1, 1, ...zeros(35)])] }, /pruned branch of level mask 1 with 296 bits/],
    [
      'a pruned branch with a reference',
      { records: [record(9 | 32, 72, [1, 1, ...zeros(34)], [1]), LEAF] },
      /pruned branch with 1 references/,
    ],
    [
      'a pruned branch of another level than it says',
      { records: [record(8 | 64, 72, [1, 1, ...zeros(34)])] },
      /level mask 2 in its descriptor, but it must be 1/,
    ],
    ['a pruned branch of depth 1025', { records: [record(8 | 32, 72, [1, 1, ...zeros(32), 4, 1])] }, /1025 deep at level 0/],
    ['a pruned branch of depth 65535', { records: [record(8 | 32, 72, [1, 1, ...zeros(32), 255, 255])] }, /65535 deep at level 0/],
    [
      'a cell above a pruned branch of depth 1024',
      { records: [record(1 | 32, 0, [], [1]), record(8 | 32, 72, [1, 1, ...zeros(32), 4, 0])] },
      /1025 deep/,
    ],
    ['a library cell of 31 bytes', { records: [record(8, 64, [2, ...zeros(31)])] }, /library cell of 256 bits instead of 264/],
    ['a library cell with a reference', { records: [record(9, 66, [2, ...zeros(32)], [1]), LEAF] }, /library cell with 1 references/],
    ['a Merkle proof without reference', { records: [record(8, 70, [3, ...zeros(34)])] }, /Merkle proof with 0 references/],
    ['a Merkle proof too short', { records: [record(9, 68, [3, ...zeros(33)], [1]), LEAF] }, /Merkle proof of 272 bits/],
    [
      'a Merkle proof of another cell',
      { records: [record(9, 70, [3, ...zeros(34)], [1]), LEAF] },
      /its hash 0 is not that of its reference/,
    ],
    ['a Merkle proof of another depth', { records: [record(9, 70, [3, ...emptyHash, 0, 1], [1]), LEAF] }, /its depth 0 is not that/],
    ['a Merkle update of one cell', { records: [record(9, 138, [4, ...zeros(68)], [1]), LEAF] }, /Merkle update with 1 references/],
    ['a Merkle update too long', { records: [record(10, 140, [4, ...zeros(69)], [1, 1]), LEAF] }, /Merkle update of 560 bits/],
    ['stored hashes that lie', { records: [record(16, 0, zeros(34))] }, /its stored hash 0 is wrong/],
    ['a stored depth that lies', { records: [record(16, 0, [...emptyHash, 0, 1])] }, /its stored depth 0 is wrong/],
    ['stored hashes cut short', { records: [record(16, 0, emptyHash)] }, /runs past the end/],
    ['a chain 1025 deep', chain(1026, 2), /1025 deep, the limit is 1024/],
    ['a chain of 20,000 cells', chain(20_000, 2), /1025 deep/],
    ['a chain of 2^17 cells', chain(1 << 17, 3), /1025 deep/],
  ])('the reader refuses %s', (_name, input, text) => {
    expect(reason(input)).toMatch(text)
  })

  it('the reader refuses every exotic type that does not exist', () => {
    for (let type = 0; type < 256; type++) {
      if (type >= 1 && type <= 4) continue
      expect(reason({ records: [record(8, 2, [type])] })).toMatch(new RegExp(`an exotic cell of unknown type ${type}$`))
    }
  })

  it('the reader refuses a Merkle update with swapped hashes', () => {
    const tree = (n: number): Cell =>
      dictFromEntries(
        8,
        [1n, 2n, 130n].map((key) => [key, beginCell().storeUint(Number(key) * n, 32)] as const),
      )!
    const good = Buffer.from(serializeBoc(makeUpdate(tree(1), tree(2)), { crc32c: false }))
    expect(reason(good)).toBe('accepted')
    const at = good.indexOf(Buffer.from(tree(1).hash()))
    const swapped = Buffer.from(good)
    good.copy(swapped, at, at + 32, at + 64)
    good.copy(swapped, at + 32, at, at + 32)
    expect(reason(swapped)).toMatch(/its hash 0 is not that of its reference/)
  })

  it('the reader refuses every truncation of a bag', () => {
    for (const options of [{}, { crc32c: false }, { index: true, cacheBits: true, hashes: true }]) {
      const bytes = serializeBoc(beginCell().storeUint(1, 9).storeRef(EMPTY_CELL).end(), options)
      for (let length = 0; length < bytes.length; length++) expect(reason(bytes.subarray(0, length))).not.toBe('accepted')
    }
  })

  it('the reader refuses bags over the limits of the caller', () => {
    const bytes = rawBoc({ rootList: [0, 1], records: [record(1, 0, [], [1]), LEAF] })
    expect(parseBoc(bytes, { maxCells: 2, maxBytes: bytes.length, maxDepth: 1, maxRoots: 2 })).toHaveLength(2)
    expect(() => parseBoc(bytes, { maxCells: 1 })).toThrow('2 cells are over the limit of 1')
    expect(() => parseBoc(bytes, { maxBytes: bytes.length - 1 })).toThrow('bytes are over the limit')
    expect(() => parseBoc(bytes, { maxDepth: 0 })).toThrow('1 deep, the limit is 0')
    expect(() => parseBoc(bytes, { maxRoots: 1 })).toThrow('2 roots are over the limit of 1')
    expect(() => parseBocRoot(bytes)).toThrow('2 roots instead of one')
  })

  it('bags that share a budget have as many hashes as it allows', () => {
    const pruned = record(0xe8, 208, [1, 7, ...zeros(102)])
    const bytes = rawBoc({ records: [record(0xe1, 0, [], [1]), record(0xe1, 0, [], [2]), pruned] })
    const budget = { cells: 23 }
    parseBoc(bytes, { budget })
    expect(budget.cells).toBe(11)
    expect(() => parseBoc(bytes, { budget })).toThrow('its cells have too many hashes')
    expect(() => parseBoc(bytes, { budget: { cells: 2 } })).toThrow('3 cells are over the limit of 2')
  })
})

describe('the reader takes', () => {
  it('large bags are read in steps, between which others are read', () => {
    const trees = [wideTree(70_000), wideTree(100_000)]
    const small = serializeBoc(wideTree(2_000))
    const readings = trees.map((tree) => parseBocRootSteps(serializeBoc(tree)))
    const roots: Cell[] = []
    let steps = 0
    while (roots.length < readings.length) {
      for (const reading of readings) {
        const step = reading.next()
        if (step.done && step.value !== undefined) roots.push(step.value)
        parseBocRoot(small)
        steps++
      }
    }
    expect(steps).toBeGreaterThan(40)
    expect(roots.map((root) => root.hashHex())).toEqual(trees.map((tree) => tree.hashHex()))
  }, 120_000)

  it('the reader takes all three forms of the header', () => {
    for (const raw of [
      { magic: GENERIC },
      { flags: HAS_CRC },
      { flags: HAS_INDEX, index: [2] },
      { flags: HAS_INDEX | HAS_CACHE_BITS, index: [4] },
      { flags: HAS_INDEX | HAS_CRC | HAS_CACHE_BITS, index: [4] },
      { magic: INDEXED, index: [2] },
      { magic: INDEXED_CRC, index: [2] },
      { refSize: 4, offsetSize: 8 },
    ]) {
      expect(parseBocRoot(rawBoc({ ...raw, records: [LEAF] })).equals(EMPTY_CELL)).toBe(true)
    }
  })

  it('the reader takes equal cells that stand twice, and writes them once', () => {
    const root = parseBocRoot(rawBoc({ records: [record(2, 0, [], [1, 2]), LEAF, LEAF] }))
    expect(root.equals(beginCell().storeRef(EMPTY_CELL).storeRef(EMPTY_CELL).end())).toBe(true)
    expect(serializeBoc(root, { crc32c: false })).toEqual(
      new Uint8Array(rawBoc({ offsetSize: 1, records: [record(2, 0, [], [1, 1]), LEAF] })),
    )
  })

  it('the reader takes cells that no root reaches', () => {
    expect(parseBocRoot(rawBoc({ rootList: [1], records: [LEAF, LEAF] })).equals(EMPTY_CELL)).toBe(true)
  })

  it('the reader takes a BoC with right stored hashes', () => {
    expect(reason({ records: [record(16, 0, [...emptyHash, 0, 0])] })).toBe('accepted')
  })

  it('the reader takes depths up to 1024', () => {
    for (const length of [1023, 1024, 1025]) expect(parseBocRoot(rawBoc(chain(length, 2))).depth()).toBe(length - 1)
    expect(reason({ records: [record(8 | 32, 72, [1, 1, ...zeros(32), 4, 0])] })).toBe('accepted')
  })

  it('the reader takes the same root twice', () => {
    const roots = parseBoc(rawBoc({ rootList: [1, 1], records: [LEAF, LEAF] }))
    expect(roots.map((root) => root.equals(EMPTY_CELL))).toEqual([true, true])
  })
})

describe('work in proportion to the input', () => {
  /** A bag of `height` cells in which each refers four times to the next: 4^height paths. */
  const wide = (height: number): RawBoc => ({
    refSize: 2,
    records: Array.from({ length: height }, (_, i) => (i + 1 < height ? record(4, 0, [], [i + 1, i + 1, i + 1, i + 1], 2) : LEAF)),
  })

  it('4^1000 paths through 1001 cells are read, hashed and written like 1001 cells', () => {
    const root = parseBocRoot(rawBoc(wide(1001)))
    let expected = EMPTY_CELL
    for (let i = 0; i < 1000; i++) expected = beginCell().storeRef(expected).storeRef(expected).storeRef(expected).storeRef(expected).end()
    expect(root.equals(expected)).toBe(true)
    expect(parseBocRoot(serializeBoc(root)).equals(expected)).toBe(true)
    expect(parseBocRoot(serializeBoc(expected, { index: true, cacheBits: true, hashes: true })).equals(expected)).toBe(true)
  })

  it('65,536 references to one cell cost no more than one cell', () => {
    const count = 16_384 + 4096 + 1024 + 256 + 64 + 16 + 4 + 1
    const leaf = count
    const records: number[][] = []
    for (let i = 0; i < count; i++) {
      const first = 4 * i + 1
      records.push(record(4, 0, [], first + 3 < count ? [first, first + 1, first + 2, first + 3] : [leaf, leaf, leaf, leaf], 2))
    }
    records.push(LEAF)
    const root = parseBocRoot(rawBoc({ refSize: 2, records }))
    expect(root.depth()).toBe(8)
    // Equal cells are found: 9 are left.
    expect(serializeBoc(root).length).toBeLessThan(100)
  })
})
