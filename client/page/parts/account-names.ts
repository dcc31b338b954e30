import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { addressIn, friendlyOf, isRawAddress, parseAddress } from '../base/address.ts'
import { shortened, tame } from '../base/format.ts'
import { orderText } from '../base/multisig-text.ts'
import { useIsShared } from '../base/names-in-view.ts'
import { looksLikeAccount, type Warning, warningsOf } from '../base/token-metadata.ts'
import type { Book, Metadata, Names } from '../base/types.ts'
import { useBookRow, useItemDomain, useMultisigText, useOrder, useSoldItem, useTokenRow } from '../base/value-lookups.ts'
import { useNames } from './answer-names.tsx'

/** Describes an account without a name by the account that it belongs to: a jetton wallet by its owner, a sale by its NFT. */
export interface Role {
  /** Kind of the role: `ACRN wallet`, `sale`. */
  readonly what: string
  /** Name of the owner or the NFT. */
  readonly of: string
  readonly jetton: RoleJetton | undefined
  /** Warnings about the wallet's jetton, or about the NFT that is sold. */
  readonly warnings: readonly Warning[]
}

interface RoleJetton {
  /** Raw address of the minter. */
  readonly minter: string
  /** The symbol of the jetton's units; `jetton` if it is unknown. */
  readonly ticker: string
  /** True if a different jetton in view has the same ticker, or if the view shows all minters. */
  readonly showsMinter: boolean
}

/**
 * True in views where people decide or check details, such as a multisig order or a trace. These views show the address next to each name that is not
 * proven, and the minter of every jetton.
 */
export const AddressesContext = createContext(false)

export interface Called {
  readonly name: string | undefined
  /**
   * The name for use next to other accounts. A TON DNS name that is an NFT is marked as NFT, because the wallet that the name resolves to has the same
   * name.
   */
  readonly label: string | undefined
  /** The role that the name is made of: a jetton wallet of an owner, or a sale of an NFT. Undefined if the account has its own name. */
  readonly role: Role | undefined
  /**
   * True if the address should be shown next to the name: a second account in view has the same name, or the view shows addresses next to all names that
   * are not proven.
   */
  readonly isShared: boolean
  /** The row of the address book. Undefined if there is none, or until it is loaded. */
  readonly row: Book[string] | undefined
  /** The operator's warnings about the token that the account is or belongs to. */
  readonly warnings: readonly Warning[]
}

type Tokens = Metadata[string]['token_info']

/** True if a token claims to be a DNS name. Any NFT can claim this. */
const claimsName = (tokens: Tokens | undefined): boolean =>
  tokens?.some(({ type, extra }) => type === 'nft_items' && typeof extra?.['domain'] === 'string') ?? false

/** A TON DNS name unchanged, a Telegram username (`oak.t.me`) as `@oak`. */
const domainText = (domain: string): string => tame(domain.replace(/^([^.]+)\.t\.me$/, '@$1'), 40)

/** A token's own name in quotes, because tokens can have any name. Names that look like a DNS name or an address are omitted. */
const tokenText = (tokens: Tokens | undefined): string | undefined => {
  const token = tokens?.find(({ name, symbol }) => name !== undefined || symbol !== undefined)
  const name = token === undefined || token.type === 'jetton_wallets' ? undefined : token.name || token.symbol
  return !name || looksLikeAccount(name) ? undefined : `“${tame(name, 40)}”`
}

/** The friendly form of a raw address: the address book's form, otherwise the bounceable form. */
export const friendly = (raw: string, names?: Names): string => {
  const inBook = names?.book[raw]?.user_friendly
  // A friendly address already specifies whether it is bounceable, so it is returned unchanged.
  const parsed = raw.includes(':') ? parseAddress(raw) : undefined
  return inBook ?? (parsed ? friendlyOf(parsed) : raw)
}

const labelOf = ({ name, isItem }: { readonly name: string | undefined; readonly isItem: boolean }): string | undefined =>
  name !== undefined && isItem ? `${name} (NFT)` : name

/** The account's own name, with its data. Data that the view's answers lack is looked up. */
const useOwnName = (raw: string) => {
  const names = useNames()
  const isAccount = isRawAddress(raw)
  const inBook = names.book[raw]
  const lookedUp = useBookRow(inBook === undefined && isAccount ? raw : undefined)
  // An answer with metadata contains the metadata of all accounts in its address book.
  const hasMetadata = names.metadata !== undefined && (inBook !== undefined || names.metadata[raw] !== undefined)
  const token = useTokenRow(hasMetadata || !isAccount ? undefined : raw)
  const tokens = (names.metadata?.[raw] ?? token)?.token_info
  const domain = useItemDomain(claimsName(tokens) ? raw : undefined)
  const row = inBook ?? lookedUp
  if (row?.domain) return { row, tokens, name: tame(row.domain, 40), isItem: false, isProven: true }
  if (domain === undefined) return { row, tokens, name: tokenText(tokens), isItem: false, isProven: false }
  return { row, tokens, name: domainText(domain), isItem: domain.endsWith('.ton'), isProven: true }
}

