import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { friendlyOf, isRawAddress, parseAddress } from '../base/address.ts'
import { shortened, tame } from '../base/format.ts'
import { useBookRow, useItemDomain, useMultisigText, useOrderText, useSoldItem, useTokenRow } from '../base/lookups.ts'
import { useIsShared } from '../base/shared-names.ts'
import { looksLikeAccount, type Warning, warningsOf } from '../base/token.ts'
import type { Book, Metadata, Names } from '../base/types.ts'

/* What an account is called, the same on every view. */

/** What an account without a name does for another one. */
export interface Role {
  /** `ACRN wallet`, `sale`. */
  readonly what: string
  /** What the other account is called. */
  readonly of: string
  /** Of a jetton wallet: its jetton. */
  readonly jetton: RoleJetton | undefined
  /** About the jetton of the wallet, or the NFT that is sold. */
  readonly warnings: readonly Warning[]
}

interface RoleJetton {
  /** Raw address of the minter. */
  readonly minter: string
  /** What its units are called; `jetton` where that is unknown. */
  readonly ticker: string
  /** The units of another jetton in view are called the same, or the view shows all minters. */
  readonly showsMinter: boolean
}

/**
 * Whether a view gives the address of everything whose name anybody could take, and the minter of every jetton, because people decide there, or look closely:
 * an order that is signed, a trace.
 */
export const AddressesContext = createContext(false)

export interface Called {
  /** Undefined for an account without a name. */
  readonly name: string | undefined
  /** The name beside others: that of an NFT that is a name of TON DNS says so, because the wallet that it leads to is called the same. */
  readonly label: string | undefined
  /** The name is made of what the account does: the jetton wallet of an owner, the sale of an NFT. */
  readonly role: Role | undefined
  /** Another account in view has the same name, or the view gives the addresses of all names that are not proven. */
  readonly isShared: boolean
  /** The row of the address book; undefined where there is none, and until it is loaded. */
  readonly row: Book[string] | undefined
  /** What the operator of the service says of the token that it is, or that it has to do with. */
  readonly warnings: readonly Warning[]
}

type Tokens = Metadata[string]['token_info']

/** Whether a token says that it is a name. Any NFT can say so. */
const claimsName = (tokens: Tokens | undefined): boolean =>
  tokens?.some(({ type, extra }) => type === 'nft_items' && typeof extra?.['domain'] === 'string') ?? false

/** A name of TON DNS as it is; one of Telegram (`oak.t.me`) as people write it: `@oak`. */
const domainText = (domain: string): string => tame(domain.replace(/^([^.]+)\.t\.me$/, '@$1'), 40)

/** The name of a token in quotes, because anybody can give a token any name. Names that look like a name of TON DNS or an address are left out. */
const tokenText = (tokens: Tokens | undefined): string | undefined => {
  const token = tokens?.find(({ name, symbol }) => name !== undefined || symbol !== undefined)
  const name = token === undefined || token.type === 'jetton_wallets' ? undefined : token.name || token.symbol
  return !name || looksLikeAccount(name) ? undefined : `“${tame(name, 40)}”`
}

/** The friendly form of a raw address: from the address book if it is there, otherwise the bounceable form. */
export const friendly = (raw: string, names?: Names): string => {
  const inBook = names?.book[raw]?.user_friendly
  // A friendly address already says whether it bounces.
  const parsed = raw.includes(':') ? parseAddress(raw) : undefined
  return inBook ?? (parsed ? friendlyOf(parsed) : raw)
}

const labelOf = ({ name, isItem }: { readonly name: string | undefined; readonly isItem: boolean }): string | undefined =>
  name !== undefined && isItem ? `${name} (NFT)` : name

/** The name that an account has by itself, with its data. What the answers of the view do not say is looked up. */
const useOwnName = (raw: string, names: Names | undefined) => {
  const isAccount = isRawAddress(raw)
  const inBook = names?.book[raw]
  const lookedUp = useBookRow(inBook === undefined && isAccount ? raw : undefined)
  // An answer with metadata has that of all accounts in its address book.
  const hasMetadata = names?.metadata !== undefined && (inBook !== undefined || names.metadata[raw] !== undefined)
  const token = useTokenRow(hasMetadata || !isAccount ? undefined : raw)
  const tokens = (names?.metadata?.[raw] ?? token)?.token_info
  const domain = useItemDomain(claimsName(tokens) ? raw : undefined)
  const row = inBook ?? lookedUp
  if (row?.domain) return { row, tokens, name: tame(row.domain, 40), isItem: false, isProven: true }
  if (domain === undefined) return { row, tokens, name: tokenText(tokens), isItem: false, isProven: false }
  return { row, tokens, name: domainText(domain), isItem: domain.endsWith('.ton'), isProven: true }
}

