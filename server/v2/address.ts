import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import { accountOf } from '../tlb/address.ts'

/** MsgAddressInt, or none. */
type Address = Parameters<typeof accountOf>[0]

/** Bounceable url-safe form; "" for no address and for address kinds that have no such form. */
export const friendlyOrEmpty = (address: Address): string => {
  const id = accountOf(address)
  return id && fitsFriendly(id) ? formatFriendly(id) : ''
}
