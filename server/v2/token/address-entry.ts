import { formatFriendly } from '../../../shared/fields/address.ts'
import { beginCell } from '../../cell/builder.ts'
import { loadMaybeAddressInt, storeAddressInt } from '../../tlb/address.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'

/** The account in a slice or cell entry: `none` for addr_none, undefined for anything but an account address. Throws CellError. */
export const asAddress = (value: VmStackValue | undefined): AccountId | 'none' | undefined => {
  if (value?.type !== 'slice' && value?.type !== 'cell') return undefined
  const address = loadMaybeAddressInt(value.cell.slice())
  if (address === undefined) return 'none'
  return address.type === 'std' ? address : undefined
}

export const shown = (id: AccountId): string => formatFriendly(id)

export const addressArgument = (id: AccountId): VmStackValue => ({
  type: 'slice',
  cell: storeAddressInt(beginCell(), { type: 'std', workchain: id.workchain, hash: id.hash }).end(),
})
