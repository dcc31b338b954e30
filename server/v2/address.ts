import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import { accountOf } from '../tlb/address.ts'
import type { AccountId } from '../tlb/ids.ts'
import { sameBytes } from './wire.ts'

export const sameAccount = (a: AccountId, b: AccountId): boolean => a.workchain === b.workchain && sameBytes(a.hash, b.hash)

/** MsgAddressInt, or none. */
type Address = Parameters<typeof accountOf>[0]

/** Bounceable url-safe form; "" for no address and for address kinds that have no such form. */
export const friendlyOrEmpty = (address: Address): string => {
  const id = accountOf(address)
  return id && fitsFriendly(id) ? formatFriendly(id) : ''
}
