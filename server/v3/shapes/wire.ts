import { rawOfKey } from '../../store/keys.ts'

/* Values of columns as v3 writes them (v3.md 1.6). */

export const base64 = (bytes: Buffer): string => bytes.toString('base64')
export const maybeBase64 = (bytes: Buffer | null | undefined): string | null => (bytes ? base64(bytes) : null)

/** Raw address in upper case. */
export const address = rawOfKey
export const maybeAddress = (key: Buffer | null): string | null => (key ? address(key) : null)

/** 16 upper-case hex digits of a shard's signed column. */
export const shardHex = (shard: string): string => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase().padStart(16, '0')

export const blockRef = (workchain: number, shard: string, seqno: number) => ({ workchain, shard: shardHex(shard), seqno })

/** Extra currencies; {} if there are none. */
export const extra = (amounts: Record<string, string> | null): Record<string, string> => amounts ?? {}

/** The same object without members that are null or undefined. */
export const present = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
