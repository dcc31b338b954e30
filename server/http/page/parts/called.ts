import { isRawAddress } from '../base/address.ts'
import { tame } from '../base/format.ts'
import { useBookRow, useItemDomain, useTokenRow } from '../base/lookups.ts'
import { looksLikeAccount } from '../base/token.ts'
import type { Book, Metadata, Names } from '../base/types.ts'

/* What an account is called, the same on every view. */

export interface Called {
  /** Undefined for an account without a name. */
  readonly name: string | undefined
  /** The name is one of TON DNS, and the account is its NFT, not the wallet that it leads to. */
  readonly isItem: boolean
  /** The row of the address book; undefined where there is none, and until it is loaded. */
  readonly row: Book[string] | undefined
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

/**
 * The name of an account (raw address): the name of TON DNS that leads to it, the name that it is, or the name of its token. What the answers of the view
 * do not say is looked up, so that an account has one name on all views.
 */
export const useCalled = (raw: string, names: Names | undefined): Called => {
  const isAccount = isRawAddress(raw)
  const told = names?.book[raw]
  const lookedUp = useBookRow(told === undefined && isAccount ? raw : undefined)
  // An answer with metadata has that of all accounts in its address book.
  const isTold = names?.metadata !== undefined && (told !== undefined || names.metadata[raw] !== undefined)
  const token = useTokenRow(isTold || !isAccount ? undefined : raw)
  const tokens = (names?.metadata?.[raw] ?? token)?.token_info
  const domain = useItemDomain(claimsName(tokens) ? raw : undefined)
  const row = told ?? lookedUp
  if (row?.domain) return { row, name: tame(row.domain, 40), isItem: false }
  return { row, name: domain === undefined ? tokenText(tokens) : domainText(domain), isItem: domain?.endsWith('.ton') ?? false }
}
