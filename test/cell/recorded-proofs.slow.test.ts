import { describe, expect, it } from 'vitest'
import { crc32c } from '../../server/cell/boc/crc32c.ts'
import { parseBoc } from '../../server/cell/boc.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { openProof } from '../../server/cell/merkle.ts'
import { listData, readData } from '../kit/data.ts'
import { createRandom, seed } from '../kit/random.ts'
import { bytesOf, readChain } from './data.ts'
import { kindOf } from './kind.ts'

/** A recorded proof: its bag, where in it the Merkle proof cells are, and what they prove. */
interface Recorded {
  readonly name: string
  readonly bytes: Buffer
  proofs(roots: readonly Cell[]): Cell[]
  /** Hashes of the proven trees, known from elsewhere where the data says them. */
  readonly proven: readonly string[]
}

const provenHash = (cell: Cell): string => Buffer.from(cell.hash(0)).toString('hex')
const all = (roots: readonly Cell[]): Cell[] => [...roots]
const proven = (bytes: Buffer): string[] => parseBoc(bytes).map((root) => provenHash(openProof(root)))

/** block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof; the root is a Merkle proof. */
const blockProof = (roots: readonly Cell[]): Cell[] => [roots[0]!.ref(0)]

const recorded = (): Recorded[] => {
  const list: Recorded[] = []
  const files = [
    ...listData('config', /config_proof.*\.boc$/),
    ...listData('recorded/liteserver-tl', /proof\.boc$/),
    'toncore/accountProof.boc',
  ]
  for (const name of [...files, 'toncore/accountStateTestPruned.boc']) {
    const bytes = readData(name)
    list.push({ name, bytes, proofs: all, proven: proven(bytes) })
  }
  const inline = JSON.parse(readData('inline/merkle_proof.json').toString()) as {
    boc: string
    virtual_root_hash?: string
    root_hash: string
  }[]
  inline.forEach(({ boc, virtual_root_hash, root_hash }, i) => {
    if (root_hash.startsWith('ed4176b0')) return // has bytes behind its end: refused, see files.test.ts
    const bytes = bytesOf(boc)
    const known = virtual_root_hash === undefined ? proven(bytes) : [virtual_root_hash, ...proven(bytes).slice(1)]
    list.push({ name: `inline/merkle_proof.json#${i}`, bytes, proofs: all, proven: known })
  })
  for (const name of listData('chain', /blocks\.jsonl$/)) {
    for (const { id, proof, root_hash } of readChain(name)) {
      if (proof !== null) list.push({ name: `proof of ${id}`, bytes: bytesOf(proof), proofs: blockProof, proven: [root_hash] })
    }
  }
  return list
}

/** Parses and opens; gives the hashes that say everything about the opened trees. Throws where it must be refused. */
const accept = ({ proofs, proven }: Recorded, bytes: Uint8Array): string[] => {
  const opened = proofs(parseBoc(bytes)).map(openProof)
  if (opened.length !== proven.length || opened.some((cell, i) => provenHash(cell) !== proven[i]))
    throw new CellError('proof', 'another tree is proven')
  return opened.map((cell) => cell.hashHex())
}

describe('recorded proofs', () => {
  it('recorded proofs are accepted, and prove what they are said to prove', () => {
    const list = recorded()
    expect(list.length).toBeGreaterThan(800)
    for (const item of list) expect(() => accept(item, item.bytes), item.name).not.toThrow()
  })

  it('2,000 mutants of the recorded proofs are refused or mean the same', () => {
    const list = recorded()
    const random = createRandom(seed)
    const original = new Map<Recorded, string[]>()
    let refused = 0
    let same = 0
    for (let i = 0; i < 2_000; i++) {
      // Every other mutant of the proofs that are not block proofs, which are most.
      const item = i % 2 === 0 ? list[random.below(20)]! : random.pick(list)
      if (!original.has(item)) original.set(item, accept(item, item.bytes))
      const bytes = Buffer.from(item.bytes)
      const at = random.below(bytes.length)
      bytes[at]! ^= random.chance(0.5) ? 1 << random.below(8) : 1 + random.below(255)
      // Half of them with the checksum made right, where there is one.
      if (bytes[4]! & 64 && random.chance(0.5)) bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4)
      let opened: string[]
      try {
        opened = accept(item, bytes)
      } catch (error) {
        if (!(error instanceof CellError)) throw error
        refused++
        continue
      }
      expect(opened, `${item.name}, byte ${at}`).toEqual(original.get(item))
      same++
    }
    expect(refused + same).toBe(2_000)
    // Those that mean the same changed what is beside the proof: signatures, the id a block proof names.
    expect(refused).toBeGreaterThan(1_400)
  })

  it('recorded proofs have the same hashes if only the proven part is hashed at once', () => {
    const random = createRandom(seed)
    const levels = [0, 1, 2, 3]
    const written = new Uint8Array(32)
    /** Hashes of all cells, at some level first: whichever is asked for first must bring the rest along. */
    const hashesOf = (roots: readonly Cell[], first: number): string[] => {
      const seen = new Set<Cell>()
      const visit = (cell: Cell): void => {
        if (seen.has(cell)) return
        seen.add(cell)
        for (let i = 0; i < cell.refCount; i++) visit(cell.ref(i))
      }
      roots.forEach(visit)
      for (const cell of random.chance(0.5) ? [...seen].reverse() : seen) cell.hash(first)
      return [...seen].flatMap((cell) =>
        levels.map((level) => {
          cell.hashTo(written, level)
          if (Buffer.compare(written, cell.hash(level)) !== 0) expect.fail(`hashTo of ${cell.hashHex()} at level ${level}`)
          return `${cell.hashKey(level)}${cell.depth(level)}`
        }),
      )
    }
    const told = (bytes: Uint8Array, first: number, proofs: boolean): readonly string[] | string => {
      try {
        return hashesOf(parseBoc(bytes, { proofs }), first)
      } catch (error) {
        return (error as Error).message
      }
    }
    const list = recorded()
    for (let i = 0; i < 1_600; i++) {
      const { name, bytes } = i < list.length ? list[i]! : i % 2 === 0 ? list[random.below(20)]! : random.pick(list)
      const mutant = Buffer.from(bytes)
      const at = random.below(mutant.length)
      if (i >= list.length) mutant[at]! ^= 1 << random.below(8)
      if (mutant[4]! & 64) mutant.writeUInt32LE(crc32c(mutant, 0, mutant.length - 4), mutant.length - 4)
      const first = random.pick(levels)
      expect(told(mutant, first, true), `${name}, byte ${at}`).toEqual(told(mutant, first, false))
    }
  })

  it('recorded proofs are refused for any other value', () => {
    const block = parseBoc(readData('blocks/tongo-block-4.boc'))[0]!
    expect(kindOf(() => openProof(block))).toBe('proof')
    expect(kindOf(() => openProof(block.ref(2)))).toBe('proof')
  })
})
