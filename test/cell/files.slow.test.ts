import { createHash } from 'node:crypto'
import { Cell as CoreCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { parseBoc, parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { hasAllData, hasData, listData, readData, readJson } from '../kit/data.ts'
import { bytesOf, readChain } from './data.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

interface Sample {
  readonly name: string
  readonly bytes: Buffer
  readonly rootHash: string
}

/**
 * Bags among the data that we refuse, by hash of the root as software found it that looks less closely. TON's reader refuses them too, except for bytes
 * after the end, which it ignores.
 */
const REFUSED: Readonly<Record<string, RegExp>> = {
  '25a237c57cf439af8faa5ccd192b4437705ca1e30153319495190fc3824ddaf3': /cell 3 is a pruned branch of level mask 2 with 280 bits/,
  '5dcd22f2cfb8bcfe4acca643a4d7eb3dce0dd2983d597c859d64ac553abb525f': /cell 0 has level mask 0 in its descriptor, but it must be 1/,
  f5b9b16eab546285bb134e04bd3c0fe6ad1a449ddcf50605147108b980b23f6d: /222 bytes too many at the end/,
  ed4176b06c2872e77ad033c527526d0e0faa4005541c232916ef43358d065c74: /150 bytes too many at the end/,
  '041c6e3fb614a703d51dae6dab0fad2523af14567f8cc071013d9dc797308513': /1 bytes of data left after the last cell/,
  c0abb50966e64b46cb769429913bffd17fa7c675fe4a11d5ec7566c519964828: /cell 0 has level mask 1 in its descriptor, but it must be 0/,
  '45e664eb11e563acdaac90e4985852c83f253c401ba899661be480d4120b67f5': /cell 0 has level mask 1 in its descriptor, but it must be 0/,
  '03c57e9e91dbdbeaa0b781f80324941d1c549c688699568880f496bc80995fe5': /cell 3 is a pruned branch of level mask 2 with 280 bits/,
  dbb5ce6cf689b14c9650ec377b8f41f52855f3cfb7acdae8c39171e5673cf45b: /cell 51 has level mask 0 in its descriptor, but it must be 1/,
  '5eef250b4e36d666ccc32b677c2ce78fba6cbd66d1b3c1082b5d77ea8d1d7233': /index entry 0 is 0, not 5/,
  '3e55b1bb7b6dd1603ab950a783890c3d1e945d0fd6bc29cf1c0017c44ac91e5e': /3 bytes too many at the end/,
}
/** Dictionary values cut out of a text file of another network; the hashes beside them are not theirs. */
const MISNAMED = new Set(['69', '70', '71', '72', '73'].map((i) => `inline/account.json#${i}`))

/** The files whose root hash and own hash (SHA-256, unpacked) are known from other software. */
const named = (): (Sample & { readonly fileHash: string })[] =>
  readJson<{ name: string; root: string; file: string }[]>('hashes.json')
    .filter(({ name }) => hasData(name))
    .map(({ name, root, file }) => ({ name, bytes: readData(name), rootHash: root, fileHash: file }))

const inline = (): Sample[] =>
  listData('inline', /json/).flatMap((name) =>
    (JSON.parse(readData(name).toString()) as { root_hash: string; boc: string }[]).map(({ root_hash, boc }, i) => ({
      name: `${name}#${i}`,
      bytes: bytesOf(boc),
      rootHash: root_hash,
    })),
  )

/** Compares every cell with @ton/core's, each once. */
const compare = (ours: Cell, core: CoreCell, seen: Set<string>): void => {
  const key = ours.hashHex()
  if (seen.has(key)) return
  seen.add(key)
  const shape = (levelMask: number, exotic: boolean, bits: number, refs: number): string =>
    `${key}: level mask ${levelMask}, exotic ${exotic}, ${bits} bits, ${refs} references`
  if (
    shape(ours.levelMask, ours.exotic, ours.bits, ours.refCount) !==
    shape(core.mask.value, core.isExotic, core.bits.length, core.refs.length)
  ) {
    throw new Error(`shape of ${shape(core.mask.value, core.isExotic, core.bits.length, core.refs.length)}`)
  }
  for (let level = 0; level <= 3; level++) {
    if (hex(ours.hash(level)) !== core.hash(level).toString('hex')) throw new Error(`hash ${level} of ${key}`)
    if (ours.depth(level) !== core.depth(level)) throw new Error(`depth ${level} of ${key}`)
  }
  core.refs.forEach((ref, i) => {
    compare(ours.ref(i), ref, seen)
  })
}

describe('real bags of cells', () => {
  it('real bags of cells have the recorded root hashes and come back from our writer', () => {
    const refused = new Set<string>()
    let read = 0
    for (const { name, bytes, rootHash } of [...named(), ...inline()]) {
      const reason = REFUSED[rootHash]
      if (reason !== undefined) {
        expect(() => parseBoc(bytes), name).toThrow(reason)
        refused.add(rootHash)
        continue
      }
      const roots = parseBoc(bytes)
      if (!MISNAMED.has(name)) expect(roots[0]!.hashHex(), name).toBe(rootHash)
      expect(
        parseBoc(serializeBoc(roots)).map((root) => root.hashHex()),
        name,
      ).toEqual(roots.map((root) => root.hashHex()))
      read++
    }
    expect(read).toBeGreaterThan(hasAllData ? 1100 : 1050)
    expect(refused.size).toBe(hasAllData ? Object.keys(REFUSED).length : Object.keys(REFUSED).length - 1)
  })

  it('real bags of cells have the recorded file hashes', () => {
    const files = named()
    expect(files.length).toBeGreaterThan(75)
    for (const { name, bytes, fileHash } of files) expect(sha256(bytes), name).toBe(fileHash)
  })

  it('real bags of cells equal @ton/core’s in every cell', () => {
    let cells = 0
    for (const { bytes, rootHash } of [...named(), ...inline()]) {
      // @ton/core takes half a second for a large block: one of those, and all that is small.
      if ((bytes.length > 120_000 && !rootHash.startsWith('8d544c9d')) || REFUSED[rootHash] !== undefined) continue
      const seen = new Set<string>()
      const ours = parseBoc(bytes)
      CoreCell.fromBoc(bytes).forEach((core, i) => {
        compare(ours[i]!, core, seen)
      })
      cells += seen.size
    }
    expect(cells).toBeGreaterThan(50_000)
  })

  it('blocks of the chain sets have their root and file hashes, and are byte for byte equal when written as TON writes block files', () => {
    let blocks = 0
    for (const name of listData('chain', /blocks\.jsonl$/)) {
      for (const { id, boc, root_hash, file_hash } of readChain(name)) {
        const bytes = bytesOf(boc)
        expect(sha256(bytes), id).toBe(file_hash)
        const root = parseBocRoot(bytes)
        expect(root.hashHex(), id).toBe(root_hash)
        expect(sha256(serializeBoc(root, { index: true, cacheBits: true, hashes: true })), id).toBe(file_hash)
        blocks++
      }
    }
    expect(blocks).toBe(891)
    for (const { name, bytes, rootHash } of named().filter((file) => file.name.startsWith('blocks/'))) {
      if (rootHash.startsWith('244d0a2f')) continue // written by tonutils-go, without index
      expect(sha256(serializeBoc(parseBoc(bytes), { index: true, cacheBits: true, hashes: true })), name).toBe(sha256(bytes))
    }
  })
})
