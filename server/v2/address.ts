import { fitsFriendly, formatFriendly } from '../../shared/fields/address.ts'
import type { AccountId } from '../chain/ids.ts'
import type { StdAddress } from '../tlb/types.ts'
import { sameBytes } from './wire.ts'

export const sameAccount = (a: AccountId, b: AccountId): boolean => a.workchain === b.workchain && sameBytes(a.hash, b.hash)

/** MsgAddressInt, or none. */
type Address = StdAddress | { readonly type: 'var' } | undefined

/** The account an address names: only addr_std without anycast does (v2.md 2.4). */
export const accountOf = (address: Address): AccountId | undefined => (address?.type === 'std' ? address : undefined)

/** Bounceable url-safe form; "" for no address and for forms that have none. */
export const friendlyOrEmpty = (address: Address): string => {
  const id = accountOf(address)
  return id && fitsFriendly(id) ? formatFriendly(id) : ''
}
