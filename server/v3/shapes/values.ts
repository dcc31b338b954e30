import { byteText } from '../../base/memory/byte-text.ts'
import { rawOfKey } from '../../store/row-keys.ts'

export const base64 = (bytes: Uint8Array): string => (Buffer.isBuffer(bytes) ? bytes.toString('base64') : byteText(bytes, 'base64'))
export const maybeNumber = (text: string | null): number | null => (text === null ? null : Number(text))
export const maybeBase64 = (bytes: Uint8Array | null | undefined): string | null => (bytes ? base64(bytes) : null)

/** Upper-case hex: v3's form of validator keys and ADNL addresses. */
export const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase()
export const maybeHex = (bytes: Buffer | null): string | null => bytes && hex(bytes)

/** The raw address of an account key, in upper case. */
export const address = rawOfKey
export const maybeAddress = (key: Buffer | null): string | null => (key ? address(key) : null)

/** The shard of a signed column as 16 upper-case hex digits. */
export const shardHex = (shard: string): string => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase().padStart(16, '0')

export const blockRef = (workchain: number, shard: string, seqno: number) => ({ workchain, shard: shardHex(shard), seqno })

export const txRef = (row: { readonly hash: Buffer; readonly lt: string; readonly utime: string }) => ({
  tx_hash: base64(row.hash),
  tx_lt: row.lt,
  utime: Number(row.utime),
})

/** Extra currencies; an empty object if there are none. */
export const extra = (amounts: Record<string, string> | null): Record<string, string> => amounts ?? {}

/** A member that is omitted if it is null: JSON.stringify omits members that are undefined. */
export const optional = <T>(value: T): NonNullable<T> | undefined => value ?? undefined
