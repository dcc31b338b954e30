import { CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { loadAddressExt, loadMaybeAddressInt } from './address.ts'

/* Raw addresses: texts in upper case such as `0:ABCD...`. */

const pairs = new ArrayBuffer(2 * 256)
Buffer.from(pairs).write(Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''), 'latin1')
/** The two hex digits of each byte value, in the byte order of memory. */
const PAIRS = new Uint16Array(pairs)

/** Buffer in which raw addresses are written. One conversion to a string is faster than joining several parts. */
const text = new ArrayBuffer(2 + 64)
const basic = Buffer.from(text)
basic.write('0:', 'latin1')
const digits = new Uint16Array(text, 2)
const END = basic.length

export const rawAddress = (workchain: number, hash: Uint8Array): string => {
  for (let i = 0; i < 32; i++) digits[i] = PAIRS[hash[i]!]!
  return workchain === 0 ? basic.toString('latin1', 0, END) : `${workchain}:${basic.toString('latin1', 2, END)}`
}

export const rawAddressOf = (workchain: number, id: bigint): string => `${workchain}:${id.toString(16).toUpperCase().padStart(64, '0')}`

const scratch = new Uint8Array(32)

/** Tag and workchain of addr_std$10 without anycast. */
const STD_BITS = 2 + 1 + 8
const STD = 0b100

/**
 * Reads a MsgAddress as a raw address; null for addr_none and for addresses without a raw form (addr_extern, addr_var of another length). Anycast is ignored,
 * as in TON Center.
 */
export const loadRawAddress = (s: Slice): string | null => {
  // Fast path: nearly all addresses have this form.
  if (s.remainingBits >= STD_BITS + 256 && s.preloadUint(3) === STD) {
    const workchain = s.skip(3).loadInt(8)
    s.copyTo(scratch, 256)
    s.skip(256)
    return rawAddress(workchain, scratch)
  }
  if (s.preloadUint(2) === 1) {
    loadAddressExt(s)
    return null
  }
  const address = loadMaybeAddressInt(s)
  if (address?.type === 'std') return rawAddress(address.workchain, address.hash)
  return address !== undefined && address.bits === 256 ? rawAddress(address.workchain, address.data) : null
}

/** Reads a MsgAddressInt as a raw address. Throws CellError for addr_none and addr_extern. */
export const loadRawAddressInt = (s: Slice): string | null => {
  if (s.preloadUint(2) < 2) throw new CellError('range', 'an address that is not the address of an account')
  return loadRawAddress(s)
}
