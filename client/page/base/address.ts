import { base64Of, bytesOf, hexBytesOf, hexOf } from '../../bytes.ts'
import type { Fields } from './types.ts'

export interface Address {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly hash: Uint8Array
}

/** The shard id of an unsplit workchain. The masterchain is never split, so each of its blocks has this shard. */
export const WHOLE_SHARD = '8000000000000000'

/** The system account: source of messages that no account paid for, such as rewards and the coins of the faucet. */
export const SYSTEM = `-1:${'0'.repeat(64)}`

const RAW = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/
/** True for a raw address in the service's spelling. */
export const isRawAddress = (text: string): boolean => /^-?\d+:[0-9A-F]{64}$/.test(text)

/** The first of these members that is a raw address. */
export const addressIn = (of: Fields | undefined, names: readonly string[]): string | undefined =>
  names.map((name) => of?.[name]).find((value) => typeof value === 'string' && isRawAddress(value)) as string | undefined

/** The raw address in a decoded body (addr_std). Undefined for all other values: no contract of a protocol has an addr_var. */
export const decodedAddress = (value: unknown): string | undefined => {
  const { '@type': type, workchain_id, address } = (value ?? {}) as Fields
  if (type !== 'addr_std') return undefined
  return addressIn({ raw: `${workchain_id}:${address}`.toUpperCase() }, ['raw'])
}

const FRIENDLY = /^[A-Za-z0-9_/+-]{48}$/

const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return bytesOf(text)
  } catch {
    return undefined
  }
}

/** Parses a raw or a friendly address. Undefined for any other text, and if the checksum is wrong. */
export const parseAddress = (text: string): Address | undefined => {
  const raw = RAW.exec(text)
  if (raw) return { workchain: Number(raw[1]), hash: hexBytesOf(raw[2]!) }
  const bytes = FRIENDLY.test(text) ? fromBase64(text) : undefined
  if (bytes === undefined || crc16(bytes.subarray(0, 34)) !== (bytes[34]! << 8) + bytes[35]!) return undefined
  return (bytes[0]! & 0x3f) === 0x11 ? { workchain: (bytes[1]! << 24) >> 24, hash: bytes.slice(2, 34) } : undefined
}

/** True if the text is written as a non-bounceable friendly address. */
export const isNonBounceable = (text: string): boolean => FRIENDLY.test(text) && /^[U0]/.test(text)

/** The raw form that v3 uses: `0:ABCD...`, upper case. */
export const rawOf = ({ workchain, hash }: Address): string => `${workchain}:${hexOf(hash).toUpperCase()}`

export const friendlyOf = ({ workchain, hash }: Address, bounceable = true): string => {
  if (workchain < -128 || workchain > 127) return rawOf({ workchain, hash })
  const bytes = new Uint8Array(36)
  bytes[0] = bounceable ? 0x11 : 0x51
  bytes[1] = workchain & 0xff
  bytes.set(hash, 2)
  const crc = crc16(bytes.subarray(0, 34))
  bytes[34] = crc >> 8
  bytes[35] = crc & 0xff
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_')
}

/** Converts a hash from hex, base64 or base64url to lower-case hex; undefined for any other text. */
export const hashToHex = (text: string): string | undefined => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase()
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = fromBase64(text)
  return bytes?.length === 32 ? hexOf(bytes) : undefined
}
