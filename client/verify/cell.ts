import { sha256 } from '@noble/hashes/sha2.js'
import { fail, must } from './error.ts'

/*
 * Cells with the hashes and depths of all levels (whitepaper 3.1.4 to 3.1.6, DataCell::create of ton-blockchain/ton). Exotic cells:
 *   pruned branch 01, level mask, a hash for each level of it, a depth for each     library 02, hash
 *   Merkle proof 03, hash, depth of the reference      Merkle update 04, hash, hash, depth, depth of both references
 */

export const ORDINARY = 0
const PRUNED = 1
const LIBRARY = 2
export const MERKLE_PROOF = 3
export const MERKLE_UPDATE = 4
const MAX_DEPTH = 1024

export interface Cell {
  /** Bytes of the data; if the bits do not end on a byte, a one and zeros follow them. */
  readonly data: Uint8Array
  readonly bits: number
  readonly refs: readonly Cell[]
  readonly type: number
  /** Bit l is set if the cell has a hash of its own at level l + 1. */
  readonly mask: number
  /** By level, 0 to 3. Level 3 is the cell as it is; level 0 the cell before anything was pruned. */
  readonly hashes: readonly Uint8Array[]
  readonly depths: readonly number[]
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

export const ones = (mask: number): number => (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)
const depthAt = (data: Uint8Array, at: number): number => data[at]! * 256 + data[at + 1]!

const SHAPES: readonly (readonly [refs: number, bits: number])[] = [
  [0, 0],
  [0, 0],
  [0, 264],
  [1, 280],
  [2, 552],
]

const checkShape = (type: number, data: Uint8Array, bits: number, refs: readonly Cell[]): void => {
  must(type >= PRUNED && type <= MERKLE_UPDATE, `an exotic cell of unknown type ${type}`)
  const mask = data[1] ?? 0
  const [count, length] = SHAPES[type]!
  const expected = type === PRUNED ? 16 + 272 * ones(mask) : length
  must(type !== PRUNED || (mask >= 1 && mask <= 7), `a pruned branch with level mask ${mask}`)
  must(refs.length === count && bits === expected, `an exotic cell of type ${type} with ${bits} bits and ${refs.length} references`)
  for (const [i, ref] of type >= MERKLE_PROOF ? refs.entries() : []) {
    must(sameBytes(data.subarray(1 + 32 * i, 33 + 32 * i), ref.hashes[0]!), 'a Merkle cell whose hash is not that of its reference')
    must(depthAt(data, 1 + 32 * count + 2 * i) === ref.depths[0], 'a Merkle cell whose depth is not that of its reference')
  }
}

/** Buffer for the bytes that a cell's hash covers: two descriptors, 128 bytes of data, depths and hashes of four references. */
const message = /* @__PURE__ */ new Uint8Array(2 + 128 + 4 * 34)

/** Makes a cell and computes its hashes. `data` has the bits that complete its last byte. */
export const makeCell = (data: Uint8Array, bits: number, refs: readonly Cell[], isExotic = false): Cell => {
  must(!isExotic || bits >= 8, `an exotic cell of ${bits} bits`)
  const type = isExotic ? data[0]! : ORDINARY
  if (isExotic) checkShape(type, data, bits, refs)
  const shift = type >= MERKLE_PROOF ? 1 : 0
  const mask = type === PRUNED ? data[1]! : type === LIBRARY ? 0 : refs.reduce((all, ref) => all | ref.mask, 0) >> shift
  const stored = type === PRUNED ? ones(mask) : 0
  const hashes: Uint8Array[] = []
  const depths: number[] = []
  for (let level = 0, count = 0; level < 4; level++) {
    if (level > 0 && !(mask & (1 << (level - 1)))) {
      hashes.push(hashes[level - 1]!)
      depths.push(depths[level - 1]!)
    } else if (count < stored) {
      hashes.push(data.subarray(2 + 32 * count, 34 + 32 * count))
      depths.push(depthAt(data, 2 + 32 * stored + 2 * count++))
    } else {
      const below = type === PRUNED ? undefined : hashes[level - 1]
      message[0] = refs.length + (isExotic ? 8 : 0) + 32 * (mask & ((1 << level) - 1))
      message[1] = (bits >> 3) + ((bits + 7) >> 3)
      message.set(below ?? data, 2)
      let at = 2 + (below ?? data).length
      const from = Math.min(3, level + shift)
      let depth = 0
      for (const ref of refs) {
        const each = ref.depths[from]!
        message[at++] = each >> 8
        message[at++] = each
        depth = Math.max(depth, each + 1)
      }
      for (const ref of refs) {
        message.set(ref.hashes[from]!, at)
        at += 32
      }
      hashes.push(sha256(message.subarray(0, at)))
      depths.push(depth)
    }
    if (depths[level]! > MAX_DEPTH) fail(`a cell ${depths[level]} deep, the limit is ${MAX_DEPTH}`)
  }
  return { data, bits, refs, type, mask, hashes, depths }
}

/** An ordinary cell of bits, given as a text of 0 and 1. */
export const cellOf = (bits: string, refs: readonly Cell[]): Cell => {
  must(bits.length <= 1023, `a cell of ${bits.length} bits`)
  const whole = bits.length % 8 ? `${bits}1`.padEnd((bits.length >> 3) * 8 + 8, '0') : bits
  return makeCell(
    Uint8Array.from(whole.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2)),
    bits.length,
    refs,
  )
}
