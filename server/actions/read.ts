import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { loadAddressExt } from '../tlb/address.ts'
import { loadRawAddress as loadAddress } from '../tlb/raw-address.ts'

export { opcodeOf } from '../decode/bodies.ts'
export { loadRawAddress as loadAddress, skipAddress } from '../tlb/raw-address.ts'

/* Reads fields that many bodies share. */

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