/** The symbol in a token's metadata, where it has one beside its name. Undefined for one that could be taken for an account. */
export const tickerOf = (raw: string, names: Names | undefined): string | undefined => {
  const { name, symbol } = names?.metadata?.[raw]?.token_info.find(({ type }) => type === 'jetton_masters') ?? {}
  return !symbol || !name || symbol === name || looksLikeAccount(symbol) ? undefined : tame(symbol, 16)
}

/** What people call the units of a jetton, and the warnings about it. No ticker for one that does not say it, or calls itself like an account. */
const useJetton = (
  jetton: string | undefined,
  names: Names | undefined,
): { readonly ticker: string | undefined; readonly warnings: readonly Warning[] } => {
  const given = jetton === undefined ? undefined : names?.metadata?.[jetton]
  const lookedUp = useTokenRow(given === undefined ? jetton : undefined)
  const tokens = (given ?? lookedUp)?.token_info
  const master = tokens?.find(({ type }) => type === 'jetton_masters')
  const ticker = master?.symbol || master?.name
  return { ticker: !ticker || looksLikeAccount(ticker) ? undefined : tame(ticker, 16), warnings: warningsOf(tokens) }
}

const SELLERS = /^nft_(sale|auction)/

const addressIn = (extra: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined => {
  const address = extra?.[name]
  return typeof address === 'string' && isRawAddress(address) ? address : undefined
}

/** What an account does for another one: a jetton wallet for its owner, a sale for its NFT. */
const useRole = (
  raw: string,
  { row, tokens }: { readonly row: Book[string] | undefined; readonly tokens: Tokens | undefined },
  names: Names | undefined,
): Role | undefined => {
  const wallet = tokens?.find(({ type }) => type === 'jetton_wallets')?.extra
  const minter = addressIn(wallet, 'jetton')
  const { ticker, warnings } = useJetton(minter, names)
  const isAlike = useIsShared(ticker, minter ?? '')
  const tellsAll = useContext(AddressesContext)
  const sale = useSoldItem(row?.interfaces?.some((name) => SELLERS.test(name)) ? raw : undefined)
  const other = addressIn(wallet, 'owner') ?? sale?.item ?? ''
  const owned = useOwnName(other, names)
  if (other === '') return undefined
  const what = sale?.what ?? `${ticker ?? 'jetton'} wallet`
  const jetton = minter === undefined ? undefined : { minter, ticker: ticker ?? 'jetton', showsMinter: isAlike || tellsAll }
  const of = labelOf(owned) ?? shortened(owned.row?.user_friendly ?? friendly(other), 6, 6)
  return { what, of, jetton, warnings: minter === undefined ? warningsOf(owned.tokens) : warnings }
}

/** What a multisig or an order of one is called beside others that has no name. */
const useSigningText = (raw: string, interfaces: readonly string[]): string | undefined => {
  const multisig = useMultisigText(interfaces.includes('multisig_v2') ? raw : undefined)
  const order = useOrderText(interfaces.includes('multisig_order_v2') ? raw : undefined)
  return multisig ?? order
}

/**
 * The name of an account (raw address): the name of TON DNS that leads to it, the name that it is, the name of its token, or what it does for another
 * account. An account has one name on all views.
 */
export const useCalled = (raw: string, names: Names | undefined): Called => {
  const own = useOwnName(raw, names)
  const role = useRole(raw, own, names)
  const name = own.name ?? (role && `${role.what} of ${role.of}`)
  const signing = useSigningText(raw, name === undefined ? (own.row?.interfaces ?? []) : [])
  const label = labelOf({ name: name ?? signing, isItem: own.isItem })
  // The minters distinguish the wallets of one owner.
  const alike = role?.jetton?.showsMinter ? undefined : (name ?? signing)
  const isShared = useIsShared(own.isProven ? undefined : alike, raw)
  // A jetton wallet has its minter in its name.
  const tellsAll = useContext(AddressesContext) && label !== undefined && !own.isProven && role?.jetton === undefined
  const warnings = role?.warnings ?? warningsOf(own.tokens)
  return { row: own.row, name, label, role: own.name === undefined ? role : undefined, isShared: isShared || tellsAll, warnings }
}
