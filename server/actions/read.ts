import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { loadAddressExt, loadMaybeAddressInt } from '../tlb/address.ts'
import { rawAddress } from './answer-texts.ts'
import type { Address } from './trace.ts'

/* Reads fields that many bodies share. */

const scratch = new Uint8Array(32)

/** 256 bits of an address as text. The caller has checked that they are there. */
const loadRaw = (s: Slice, workchain: number): Address => {
  s.copyTo(scratch, 256)
  s.skip(256)
  return rawAddress(workchain, scratch)
}

/** Tag and workchain of addr_std$10 without anycast. */
const STD_BITS = 2 + 1 + 8
const STD = 0b100

/**
 * MsgAddress; null for addr_none and for addresses without a raw form (addr_extern, addr_var of another length). Anycast is ignored, as in TON
 * Center.
 */
export const loadAddress = (s: Slice): Address | null => {
  // Nearly all addresses have this form.
  if (s.remainingBits >= STD_BITS + 256 && s.preloadUint(3) === STD) return loadRaw(s, s.skip(3).loadInt(8))
  if (s.preloadUint(2) === 1) {
    loadAddressExt(s)
    return null
  }
  const address = loadMaybeAddressInt(s)
  if (address?.type === 'std') return rawAddress(address.workchain, address.hash)
  return address !== undefined && address.bits === 256 ? rawAddress(address.workchain, address.data) : null
}

/** Skips a MsgAddress. Throws what `loadAddress` throws. */
export const skipAddress = (s: Slice): void => {
  if (s.remainingBits >= STD_BITS + 256 && s.preloadUint(3) === STD) s.skip(STD_BITS + 256)
  else loadAddress(s)
}

/** Skips VarUInteger 16. */
export const skipCoins = (s: Slice): void => {
  s.skip(8 * s.loadUint(4))
}

/** MsgAddress as text. addr_extern is `<bits>;<hex>`, as in TON Center. */
export const loadAddressText = (s: Slice): string | null => {
  if (s.preloadUint(2) !== 1) return loadAddress(s)
  const address = loadAddressExt(s)!
  const value = BigInt(`0x0${Buffer.from(address.data).toString('hex')}`) >> BigInt((8 - (address.bits & 7)) & 7)
  return `${address.bits};${value.toString(16)}`
}

/** payload:(Either Cell ^Cell) at the end of a body; undefined if it is empty or absent. */
export const loadPayload = (s: Slice): Cell | undefined => {
  if (s.remainingBits === 0) return undefined
  const payload = s.loadBit() ? s.loadRef() : s.asCell()
  return payload.bits === 0 && payload.refCount === 0 ? undefined : payload
}

/** The first 32 bits of a cell; undefined if the cell is shorter or exotic. */
export const opcodeOf = (cell: Cell | undefined): number | undefined =>
  cell === undefined || cell.exotic || cell.bits < 32 ? undefined : cell.slice().loadUint(32)
