import { fitsFriendly, friendlyTag } from '../../shared/fields/address.ts'
import { crc16 } from '../../shared/fields/crc16.ts'
import type { AccountId } from '../tlb/ids.ts'

/* Keys of rows. They are bytea, because every database engine orders and distributes bytea in the same way. */

/** Key of an account in 36 bytes: workchain (int32, big-endian, two's complement) and account id. */
export const accountKey = (workchain: number, hash: Uint8Array): Buffer => {
  const key = Buffer.allocUnsafe(36)
  key.writeInt32BE(workchain, 0)
  key.set(hash, 4)
  return key
}

/** Converts bytes to a Map key, with one character per byte. */
export const nameOf = (bytes: Buffer): string => bytes.toString('latin1')

export const distinct = (keys: Iterable<Buffer | null>): Buffer[] => {
  const found = new Map<string, Buffer>()
  for (const key of keys) if (key) found.set(nameOf(key), key)
  return [...found.values()]
}

const HASH_BYTES = 32

export const splitHashes = (all: Buffer): Buffer[] =>
  Array.from({ length: all.length / HASH_BYTES }, (_, i) => all.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))

export const rawOfKey = (key: Buffer): string => `${key.readInt32BE(0)}:${key.toString('hex', 4).toUpperCase()}`

const friendly = Buffer.alloc(36)

/** Url-safe friendly address of a key; null if the workchain does not fit. The result is that of formatFriendly, in a third of the time. */
export const friendlyOfKey = (key: Buffer, bounceable: boolean, testOnly: boolean): string | null => {
  const workchain = key.readInt32BE(0)
  if (!fitsFriendly({ workchain })) return null
  friendly[0] = friendlyTag(bounceable, testOnly)
  friendly[1] = workchain
  key.copy(friendly, 2, 4)
  friendly.writeUInt16BE(crc16(friendly, 34), 34)
  return friendly.toString('base64url')
}

export const accountOfKey = (key: Uint8Array): AccountId => ({
  workchain: Buffer.from(key.buffer, key.byteOffset, 4).readInt32BE(0),
  hash: key.subarray(4),
})

/** Key of a shard in 12 bytes: workchain (int32) and shard prefix (uint64), big-endian. */
export const shardKey = (workchain: number, shard: bigint): Buffer => {
  const key = Buffer.allocUnsafe(12)
  key.writeInt32BE(workchain, 0)
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4)
  return key
}

export const MASTER_KEY = shardKey(-1, 1n << 63n)

export const keyOfRaw = (raw: string): Buffer => {
  const colon = raw.indexOf(':')
  return accountKey(Number(raw.slice(0, colon)), Buffer.from(raw.slice(colon + 1), 'hex'))
}
