import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import { accountOf } from '../tlb/address.ts'

/** A MsgAddressInt; undefined for no address. */
type Address = Parameters<typeof accountOf>[0]

/** Bounceable url-safe form of an address; "" for no address and for kinds of addresses that have no such form. */
export const friendlyOrEmpty = (address: Address): string => {
  const id = accountOf(address)
  return id && fitsFriendly(id) ? formatFriendly(id) : ''
}
