import type { ComponentChildren } from 'preact'
import { friendlyOf, hashToHex, parseAddress, WHOLE_SHARD } from '../base/address.ts'
import { ago, exact, groups, humanised, moment, shortened, tame, unitsOf } from '../base/format.ts'
import { hrefOf } from '../base/router.ts'
import { createStore, useStore } from '../base/store.ts'
import { looksLikeAccount } from '../base/token.ts'
import type { Names } from '../base/types.ts'
import { Copy } from './copy.tsx'

/* Values of the chain in a readable form, each with its exact value in the title. */

/** Unix seconds, for all times on the page. */
const clock = createStore(Math.floor(Date.now() / 1000))
setInterval(() => clock.set(Math.floor(Date.now() / 1000)), 1_000)

const WALLET = /^wallet_/

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
const calledOf = (raw: string, names: Names | undefined): string | undefined => {
  const domain = names?.book[raw]?.domain
  if (domain) return tame(domain, 40)
  const token = names?.metadata[raw]?.token_info.find((info) => info.name !== undefined || info.symbol !== undefined)
  const name = token === undefined || token.type === 'jetton_wallets' ? undefined : token.name || token.symbol
  return !name || looksLikeAccount(name) ? undefined : `“${tame(name, 40)}”`
}

/** The kind of an account, from its interfaces: `wallet v4r2`, `jetton master`. */
export const kindOf = (interfaces: readonly string[] | null | undefined): string => {
  const [first] = [...(interfaces ?? [])].sort((a, b) => Number(WALLET.test(b)) - Number(WALLET.test(a)))
  return first === undefined ? '' : first.replaceAll('_', ' ')
}

interface AddressProps {
  /** Raw or friendly; null where there is none. */
  readonly of: string | null | undefined
  readonly names?: Names | undefined
  /** The account of the view: it is not a link. */
  readonly self?: string | undefined
  readonly full?: boolean
}

/** An account as a link, by its name where it has one. */
export const Account = ({ of, names, self, full = false }: AddressProps) => {
  if (!of) return <span class="dim">nobody</span>
  const text = friendly(of, names)
  const name = calledOf(of, names)
  const shown = name === undefined ? <span class="mono">{full ? text : shortened(text, 6, 6)}</span> : <span>{name}</span>
  return (
    <span class={full ? 'address full' : 'address'}>
      {self === of ? (
        <span title={text}>{shown}</span>
      ) : (
        <a href={hrefOf('account', text)} title={name === undefined ? text : `${name} ${text}`}>
          {shown}
        </a>
      )}
      {full && <Copy text={text} what="Copy the address" />}
    </span>
  )
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

/** A hash, shortened, with a button that copies it whole. `to`: the view that it leads to. */
export const Hash = ({
  of,
  to,
  full = false,
}: {
  readonly of: string | null | undefined
  readonly to?: 'tx' | undefined
  readonly full?: boolean
}) => {
  if (!of) return <span class="dim">none</span>
  const hex = hashToHex(of) ?? of
  const text = <span class="mono">{full ? hex : shortened(hex, 8, 8)}</span>
  return (
    <span class="hash">
      {to === undefined ? (
        <span title={hex}>{text}</span>
      ) : (
        <a href={hrefOf(to, hex)} title={hex}>
          {text}
        </a>
      )}
      <Copy text={hex} what="Copy the hash" />
    </span>
  )
}

/** An amount of a token: the whole part in full, at most four digits after the point, the exact value in the title. */
export const Amount = ({
  of,
  decimals = 9,
  unit = 'TON',
}: {
  readonly of: string | null | undefined
  readonly decimals?: number
  readonly unit?: string
}) => {
  if (of === null || of === undefined) return <span class="dim">none</span>
  const parts = unitsOf(of, decimals)
  if (parts === undefined) return <span class="mono">{tame(of, 60)}</span>
  const { sign, whole, fraction } = parts
  const first = fraction.search(/[1-9]/)
  // Small amounts keep their first two digits: 0.0000012.
  const cut = fraction.slice(0, whole === '0' && first > 2 ? first + 2 : 4).replace(/0+$/, '')
  return (
    <span class="amount" title={`${exact(of, decimals)} ${tame(unit, 40)}`}>
      {sign}
      {whole.length > 30 ? shortened(whole, 12, 4) : groups(whole)}
      {cut !== '' && <span class="fraction">.{cut}</span>} <span class="unit">{tame(unit, 16)}</span>
    </span>
  )
}

/** How long ago something was, the exact time in the title. Unix seconds. */
export const Time = ({ of }: { readonly of: number | string | null | undefined }) => {
  const now = useStore(clock)
  const utime = Number(of)
  if (of === null || of === undefined || !Number.isFinite(utime) || utime <= 0) return <span class="dim">unknown</span>
  const valid = utime < 8_640_000_000_000
  return (
    <time dateTime={valid ? new Date(utime * 1000).toISOString() : undefined} title={moment(utime)}>
      {ago(utime, now)}
    </time>
  )
}

/** A time in full, then how long ago it was. */
export const FullTime = ({ of }: { readonly of: number | string }) => (
  <span>
    {moment(Number(of))}{' '}
    <span class="dim">
      (<Time of={of} />)
    </span>
  </span>
)

type Tone = 'ok' | 'bad' | 'warn' | 'plain'

export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** A name of the wire in words: `jetton_transfer` as `Jetton transfer`. */
export const Words = ({ of }: { readonly of: string }) => <span title={of}>{tame(humanised(of), 60)}</span>

/** A block as a link: `(0, 8000000000000000, 42)`. */
export const BlockLink = ({ workchain, shard, seqno }: { readonly workchain: number; readonly shard: string; readonly seqno: number }) => (
  <a class="mono" href={hrefOf('block', workchain, shard, seqno)} title={`workchain ${workchain}, shard ${shard}, seqno ${seqno}`}>
    {workchain === -1 ? '' : `${workchain}:${shard.replace(/0+$/, '') || '0'} · `}
    {groups(String(seqno))}
  </a>
)

/** A masterchain block as a link. */
export const MasterBlockLink = ({ seqno }: { readonly seqno: number }) => <BlockLink workchain={-1} shard={WHOLE_SHARD} seqno={seqno} />
