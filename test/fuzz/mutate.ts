import { crc32c } from '../../server/cell/boc/crc32c.ts'
import type { Random } from '../kit/random.ts'

/** Where the parts of a valid bag lie, so that mutations can aim. */
export interface Layout {
  readonly refSize: number
  readonly offsetSize: number
  readonly cells: number
  /** First byte of each cell record. */
  readonly records: readonly number[]
  /** First byte of each reference. */
  readonly refs: readonly number[]
  readonly crc: boolean
}

const POPCOUNT = [0, 1, 1, 2, 1, 2, 2, 3]

/** Scans a bag that is known to be good. */
export const layoutOf = (bytes: Buffer): Layout => {
  const generic = bytes.readUInt32BE(0) === 0xb5ee9c72
  const refSize = bytes[4]! & 7
  const offsetSize = bytes[5]!
  const cells = bytes.readUIntBE(6, refSize)
  const roots = bytes.readUIntBE(6 + refSize, refSize)
  const index = generic ? bytes[4]! >= 128 : true
  let at = 6 + 3 * refSize + offsetSize + (generic ? roots * refSize : 0) + (index ? cells * offsetSize : 0)
  const records: number[] = []
  const refs: number[] = []
  for (let i = 0; i < cells; i++) {
    records.push(at)
    const d1 = bytes[at]!
    const d2 = bytes[at + 1]!
    at += 2 + (d1 & 16 ? 34 * (POPCOUNT[d1 >> 5]! + 1) : 0) + ((d2 + 1) >> 1)
    for (let j = 0; j < (d1 & 7); j++, at += refSize) refs.push(at)
  }
  return { refSize, offsetSize, cells, records, refs, crc: generic ? (bytes[4]! & 64) !== 0 : bytes.readUInt32BE(0) === 0xacc3a728 }
}

/** A good bag to start from. */
export interface Seed {
  readonly name: string
  readonly bytes: Buffer
  readonly layout: Layout
}

const INTERESTING = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 129, 240, 254, 255]

type Mutation = (bytes: Buffer, seed: Seed, seeds: readonly Seed[], random: Random) => Buffer

const flipBit: Mutation = (bytes, _seed, _seeds, random) => {
  bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
  return bytes
}
const setByte: Mutation = (bytes, _seed, _seeds, random) => {
  bytes[random.below(bytes.length)] = random.chance(0.5) ? random.pick(INTERESTING) : random.below(256)
  return bytes
}
const header: Mutation = (bytes, { layout }, _seeds, random) => {
  const size = 6 + 3 * layout.refSize + layout.offsetSize + 2
  const at = random.below(Math.min(size, bytes.length))
  if (random.chance(0.5)) bytes[at] = random.pick(INTERESTING)
  else bytes[at] = bytes[at]! + random.pick([-1, 1, 2, -2])
  return bytes
}
const reference: Mutation = (bytes, { layout }, _seeds, random) => {
  if (layout.refs.length === 0) return flipBit(bytes, { layout } as Seed, [], random)
  const at = random.pick(layout.refs)
  const value = random.pick([
    0,
    layout.cells - 1,
    layout.cells,
    random.below(layout.cells),
    random.below(2 ** (8 * Math.min(layout.refSize, 3))),
  ])
  if (at + layout.refSize <= bytes.length) bytes.writeUIntBE(value % 2 ** (8 * layout.refSize), at, layout.refSize)
  return bytes
}
const descriptor: Mutation = (bytes, { layout }, _seeds, random) => {
  const at = random.pick(layout.records) + random.below(2)
  if (at >= bytes.length) return bytes
  if (random.chance(0.5)) bytes[at]! ^= 1 << random.below(8)
  else bytes[at] = random.below(256)
  return bytes
}
/** The type byte, the level mask or a stored hash or depth of an exotic cell (or some data byte of an ordinary one). */
const exotic: Mutation = (bytes, { layout }, _seeds, random) => {
  const at = random.pick(layout.records)
  if (at + 3 >= bytes.length) return bytes
  if (random.chance(0.3)) bytes[at]! ^= 8
  const to = at + 2 + random.below(4)
  if (to < bytes.length) bytes[to] = random.pick([0, 1, 2, 3, 4, 5, 7, 8, 255])
  return bytes
}
const truncate: Mutation = (bytes, _seed, _seeds, random) => bytes.subarray(0, random.below(bytes.length))
const extend: Mutation = (bytes, _seed, _seeds, random) =>
  Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + random.below(20) }, () => random.below(256)))])
const cut: Mutation = (bytes, _seed, _seeds, random) => {
  const from = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.min(bytes.length, from + 1 + random.below(16)))])
}
const repeat: Mutation = (bytes, _seed, _seeds, random) => {
  const from = random.below(bytes.length)
  const piece = bytes.subarray(from, from + 1 + random.below(40))
  return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from)])
}
const splice: Mutation = (bytes, _seed, seeds, random) => {
  const other = random.pick(seeds).bytes
  return Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(random.below(other.length))]).subarray(0, 1 << 20)
}
/** Copies one cell record over another place. */
const transplant: Mutation = (bytes, { layout }, _seeds, random) => {
  const from = random.pick(layout.records)
  const to = random.pick(layout.records)
  if (from < bytes.length && to < bytes.length) bytes.copy(bytes, to, from, Math.min(bytes.length, from + 2 + random.below(70)))
  return bytes
}

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  flipBit,
  setByte,
  header,
  reference,
  reference,
  descriptor,
  descriptor,
  exotic,
  truncate,
  extend,
  cut,
  repeat,
  splice,
  transplant,
]

/** A mutant of one of the seeds: one to three mutations, then (mostly) a right CRC so that it gets past the first check. */
export const mutant = (seeds: readonly Seed[], random: Random): { readonly bytes: Buffer; readonly seed: Seed } => {
  const seed = random.pick(seeds)
  let bytes: Buffer = Buffer.from(seed.bytes)
  for (let i = 1 + random.below(3); i > 0 && bytes.length > 0; i--) bytes = random.pick(MUTATIONS)(bytes, seed, seeds, random)
  if (bytes.length >= 10 && seed.layout.crc && random.chance(0.8)) bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4)
  return { bytes, seed }
}
