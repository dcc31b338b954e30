import type { Cell } from '../cell/cell.ts'
import { dictGet } from '../cell/dict.ts'
import type { AccountId } from '../tlb/ids.ts'

/**
 * Tells whether configuration parameter 44 suspends an account at a block's time.
 * suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList; the key is workchain:int32 address:bits256.
 */
export const isSuspended = (param44: Cell | undefined, id: AccountId, utime: number): boolean => {
  if (!param44) return false
  const s = param44.slice()
  if (s.loadUint(8) !== 0) return false
  const addresses = s.loadMaybeRef()
  if (utime >= s.loadUint(32)) return false
  const key = (BigInt(id.workchain >>> 0) << 256n) | BigInt(`0x${Buffer.from(id.hash).toString('hex')}`)
  return dictGet(addresses, 288, key) !== undefined
}
