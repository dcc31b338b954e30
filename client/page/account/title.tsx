import { friendlyOf, isNonBounceable, parseAddress } from '../base/address.ts'
import { humanised, shortened, tame } from '../base/format.ts'
import type { AccountState } from '../base/types.ts'
import { useMultisigText, useOrder } from '../base/value-lookups.ts'
import { tickerOf, useCalled } from '../parts/account-names.ts'
import { kindOf, ShortAddress } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Heading } from '../parts/layout.tsx'
import { Warnings } from '../parts/values.tsx'
import type { Answered } from './account.tsx'

/** The address for copying. Non-bounceable for an account without code, because a bounceable message would return its coins. */
export const shownAddress = (address: string, state: AccountState | undefined): string =>
  (state === undefined || state.status === 'uninit' || state.status === 'nonexist') && !isNonBounceable(address)
    ? otherForm(address)
    : address

export const otherForm = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : friendlyOf(parsed, isNonBounceable(address))
}

/** The title of a multisig or an order without a name: `Multisig 2 of 3`, `Order 0 of multisig 2 of 3`. Undefined for any other account. */
const useMultisigTitle = (raw: string, interfaces: readonly string[]): string | undefined => {
  const isMultisig = interfaces.includes('multisig_v2')
  const order = useOrder(interfaces.includes('multisig_order_v2') ? raw : undefined)
  const kind = useMultisigText(isMultisig ? raw : order?.multisig) ?? 'multisig'
  const { name } = useCalled(order?.multisig ?? '')
  if (order === undefined) return isMultisig ? humanised(kind) : undefined
  return `Order${order.seqno ? ` ${tame(order.seqno, 20)}` : ''} of ${name ?? kind}`
}

/** Name or shortened address, kind, and the full address below. `typed`: the address to show until the account's data is loaded. */
export const Title = ({ raw, typed, of }: { readonly raw: string; readonly typed: string; readonly of: Answered | undefined }) => {
  const names = useNames()
  // Lookups wait for `of`, because it contains most names.
  const { name, role, warnings } = useCalled(of === undefined ? '' : raw)
  const minter = role?.jetton?.minter
  const address = of === undefined ? typed : shownAddress(names.book[raw]?.user_friendly ?? typed, of.state)
  const ticker = name === undefined ? undefined : tickerOf(raw, names)
  const interfaces = of?.interfaces ?? []
  const multisigTitle = useMultisigTitle(raw, interfaces)
  const title = role && name ? name.charAt(0).toUpperCase() + name.slice(1) : ticker ? `${name} ${ticker}` : (name ?? multisigTitle)
  const short = shortened(address, 6, 6)
  return (
    <Heading title={title ?? short} tab={title ?? `Account ${short}`}>
      {/* The title of an unnamed multisig already contains its kind. */}
      {(name !== undefined || multisigTitle === undefined) && <span class="dim">{kindOf(interfaces) || 'account'}</span>}
      <Warnings of={warnings} />
      {/* By its address, because different jettons can have the same ticker. */}
      {minter && (
        <span class="dim">
          minter <ShortAddress of={minter} />
        </span>
      )}
      <Copyable class="address below" text={address} what="Copy the address">
        <span class="mono wrap">{address}</span>
      </Copyable>
    </Heading>
  )
}
