import { type Shape, value } from '../../base/json/shape.ts'
import { rawOfKey } from '../../store/row-keys.ts'

export const base64 = (bytes: Buffer): string => bytes.toString('base64')
export const maybeBase64 = (bytes: Buffer | null | undefined): string | null => (bytes ? base64(bytes) : null)

/** The raw address of an account key, in upper case. */
export const address = rawOfKey
export const maybeAddress = (key: Buffer | null): string | null => (key ? address(key) : null)

/** The shard of a signed column as 16 upper-case hex digits. */
export const shardHex = (shard: string): string => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase().padStart(16, '0')

export const blockRef = (workchain: number, shard: string, seqno: number) => ({ workchain, shard: shardHex(shard), seqno })

/** Extra currencies; an empty object if there are none. */
export const extra = (amounts: Record<string, string> | null): Record<string, string> => amounts ?? {}

/** Drops members that are null or undefined. A loop, because large answers call this a hundred thousand times. */
export const withoutNulls = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } => {
  const present: { [K in keyof T]?: NonNullable<T[K]> } = {}
  for (const name in members) {
    const value = members[name]
    if (value !== null && value !== undefined) present[name] = value
  }
  return present
}

/** A shape: the raw address of an account key, in upper case. */
export const addressAt = <S>(get: (source: S) => Buffer): Shape<S, string> => maybeAddressAt(get) as Shape<S, string>
export const maybeAddressAt = <S>(get: (source: S) => Buffer | null): Shape<S, string | null> => value(get, address)

/** Extra currencies; an empty object if there are none. */
export const extraAt = <S>(get: (source: S) => Record<string, string> | null): Shape<S, Record<string, string>> => ({
  of: (source) => extra(get(source)),
})
