import { crc32c } from '../../server/cell/boc/crc32c.ts'

/** A bag of cells written by hand: every field can lie. */
export interface RawBoc {
  readonly magic?: number
  /** Index, CRC, cache bits and the two unused flags, as the high five bits of a byte. */
  readonly flags?: number
  readonly refSize?: number
  readonly offsetSize?: number
  readonly cells?: number
  readonly roots?: number
  readonly absent?: number
  readonly dataSize?: number
  readonly rootList?: readonly number[]
  readonly index?: readonly number[]
  /** Cell records. */
  readonly records: readonly (readonly number[])[]
  /** Bytes behind the cells, instead of a right CRC where the flags ask for one. */
  readonly tail?: readonly number[]
}

const uint = (value: number, size: number): number[] => {
  const out: number[] = []
  for (let i = size - 1; i >= 0; i--) out.push(Math.floor(value / 256 ** i) % 256)
  return out
}

export const GENERIC = 0xb5ee9c72
export const INDEXED = 0x68ff65f3
export const INDEXED_CRC = 0xacc3a728
export const HAS_INDEX = 128
export const HAS_CRC = 64
export const HAS_CACHE_BITS = 32

/** Bytes of a hand-written bag; what is not given is as it should be. */
export const rawBoc = (raw: RawBoc): Buffer => {
  const { magic = GENERIC, flags = 0, refSize = 1, offsetSize = 4, records, rootList = [0] } = raw
  const size = records.reduce((sum, record) => sum + record.length, 0)
  const body = Buffer.from([
    ...uint(magic, 4),
    flags | refSize,
    offsetSize,
    ...uint(raw.cells ?? records.length, refSize),
    ...uint(raw.roots ?? rootList.length, refSize),
    ...uint(raw.absent ?? 0, refSize),
    ...uint(raw.dataSize ?? size, offsetSize),
    ...(magic === GENERIC ? rootList.flatMap((row) => uint(row, refSize)) : []),
    ...(raw.index ?? []).flatMap((end) => uint(end, offsetSize)),
  ])
  const bytes = Buffer.concat([body, ...records.map((record) => Buffer.from(record))])
  if (raw.tail !== undefined) return Buffer.concat([bytes, Buffer.from(raw.tail)])
  if (!(flags & HAS_CRC) && magic !== INDEXED_CRC) return bytes
  const crc = Buffer.alloc(4)
  crc.writeUInt32LE(crc32c(bytes))
  return Buffer.concat([bytes, crc])
}

/** A record: d1, d2, data, references. */
export const record = (d1: number, d2: number, data: readonly number[] = [], refs: readonly number[] = [], refSize = 1): number[] => [
  d1,
  d2,
  ...data,
  ...refs.flatMap((ref) => uint(ref, refSize)),
]

/** An empty cell. */
export const LEAF = record(0, 0)
