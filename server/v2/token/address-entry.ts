import { formatFriendly } from '../../../shared/fields/address.ts'
import { loadMaybeAddressInt } from '../../tlb/address.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

/** The account in a slice or cell entry: `none` for addr_none, undefined for anything but an account address. Throws CellError. */
export const addressOrNone = (value: VmStackValue | undefined): AccountId | 'none' | undefined => {
  if (value?.type !== 'slice' && value?.type !== 'cell') return undefined
  const address = loadMaybeAddressInt(value.cell.slice())
  if (address === undefined) return 'none'
  return address.type === 'std' ? address : undefined
}

/** Like `addressOrNone`; undefined for addr_none too. */
export const account = (value: VmStackValue | undefined): AccountId | undefined => {
  const address = addressOrNone(value)
  return address === 'none' ? undefined : address
}

export const shown = (id: AccountId): string => formatFriendly(id)
