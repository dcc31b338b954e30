import { isRawAddress, parseAddress, rawOf, SYSTEM } from '../base/address.ts'
import { shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { friendly, type Role, useCalled } from './account-names.ts'
import { useNames } from './answer-names.tsx'
import { Copyable } from './copy.tsx'
import { Warnings } from './values.tsx'

/* Shows accounts: by name if they have one, otherwise by an address that is spelled the same on the whole page. */

const KINDS: Readonly<Record<string, string>> = {
  dns: 'DNS resolver',
  jetton_master: 'jetton',
  teleitem: 'Telegram name',
  multisig_v2: 'multisig',
  wallet_vesting: 'vesting wallet',
  multisig_order_v2: 'multisig order',
}

/** An interface in words: `wallet_v4r2` becomes `wallet v4R2`, `jetton_master` becomes `jetton`. */
const interfaceText = (name: string): string =>
  KINDS[name] ??
  name
    .replace(/getgems_(v\d+)$/, '(Getgems $1)')
    .replace(/^(wallet_v\d+)r(\d+)$/, '$1R$2')
    .replaceAll('_', ' ')
    .replace(/\b(nft|dns)\b/g, (word) => word.toUpperCase())

const TELLING: readonly RegExp[] = [/^wallet_/, /^teleitem$/, /^nft_(item|collection)$/]

const rankOf = (name: string): number => {
  const rank = TELLING.findIndex((each) => each.test(name))
  return rank < 0 ? TELLING.length : rank
}

/** The kind of an account, from its interfaces: `wallet v4R2`, `jetton`, `domain`. */
export const kindOf = (interfaces: readonly string[] | null | undefined): string => {
  const [first] = [...(interfaces ?? [])].sort((a, b) => rankOf(a) - rankOf(b))
  // An NFT that is also a DNS resolver is a TON DNS name.
  if (first === 'nft_item' && interfaces?.includes('dns')) return 'domain'
  return first === undefined ? '' : interfaceText(first)
}

/** All kinds of an account, starting with the kind in the heading. */
export const kindsOf = (interfaces: readonly string[]): readonly string[] => [
  ...new Set([kindOf(interfaces), ...interfaces.map(interfaceText)]),
]

interface AddressProps {
  /** Raw or friendly address; null if there is none. */
  readonly of: string | null | undefined
  /** The account of the view, which is shown without a link. */
  readonly self?: string | undefined
  readonly full?: boolean
  /** The text to show if the account has no name: `order 0`. */
  readonly called?: string
  /** Shows the address next to the name. */
  readonly withAddress?: boolean
}

/** A link to an account by its shortened address, also if it has a name. */
export const ShortAddress = ({ of, class: name = 'mono' }: { readonly of: string; readonly class?: string }) => {
  const address = friendly(of, useNames())
  return (
    <a class={name} href={hrefOf('account', address)} title={address}>
      {shortened(address)}
    </a>
  )
}

/** Maximum characters of a name or a shortened address that stay in one line. */
const ONE_LINE = 20

/** The owner in the name of a jetton wallet. A shortened address does not break in the middle. */
const Owner = ({ of }: { readonly of: string }) => <span class={of.length > ONE_LINE ? '' : 'one-line'}>{of}</span>

/** A jetton wallet with its owner and the minter of its jetton, because several jettons can have the same ticker. */
const JettonWallet = ({ of: { jetton, of } }: { readonly of: Role }) => (
  <>
    {jetton!.ticker} <span class="mono tell">{shortened(friendly(jetton!.minter, useNames()), 6, 6)}</span> wallet of <Owner of={of} />
  </>
)

interface NamedProps extends AddressProps {
  readonly of: string
  readonly raw: string
}

const Named = ({ of, raw, self, full = false, called: inView, withAddress = false }: NamedProps) => {
  const { label, isShared, role, row, warnings } = useCalled(raw)
  // A friendly address that is not in the address book is shown as given.
  const text = row?.user_friendly ?? friendly(of)
  const called = label ?? inView ?? (raw === SYSTEM && !full ? 'System' : undefined)
  const hasAddress = (isShared || withAddress) && !full
  const shown =
    called === undefined ? (
      <span class={full ? 'mono wrap' : 'mono'}>{full ? text : shortened(text, 6, 6)}</span>
    ) : (
      <span>
        {label === undefined || role === undefined ? (
          called
        ) : role.jetton?.showsMinter ? (
          <JettonWallet of={role} />
        ) : (
          <>
            {role.what} of <Owner of={role.of} />
          </>
        )}
        {hasAddress && <span class="mono tell"> {shortened(text, 6, 6)}</span>}
      </span>
    )
  const title = called === undefined ? text : `${called} ${text}`
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
      <Warnings of={warnings} />
    </Copyable>
  ) : (
    <span class={hasAddress || role ? 'address long' : 'address'}>
      {link}
      <Warnings of={warnings} />
    </span>
  )
}

export const Account = ({ of, ...props }: AddressProps) => {
  if (!of) return <span class="dim">nobody</span>
  const parsed = isRawAddress(of) ? undefined : parseAddress(of)
  const raw = parsed === undefined ? of : rawOf(parsed)
  return <Named key={raw} of={of} raw={raw} {...props} />
}

export const AccountList = ({ of }: { readonly of: readonly string[] | null }) =>
  of === null || of.length === 0 ? (
    <span class="dim">nobody</span>
  ) : (
    <ul class="plain-list">
      {of.map((address, i) => (
        <li key={i}>
          <Account of={address} />
        </li>
      ))}
    </ul>
  )
