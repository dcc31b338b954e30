import type { AccountId } from '../tlb/ids.ts'

/* Keys of rows. They are bytea, which every database engine orders and distributes in the same way. */

/** 36 bytes: workchain (int32, big-endian, two's complement) and account id. */
export const accountKey = (workchain: number, hash: Uint8Array): Buffer => {
  const key = Buffer.allocUnsafe(36)
  key.writeInt32BE(workchain, 0)
  key.set(hash, 4)
  return key
}

/** Bytes as a key of a Map: one character for each byte. */
export const nameOf = (bytes: Buffer): string => bytes.toString('latin1')

/** Keys without those that are there already. */
export const distinct = (keys: readonly Buffer[]): Buffer[] => [...new Map(keys.map((key) => [nameOf(key), key])).values()]

/** Raw address of a key, in upper case. */
export const rawOfKey = (key: Buffer): string => `${key.readInt32BE(0)}:${key.toString('hex', 4).toUpperCase()}`

export const accountOfKey = (key: Uint8Array): AccountId => ({
  workchain: Buffer.from(key.buffer, key.byteOffset, 4).readInt32BE(0),
  hash: key.subarray(4),
})

/** 12 bytes: workchain (int32) and shard prefix (uint64), big-endian. */
export const shardKey = (workchain: number, shard: bigint): Buffer => {
  const key = Buffer.allocUnsafe(12)
  key.writeInt32BE(workchain, 0)
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 4)
  return key
}

/** `shardKey` of the masterchain, which is one shard. */
export const MASTER_KEY = shardKey(-1, 1n << 63n)

/** The key of a raw address that `rawOfKey` wrote. */
export const keyOfRaw = (raw: string): Buffer => {
  const colon = raw.indexOf(':')
  return accountKey(Number(raw.slice(0, colon)), Buffer.from(raw.slice(colon + 1), 'hex'))
}