/** The symbol of a jetton, if it differs from the name. Undefined for a symbol that looks like a DNS name or an address. */
export const tickerOf = (raw: string, names: Names): string | undefined => {
  const { name, symbol } = names.metadata?.[raw]?.token_info.find(({ type }) => type === 'jetton_masters') ?? {}
  return !symbol || !name || symbol === name || looksLikeAccount(symbol) ? undefined : tame(symbol, 16)
}

/** The ticker of a jetton, and the warnings about it. The ticker is undefined if the metadata has none, or if it looks like a DNS name or an address. */
const useJetton = (jetton: string | undefined): { readonly ticker: string | undefined; readonly warnings: readonly Warning[] } => {
  const { metadata } = useNames()
  const given = jetton === undefined ? undefined : metadata?.[jetton]
  const lookedUp = useTokenRow(given === undefined ? jetton : undefined)
  const tokens = (given ?? lookedUp)?.token_info
  const master = tokens?.find(({ type }) => type === 'jetton_masters')
  const ticker = master?.symbol || master?.name
  return { ticker: !ticker || looksLikeAccount(ticker) ? undefined : tame(ticker, 16), warnings: warningsOf(tokens) }
}

const SELLERS = /^nft_(sale|auction)/

/** A jetton wallet's role for its owner, or a sale contract's role for its NFT. */
const useRole = (
  raw: string,
  { row, tokens }: { readonly row: Book[string] | undefined; readonly tokens: Tokens | undefined },
): Role | undefined => {
  const wallet = tokens?.find(({ type }) => type === 'jetton_wallets')?.extra
  const minter = addressIn(wallet, ['jetton'])
  const { ticker, warnings } = useJetton(minter)
  const isAlike = useIsShared(ticker, minter ?? '')
  const tellsAll = useContext(AddressesContext)
  const sale = useSoldItem(row?.interfaces?.some((name) => SELLERS.test(name)) ? raw : undefined)
  const other = addressIn(wallet, ['owner']) ?? sale?.item ?? ''
  const owned = useOwnName(other)
  if (other === '') return undefined
  const what = sale?.what ?? `${ticker ?? 'jetton'} wallet`
  const jetton = minter === undefined ? undefined : { minter, ticker: ticker ?? 'jetton', showsMinter: isAlike || tellsAll }
  const of = labelOf(owned) ?? shortened(owned.row?.user_friendly ?? friendly(other), 6, 6)
  return { what, of, jetton, warnings: minter === undefined ? warningsOf(owned.tokens) : warnings }
}

const useSigningText = (raw: string, interfaces: readonly string[]): string | undefined => {
  const multisig = useMultisigText(interfaces.includes('multisig_v2') ? raw : undefined)
  const order = useOrder(interfaces.includes('multisig_order_v2') ? raw : undefined)
  return multisig ?? (order && orderText(order.seqno))
}

/**
 * The name of an account (raw address), the same on all views. In this order: the TON DNS name that resolves to the account, its own TON DNS name or
 * username if the account is the NFT of one, the name of its token, its role for its owner or NFT.
 */
export const useCalled = (raw: string): Called => {
  const own = useOwnName(raw)
  const role = useRole(raw, own)
  const name = own.name ?? (role && `${role.what} of ${role.of}`)
  const signing = useSigningText(raw, name === undefined ? (own.row?.interfaces ?? []) : [])
  const label = labelOf({ name: name ?? signing, isItem: own.isItem })
  // The minter in the name already tells apart jetton wallets with the same ticker.
  const alike = role?.jetton?.showsMinter ? undefined : (name ?? signing)
  const isShared = useIsShared(own.isProven ? undefined : alike, raw)
  // The name of a jetton wallet contains the minter, so no address is added.
  const tellsAll = useContext(AddressesContext) && label !== undefined && !own.isProven && role?.jetton === undefined
  const warnings = role?.warnings ?? warningsOf(own.tokens)
  return { row: own.row, name, label, role: own.name === undefined ? role : undefined, isShared: isShared || tellsAll, warnings }
}
