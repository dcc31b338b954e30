import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import { accountOf } from '../tlb/address.ts'

type Address = Parameters<typeof accountOf>[0]

/** Bounceable url-safe form of an address; "" for addr_none and for addresses that have no such form. */
export const friendlyOrEmpty = (address: Address): string => {
  const id = accountOf(address)
  return id && fitsFriendly(id) ? formatFriendly(id) : ''
}
