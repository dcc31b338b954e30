import { friendlyOf, isRawAddress, parseAddress, rawOf } from '../base/address.ts'
import { shortened, tame } from '../base/format.ts'
import { useBookRow } from '../base/lookups.ts'
import { hrefOf } from '../base/router.ts'
import { looksLikeAccount } from '../base/token.ts'
import type { Book, Names } from '../base/types.ts'
import { Copyable } from './copy.tsx'

/* Accounts: one spelling for each on the whole page, and a name where it has one. */

/** The friendly form of a raw address: from the address book if it is there, otherwise the bounceable form. */
export const friendly = (raw: string, names?: Names): string => {
  const known = names?.book[raw]?.user_friendly
  // A friendly address already says whether it bounces.
  const parsed = raw.includes(':') ? parseAddress(raw) : undefined
  return known ?? (parsed ? friendlyOf(parsed) : raw)
}

/**
 * The name of an account: its name in TON DNS, or the name of its token in quotes, because anybody can give a token any name. Names of tokens that look like
 * a name of TON DNS or an address are left out.
 */
export const calledOf = (raw: string, names: Names | undefined): string | undefined => {
  const domain = names?.book[raw]?.domain
  if (domain) return tame(domain, 40)
  const token = names?.metadata[raw]?.token_info.find((info) => info.name !== undefined || info.symbol !== undefined)
  const name = token === undefined || token.type === 'jetton_wallets' ? undefined : token.name || token.symbol
  return !name || looksLikeAccount(name) ? undefined : `“${tame(name, 40)}”`
}

const WALLET = /^wallet_/

/** Interfaces that people call by another name than the wire. */
const KINDS: Readonly<Record<string, string>> = {
  jetton_master: 'jetton',
  teleitem: 'Telegram name',
  multisig_v2: 'multisig',
  multisig_order_v2: 'multisig order',
}

/** An interface in words: `wallet_v4r2` as `wallet v4r2`, `jetton_master` as `jetton`. */
export const interfaceText = (name: string): string =>
  KINDS[name] ?? name.replaceAll('_', ' ').replace(/\b(nft|dns)\b/g, (word) => word.toUpperCase())

/** The kind of an account, from its interfaces: `wallet v4r2`, `jetton`. */
export const kindOf = (interfaces: readonly string[] | null | undefined): string => {
  const [first] = [...(interfaces ?? [])].sort((a, b) => Number(WALLET.test(b)) - Number(WALLET.test(a)))
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

interface ShownProps {
  readonly raw: string
  /** The friendly form. */
  readonly text: string
  readonly name: string | undefined
  readonly isSelf: boolean
  readonly full: boolean
}

const Shown = ({ raw, text, name, isSelf, full }: ShownProps) => {
  const isNamed = name !== undefined || (raw === SYSTEM && !full)
  const shown = isNamed ? (
    <span>{name ?? 'System'}</span>
  ) : (
    <span class={full ? 'mono wrap' : 'mono'}>{full ? text : shortened(text, 6, 6)}</span>
  )
  const title = name === undefined ? text : `${name} ${text}`
  const link = isSelf ? (
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
    <span class="address">{link}</span>
  )
}

/** An account that the answers of the view do not describe. */
const LookedUp = ({ of, raw, ...props }: Omit<ShownProps, 'text' | 'name'> & { readonly of: string }) => {
  const row: Book[string] | undefined = useBookRow(raw)
  return <Shown {...props} raw={raw} text={row?.user_friendly ?? friendly(of)} name={row?.domain ? tame(row.domain, 40) : undefined} />
}

/** An account as a link, by its name where it has one. */
export const Account = ({ of, names, self, full = false }: AddressProps) => {
  if (!of) return <span class="dim">nobody</span>
  const parsed = isRawAddress(of) ? undefined : parseAddress(of)
  const raw = parsed === undefined ? of : rawOf(parsed)
  const name = calledOf(raw, names)
  const props = { raw, isSelf: self === raw, full }
  const isDescribed = names?.book[raw] !== undefined
  if (isDescribed || name !== undefined || !isRawAddress(raw))
    return <Shown {...props} text={friendly(isDescribed ? raw : of, names)} name={name} />
  return <LookedUp key={raw} of={of} {...props} />
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
