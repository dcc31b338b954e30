import { base64Of, bytesOf, hexBytesOf, hexOf } from '../bytes.ts'
import { must } from './error.ts'

/** A block of the masterchain, as configurations of networks have it: hashes in base64 (or hex). Seqno 0 is the zerostate. */
export interface TrustedBlock {
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
}

export interface BlockId {
  readonly workchain: number
  /** The prefix with its terminating bit, unsigned. */
  readonly shard: bigint
  readonly seqno: number
  /** Root hash and file hash in lower-case hex. */
  readonly root: string
  readonly file: string
}

export interface AccountId {
  readonly workchain: number
  /** Lower-case hex. */
  readonly hash: string
}

export const MASTERCHAIN = -1
export const WHOLE_SHARD = 0x8000_0000_0000_0000n

/** Members of an object of an answer, none of them checked. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the value as an object. Throws VerifyError for any other value. */
export const membersOf = (value: unknown): Members => {
  must(typeof value === 'object' && value !== null && !Array.isArray(value), 'not an object')
  return value as Members
}

/** Returns the value as a list. Throws VerifyError for any other value. */
export const itemsOf = (value: unknown): readonly unknown[] => {
  must(Array.isArray(value), 'not a list')
  return value
}

/** Converts a hash of 32 bytes from base64 or hex to lower-case hex. */
export const hashOf = (value: unknown): string => {
  must(typeof value === 'string', 'a hash that is not a text')
  if (/^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  const bytes = bytesOf(value)
  must(bytes.length === 32, `a hash of ${bytes.length} bytes`)
  return hexOf(bytes)
}

export const base64OfHex = (hex: string): string => base64Of(hexBytesOf(hex))

const isInt32 = (value: unknown): value is number => typeof value === 'number' && (value | 0) === value
const isUint32 = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32

/** Converts a TrustedBlock to a block id. */
export const masterBlock = (value: unknown): BlockId => {
  const { seqno, root_hash, file_hash } = membersOf(value)
  must(isUint32(seqno), 'a block without a seqno')
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, root: hashOf(root_hash), file: hashOf(file_hash) }
}

/** Reads a block id of an answer. Its shard has 16 hex digits. */
export const blockId = (value: unknown): BlockId => {
  const { workchain, shard } = membersOf(value)
  must(isInt32(workchain), 'a block without a workchain')
  must(typeof shard === 'string' && /^[0-9a-f]{16}$/i.test(shard), 'a shard that is not of 16 hex digits')
  return { ...masterBlock(value), workchain, shard: BigInt(`0x${shard}`) }
}

/** Reads a block id of an answer. Throws VerifyError for a shard block. */
export const masterBlockId = (value: unknown): BlockId => {
  const id = blockId(value)
  must(id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD, () => `${blockText(id)} is not a block of the masterchain`)
  return id
}

export const trustedBlock = ({ seqno, root, file }: BlockId): TrustedBlock => ({
  seqno,
  root_hash: base64OfHex(root),
  file_hash: base64OfHex(file),
})

export const sameBlock = (a: BlockId, b: BlockId): boolean =>
  a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno && a.root === b.root && a.file === b.file

export const shardText = (shard: bigint): string => shard.toString(16).toUpperCase().padStart(16, '0')

export const blockText = ({ workchain, shard, seqno, root }: BlockId): string =>
  `(${workchain},${shardText(shard)},${seqno}) ${root.slice(0, 8)}`

const lowBit = (shard: bigint): bigint => shard & -shard

/** The two halves of a shard, left first. */
export const halvesOf = (shard: bigint): readonly [bigint, bigint] => [shard - (lowBit(shard) >> 1n), shard + (lowBit(shard) >> 1n)]

/** The shard of which `shard` is one half. Throws VerifyError for a whole workchain. */
export const parentOf = (shard: bigint): bigint => {
  must(shard !== WHOLE_SHARD, 'a whole workchain is not a half of a shard')
  return (shard - lowBit(shard)) | (lowBit(shard) << 1n)
}

/** Whether an account lies in the shard of a block. */
export const holds = ({ workchain, shard }: BlockId, account: AccountId): boolean =>
  workchain === account.workchain &&
  ((BigInt(`0x${account.hash.slice(0, 16)}`) ^ shard) & -(lowBit(shard) << 1n) & ((1n << 64n) - 1n)) === 0n

/** Raw form in upper case, as v3 writes it. */
export const rawOf = ({ workchain, hash }: AccountId): string => `${workchain}:${hash.toUpperCase()}`

/** Reads the shard of a request: 16 hex digits, or a number. */
export const shardOf = (value: unknown): bigint => {
  const text = String(value)
  return BigInt.asUintN(64, BigInt(/^[0-9a-f]{16}$/i.test(text) ? `0x${text}` : text))
}

/** Reads a raw or friendly address. */
export const accountOf = (value: unknown): AccountId => {
  must(typeof value === 'string', 'an address that is not a text')
  const [, workchain, hash] = /^(-?\d+):([0-9a-f]{64})$/i.exec(value) ?? []
  if (hash !== undefined) {
    must(isInt32(Number(workchain)), `there is no workchain ${workchain}`)
    return { workchain: Number(workchain), hash: hash.toLowerCase() }
  }
  const bytes = bytesOf(value)
  must(bytes.length === 36, `${value} is not an address`)
  return { workchain: (bytes[1]! << 24) >> 24, hash: hexOf(bytes.subarray(2, 34)) }
}
