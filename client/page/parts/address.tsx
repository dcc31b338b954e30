import { isRawAddress, parseAddress, rawOf, SYSTEM } from '../base/address.ts'
import { shortened } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import type { Names } from '../base/types.ts'
import { friendly, type Role, useCalled } from './called.ts'
import { Copyable } from './copy.tsx'
import { Warnings } from './warnings.tsx'

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

/** An interface in words: `wallet_v4r2` as `wallet v4R2`, `jetton_master` as `jetton`. */
const interfaceText = (name: string): string =>
  KINDS[name] ??
  name
    .replace(/getgems_(v\d+)$/, '(Getgems $1)')
    .replace(/^(wallet_v\d+)r(\d+)$/, '$1R$2')
    .replaceAll('_', ' ')
    .replace(/\b(nft|dns)\b/g, (word) => word.toUpperCase())

/** Interfaces that say more of an account than others do. */
const TELLING: readonly RegExp[] = [/^wallet_/, /^teleitem$/, /^nft_(item|collection)$/]

const rankOf = (name: string): number => {
  const rank = TELLING.findIndex((each) => each.test(name))
  return rank < 0 ? TELLING.length : rank
}

/** The kind of an account, from its interfaces: `wallet v4R2`, `jetton`, `domain`. */
export const kindOf = (interfaces: readonly string[] | null | undefined): string => {
  const [first] = [...(interfaces ?? [])].sort((a, b) => rankOf(a) - rankOf(b))
  // An NFT that resolves itself is a name of TON DNS.
  if (first === 'nft_item' && interfaces?.includes('dns')) return 'domain'
  return first === undefined ? '' : interfaceText(first)
}

/** All kinds of an account. That of the heading comes first. */
export const kindsOf = (interfaces: readonly string[]): readonly string[] => [
  ...new Set([kindOf(interfaces), ...interfaces.map(interfaceText)]),
]

interface AddressProps {
  /** Raw or friendly; null where there is none. */
  readonly of: string | null | undefined
  readonly names?: Names | undefined
  /** The account of the view: it is not a link. */
  readonly self?: string | undefined
  readonly full?: boolean
  /** What it is called in the view, if it has no name: `order 0`. */
  readonly called?: string
  /** Its address stands beside its name. */
  readonly withAddress?: boolean
}

/** Characters of a name or of an address in short that stand in one line. */
const ONE_LINE = 20

/** Whose something is. An address in short does not break at its middle. */
const Owner = ({ of }: { readonly of: string }) => <span class={of.length > ONE_LINE ? '' : 'one-line'}>{of}</span>

/** A jetton wallet by its owner and by the minter of its jetton: others can call their units the same. */
const JettonWallet = ({ of: { jetton, of }, names }: { readonly of: Role; readonly names: Names | undefined }) => (
  <>
    {jetton!.ticker} <span class="mono tell">{shortened(friendly(jetton!.minter, names), 6, 6)}</span> wallet of <Owner of={of} />
  </>
)

/** An account as a link, by its name where it has one. */
const Named = ({
  of,
  raw,
  names,
  self,
  full = false,
  called: inView,
  withAddress = false,
}: AddressProps & { readonly of: string; readonly raw: string }) => {
  const { label, isShared, role, row, warnings } = useCalled(raw, names)
  // A friendly address that is not in the address book keeps its form.
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
          <JettonWallet of={role} names={names} />
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
