import type { Result } from '../../shared/registry.ts'
import { mapWithPauses } from '../base/yield.ts'
import type { AccountKinds } from '../store/queries/account-kinds.ts'
import { mayBeToken, TOKEN_KINDS, type TokenRow, tokensOf } from '../store/queries/tokens.ts'
import type { View } from '../store/queries/view.ts'
import { distinct, nameOf, rawOfKey } from '../store/row-keys.ts'
import { type EmulatedAccounts, jettonsOf, withEmulatedTokens } from './emulated-accounts.ts'

/* The `metadata` member of v3 answers: data about tokens, from the index and the fetcher (server/metadata). */

export type Metadata = Result<'v3.metadata'>
type TokenInfo = Metadata[string]['token_info'][number]
type Members = Readonly<Record<string, unknown>>

const parse = (text: string | null): Members => (text === null ? {} : (JSON.parse(text) as Members))

/** Link to off-chain content; undefined if the content has no link. One with a zero byte is none: PostgreSQL stores no such text. */
export const linkOf = (content: Members): string | undefined => {
  const link = content['url'] ?? content['uri']
  return typeof link === 'string' && /^[^\0]+$/.test(link) ? link : undefined
}

const NAMED = ['name', 'symbol', 'description', 'image'] as const

/** Flags that the operator set on a token. Jetton wallets have no flags, as in TON Center; their jetton has them. */
const flagsOf = ({ is_scam, is_nsfw }: TokenRow) => ({ is_scam: is_scam ?? false, is_nsfw: is_nsfw ?? false })

/** Merges on-chain and fetched content. On-chain members take precedence. */
const merged = (row: TokenRow): TokenInfo => {
  const all: Record<string, unknown> = { ...parse(row.fetched), ...parse(row.content) }
  const info: Record<string, unknown> = { valid: true, type: TOKEN_KINDS[row.kind]! }
  for (const name of NAMED) {
    if (typeof all[name] !== 'string') continue
    info[name] = all[name]
    delete all[name]
  }
  if (row.index !== null) info['nft_index'] = row.index
  Object.assign(info, flagsOf(row))
  if (row.domain !== null) all['domain'] = row.domain
  if (Object.keys(all).length > 0) info['extra'] = all
  return info as TokenInfo
}

const walletInfo = (row: TokenRow): TokenInfo => ({
  valid: true,
  type: 'jetton_wallets',
  extra: { owner: rawOfKey(row.owner!), jetton: rawOfKey(row.jetton!), balance: row.balance! },
})

const failed = (row: TokenRow): TokenInfo => ({
  valid: false,
  type: TOKEN_KINDS[row.kind]!,
  ...(row.index !== null && { nft_index: row.index }),
  ...flagsOf(row),
})

const hasMoreThanLink = (content: Members): boolean => Object.keys(content).some((name) => name !== 'uri' && name !== 'url')

/** Number of failed fetches after which `is_indexed` is true although the off-chain data is missing. */
const GIVEN_UP = 5

const infoOf = (row: TokenRow): { readonly indexed: boolean; readonly info: TokenInfo; readonly missingLink?: string } => {
  if (row.kind === 1) return { indexed: true, info: walletInfo(row) }
  const content = parse(row.content)
  const link = linkOf(content)
  if (link === undefined) return { indexed: true, info: merged(row) }
  if (row.fetched_uri !== link) return { indexed: false, info: merged({ ...row, fetched: null }), missingLink: link }
  if (row.fetched === null && (row.tries ?? 0) < GIVEN_UP) return { indexed: false, info: merged(row) }
  return { indexed: true, info: row.fetched === null && !hasMoreThanLink(content) ? failed(row) : merged(row) }
}

type Want = ((token: Buffer) => void) | undefined

/** Metadata of tokens. Off-chain data that was not fetched yet is omitted and requested through `want`. */
const metadataOf = async (view: View, rows: readonly TokenRow[], want: Want): Promise<Metadata> => {
  const found: Metadata = {}
  const infos = await mapWithPauses(rows, infoOf, view.signal)
  for (const [i, row] of rows.entries()) {
    const { indexed, info, missingLink } = infos[i]!
    const address = rawOfKey(row.account)
    const before = found[address]
    found[address] = { is_indexed: indexed && (before?.is_indexed ?? true), token_info: [...(before?.token_info ?? []), info] }
    if (missingLink !== undefined) want?.(row.account)
  }
  return found
}

export interface MetadataOptions {
  readonly want?: Want
  /** What is indexed of the accounts: those that cannot be tokens are not looked for. By default all are. */
  readonly kinds?: AccountKinds | undefined
  /** Accounts whose emulated state differs from the indexed one. */
  readonly emulated?: EmulatedAccounts | undefined
  /** Maximum bytes of all contents. Tokens beyond it are left out. By default only the view has a limit. */
  readonly maxBytes?: number | undefined
}

/** Metadata of the tokens among some accounts. */
export const metadata = async (
  view: View,
  keys: readonly Buffer[],
  { want, kinds, emulated = {}, maxBytes }: MetadataOptions = {},
): Promise<Metadata> => {
  const addresses = keys.map(rawOfKey)
  const jettons = jettonsOf(emulated, addresses)
  const may = kinds && (await mapWithPauses(keys, (key) => mayBeToken(kinds.get(nameOf(key))), view.signal))
  const candidates = may === undefined ? keys : keys.filter((_, i) => may[i])
  const { rows: stored, leftOut } = await tokensOf(view, distinct([...candidates, ...jettons]), maxBytes)
  const rows = withEmulatedTokens(stored, emulated, new Set([...addresses, ...jettons.map(rawOfKey)]))
  // An emulated token is left out too: without the stored one it would lack the flags of the operator.
  return metadataOf(view, leftOut.size === 0 ? rows : rows.filter(({ account }) => !leftOut.has(nameOf(account))), want)
}
