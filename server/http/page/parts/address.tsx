import { isRawAddress, parseAddress, rawOf } from '../base/address.ts'
import { shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import type { Names } from '../base/types.ts'
import { friendly, useCalled } from './called.ts'
import { Copyable } from './copy.tsx'

/* Accounts: one spelling for each on the whole page, and a name where it has one. */

/** Interfaces that people call by another name than the wire. */
const KINDS: Readonly<Record<string, string>> = {
  dns: 'DNS resolver',
  jetton_master: 'jetton',
  teleitem: 'Telegram name',
  multisig_v2: 'multisig',
  wallet_vesting: 'vesting wallet',
  multisig_order_v2: 'multisig order',
}

/** An interface in words: `wallet_v4r2` as `wallet v4r2`, `jetton_master` as `jetton`. */
export const interfaceText = (name: string): string =>
  KINDS[name] ??
  name
    .replace(/getgems_(v\d+)$/, '(Getgems $1)')
    .replaceAll('_', ' ')
    .replace(/\b(nft|dns)\b/g, (word) => word.toUpperCase())

/** Interfaces that say more of an account than others do. */
const TELLING: readonly RegExp[] = [/^wallet_/, /^teleitem$/, /^nft_(item|collection)$/]

const rankOf = (name: string): number => {
  const rank = TELLING.findIndex((each) => each.test(name))
  return rank < 0 ? TELLING.length : rank
}

/** The kind of an account, from its interfaces: `wallet v4r2`, `jetton`, `domain`. */
export const kindOf = (interfaces: readonly string[] | null | undefined): string => {
  const [first] = [...(interfaces ?? [])].sort((a, b) => rankOf(a) - rankOf(b))
  // An NFT that resolves itself is a name of TON DNS.
  if (first === 'nft_item' && interfaces?.includes('dns')) return 'domain'
  return first === undefined ? '' : interfaceText(first)
}

/** The account that sends what nobody paid for: rewards, and the coins of the faucet. */
const SYSTEM = `-1:${'0'.repeat(64)}`

interface AddressProps {
  /** Raw or friendly; null where there is none. */
  readonly of: string | null | undefined
  readonly names?: Names | undefined
  /** The account of the view: it is not a link. */
  readonly self?: string | undefined
  readonly full?: boolean
}

/** An account as a link, by its name where it has one. */
const Named = ({ of, raw, names, self, full = false }: AddressProps & { readonly of: string; readonly raw: string }) => {
  const { name, isItem, isShared, role, row } = useCalled(raw, names)
  // A friendly address that is not in the address book keeps its form.
  const text = row?.user_friendly ?? friendly(of)
  const called = name ?? (raw === SYSTEM && !full ? 'System' : undefined)
  const shown =
    called === undefined ? (
      <span class={full ? 'mono wrap' : 'mono'}>{full ? text : shortened(text, 6, 6)}</span>
    ) : (
      <span>
        {called}
        {isItem && ' (NFT)'}
        {isShared && !full && <span class="mono tell"> {shortened(text, 6, 6)}</span>}
      </span>
    )
  const title = name === undefined ? text : `${name} ${text}`
  const link =
    self === raw ? (
      <span title={title}>{shown}</span>
    ) : (
      <a href={hrefOf('account', text)} title={title}>
        {shown}
      </a>
    )
  return full ? (
    <Copyable class="address full" text={text} what="Copy the address">
      {link}
    </Copyable>
  ) : (
    <span class={isShared || role ? 'address long' : 'address'}>{link}</span>
  )
}

/** The same for an account that may be absent. */
export const Account = ({ of, ...props }: AddressProps) => {
  if (!of) return <span class="dim">nobody</span>
  const parsed = isRawAddress(of) ? undefined : parseAddress(of)
  const raw = parsed === undefined ? of : rawOf(parsed)
  return <Named key={raw} of={of} raw={raw} {...props} />
}

/** Accounts, one in each line. */
export const AccountList = ({ of, names }: { readonly of: readonly string[] | null; readonly names: Names }) =>
  of === null || of.length === 0 ? (
    <span class="dim">nobody</span>
  ) : (
    <ul class="plain-list">
      {of.map((address, i) => (
        <li key={i}>
          <Account of={address} names={names} />
        </li>
      ))}
    </ul>
  )
