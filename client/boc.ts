import { sha256 } from './sha256.ts'

/** The parts of a cell that hashing needs. `hashes[l]` and `depths[l]` belong to level l. Level 3 covers the whole cell. */
export interface HashedCell {
  /** Data bits as a string of 0 and 1. */
  readonly bits: string
  readonly refs: readonly HashedCell[]
  readonly mask: number
  readonly hashes: readonly Uint8Array[]
  readonly depths: readonly number[]
}

const PRUNED = 1
const MERKLE_PROOF = 3

const pack = (bits: string): number[] => {
  const whole = bits.length % 8 ? `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0') : bits
  return (whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
}

/**
 * Hashes and depths of a cell (whitepaper 3.1.5, 3.1.6). Each hash covers `d1 d2 data depths hashes`. Above the lowest level, `data` is the hash of the
 * level below.
 */
export const hashCell = (bits: string, refs: readonly HashedCell[], exotic = false): HashedCell => {
  const data = pack(bits)
  const type = exotic ? data[0]! : 0
  const merkle = type >= MERKLE_PROOF ? 1 : 0
  const masks = refs.reduce((all, ref) => all | ref.mask, 0)
  const mask = type === PRUNED ? data[1]! : exotic && !merkle ? 0 : masks >> merkle
  const hashes: Uint8Array[] = []
  const depths: number[] = []
  const stored = [1, 2, 4].filter((bit) => mask & bit).length
  let taken = 0
  for (let level = 0; level < 4; level++) {
    if (level > 0 && !(mask & (1 << (level - 1)))) {
      hashes.push(hashes[level - 1]!)
      depths.push(depths[level - 1]!)
    } else if (type === PRUNED && taken < stored) {
      hashes.push(Uint8Array.from(data.slice(2 + taken * 32, 34 + taken * 32)))
      const at = 2 + stored * 32 + taken * 2
      depths.push(data[at]! * 256 + data[at + 1]!)
      taken++
    } else {
      const below = type === PRUNED ? undefined : hashes[level - 1]
      const at = Math.min(3, level + merkle)
      const d1 = refs.length + (exotic ? 8 : 0) + 32 * (mask & ((1 << level) - 1))
      const parts = refs.flatMap((ref) => [ref.depths[at]! >> 8, ref.depths[at]! & 255])
      const bytes = [d1, (bits.length >> 3) + Math.ceil(bits.length / 8), ...(below ?? data), ...parts]
      hashes.push(sha256(Uint8Array.from([...bytes, ...refs.flatMap((ref) => [...ref.hashes[at]!])])))
      depths.push(refs.reduce((most, ref) => Math.max(most, ref.depths[at]! + 1), 0))
    }
  }
  return { bits, refs, mask, hashes, depths }
}

/** The first root of a bag of cells. Throws TypeError if the bytes are not a bag of cells. */
export const parseBoc = (bytes: Uint8Array): HashedCell => {
  let at = 0
  const skip = (length: number): void => {
    at += length
    if (!(length >= 0 && at <= bytes.length)) throw new TypeError('boc: cut off')
  }
  const take = (length: number): number => {
    skip(length)
    return bytes.subarray(at - length, at).reduce((value, byte) => value * 256 + byte, 0)
  }
  if (take(4) !== 0xb5ee9c72) throw new TypeError('boc: not a bag of cells')
  const flags = take(1)
  const size = flags & 7
  const width = take(1)
  const count = take(size)
  const roots = take(size)
  skip(size + width)
  const root = take(size)
  skip(size * (roots - 1))
  if (flags & 128) skip(width * count)
  const raw = []
  for (let i = 0; i < count; i++) {
    const d1 = take(1)
    const d2 = take(1)
    if (d1 & 16) skip(34 * (1 + [32, 64, 128].filter((bit) => d1 & bit).length))
    let bits = ''
    for (let n = (d2 + 1) >> 1; n > 0; n--) bits += take(1).toString(2).padStart(8, '0')
    if (d2 & 1) bits = bits.slice(0, bits.lastIndexOf('1'))
    raw.push({ bits, exotic: (d1 & 8) > 0, refs: Array.from({ length: d1 & 7 }, () => take(size)) })
  }
  const cells: HashedCell[] = []
  for (let i = count - 1; i >= 0; i--) {
    const { bits, refs, exotic } = raw[i]!
    if (refs.some((ref) => ref <= i || ref >= count)) throw new TypeError('boc: a reference backwards')
    cells[i] = hashCell(
      bits,
      refs.map((ref) => cells[ref]!),
      exotic,
    )
  }
  if (!cells[root]) throw new TypeError('boc: no root')
  return cells[root]
}
