import { methodId } from '../../../shared/fields/method-id.ts'
import { portionsOf } from '../../base/memory/portions.ts'
import { distinct, nameOf } from '../row-keys.ts'
import type { AccountKind } from './account-kinds.ts'
import { SMALL_CONTENT, smallOf } from './large-values.ts'
import { statement } from './look-up.ts'
import type { View } from './view.ts'

export interface TokenRow {
  readonly account: Buffer
  /** Index in TOKEN_KINDS. */
  readonly kind: number
  /** On-chain content as JSON; null for wallets. */
  readonly content: string | null
  /** This and the next two fields are only for jetton wallets. */
  readonly owner: Buffer | null
  readonly jetton: Buffer | null
  readonly balance: string | null
  /** This and the next field are only for NFT items. */
  readonly index: string | null
  readonly domain: string | null
  /** URI of the off-chain content, and the JSON found there. */
  readonly fetched_uri: string | null
  readonly fetched: string | null
  /** Number of failed fetches. */
  readonly tries: number | null
  /** Flags that the operator has set for the token; null if there are none. */
  readonly is_scam: boolean | null
  readonly is_nsfw: boolean | null
}

/** Kinds of tokens, with v3's names. The index of a name is the value of `kind` in the statement below. */
export const TOKEN_KINDS = ['jetton_masters', 'jetton_wallets', 'nft_items', 'nft_collections'] as const

/** A row whose contents are null if they are large. The lengths are null if there is no content. */
interface SizedRow extends TokenRow {
  readonly content_bytes: number | null
  readonly fetched_bytes: number | null
}

/** Maximum number of accounts of one statement, so that all small contents that it finds have a few megabytes. */
const MAX_ACCOUNTS = 1_000

const CONTENT = smallOf('content', SMALL_CONTENT, 'content', 'content_bytes')

/**
 * Selects the tokens among some accounts, without the jettons of the wallets among them. Every table is filtered and joined by account, because a distributed
 * database requires it.
 */
const TOKENS = `select found.*, t.uri as fetched_uri, ${smallOf('t.content', SMALL_CONTENT, 'fetched', 'fetched_bytes')}, t.tries, f.is_scam, f.is_nsfw from (
    select account, 0 as kind, ${CONTENT}, null::bytea as owner, null::bytea as jetton, null::numeric as balance, null::numeric as index, null::text as domain
      from jetton_masters where account = any($1::bytea[])
    union all select account, 1, null, null, owner, jetton, balance, null, null from jetton_wallets where account = any($1::bytea[])
    union all select account, 2, ${CONTENT}, null, null, null, index, domain from nft_items where account = any($1::bytea[])
    union all select account, 3, ${CONTENT}, null, null, null, null, null from nft_collections where account = any($1::bytea[])) found
  left join token_metadata t on t.account = found.account and found.kind <> 1
  left join token_flags f on f.account = found.account`

/** The value of `kind` for fetched content. */
const FETCHED = -1
const LARGE = `select account, 0 as kind, content from jetton_masters where account = any($1::bytea[])
  union all select account, 2, content from nft_items where account = any($2::bytea[])
  union all select account, 3, content from nft_collections where account = any($3::bytea[])
  union all select account, ${FETCHED}, content from token_metadata where account = any($4::bytea[])`
type Content = Pick<TokenRow, 'account' | 'kind' | 'content'>

/** A token is found by these get-methods (server/index/topics), so its code has one of them. */
const TOKEN_METHODS = ['get_jetton_data', 'get_wallet_data', 'get_nft_data', 'get_collection_data'].map(methodId)

/** Whether an indexed account can be a token. Undefined: the account is not indexed. */
export const mayBeToken = (kind: AccountKind | undefined): boolean =>
  kind?.code_hash != null && (kind.methods === null || TOKEN_METHODS.some((id) => kind.methods!.includes(id)))

/** Selects the tokens of those accounts whose contents fit into `maxBytes`, and records the others in `leftOut`. */
const createFit = (maxBytes: number, leftOut: Set<string>) => {
  let left = maxBytes
  return (rows: readonly SizedRow[]): readonly SizedRow[] => {
    const sizes = new Map<string, number>()
    for (const { account, content_bytes, fetched_bytes } of rows) {
      const name = nameOf(account)
      sizes.set(name, (sizes.get(name) ?? 0) + (content_bytes ?? 0) + (fetched_bytes ?? 0))
    }
    for (const [name, bytes] of sizes) {
      if (bytes > left) leftOut.add(name)
      else left -= bytes
    }
    return leftOut.size === 0 ? rows : rows.filter(({ account }) => !leftOut.has(nameOf(account)))
  }
}

const isLarge = ({ content, content_bytes }: SizedRow): boolean => content === null && content_bytes !== null
const isFetchedLarge = ({ fetched, fetched_bytes }: SizedRow): boolean => fetched === null && fetched_bytes !== null

/** Adds the large contents. Throws if they exceed the size limit of the view. */
const withLarge = async (view: View, rows: readonly SizedRow[]): Promise<readonly TokenRow[]> => {
  const large = rows.filter(isLarge)
  const fetched = rows.filter(isFetchedLarge)
  if (large.length + fetched.length === 0) return rows
  const sum = (bytes: readonly (number | null)[]): number => bytes.reduce<number>((all, each) => all + (each ?? 0), 0)
  view.expectBytes(sum(large.map((row) => row.content_bytes)) + sum(fetched.map((row) => row.fetched_bytes)))
  const keysOf = (kind: number): Buffer[] => large.filter((row) => row.kind === kind).map(({ account }) => account)
  const values = [keysOf(0), keysOf(2), keysOf(3), fetched.map(({ account }) => account)]
  const found = await view.rows(statement<Content>(LARGE, values), 'generic')
  const contents = new Map(found.map(({ kind, account, content }) => [kind + nameOf(account), content]))
  const contentOf = (kind: number, { account }: SizedRow): string | null => contents.get(kind + nameOf(account)) ?? null
  return rows.map((row) => ({
    ...row,
    content: isLarge(row) ? contentOf(row.kind, row) : row.content,
    fetched: isFetchedLarge(row) ? contentOf(FETCHED, row) : row.fetched,
  }))
}

const readTokens = async (view: View, keys: readonly Buffer[], fit: ReturnType<typeof createFit>): Promise<readonly TokenRow[]> => {
  const found: SizedRow[] = []
  for (const some of portionsOf(keys, MAX_ACCOUNTS)) found.push(...fit(await view.rows(statement<SizedRow>(TOKENS, [some]), 'generic')))
  return await withLarge(view, found)
}

const KIND_MASTER = TOKEN_KINDS.indexOf('jetton_masters')

/** Reads the tokens among some accounts, and the jettons of the wallets among them. Throws if their contents exceed the size limit of the view. */
export const tokensOf = async (view: View, keys: readonly Buffer[], maxBytes = Number.POSITIVE_INFINITY) => {
  /** Accounts (`nameOf` of the key) that are left out, because with them all contents together would have more than `maxBytes`. */
  const leftOut = new Set<string>()
  const fit = createFit(maxBytes, leftOut)
  const found = await readTokens(view, keys, fit)
  const requested = new Set(keys.map(nameOf))
  const jettons = distinct(found.map(({ jetton }) => jetton)).filter((jetton) => !requested.has(nameOf(jetton)))
  const masters = await readTokens(view, jettons, fit)
  const all = [...found, ...masters.filter(({ kind }) => kind === KIND_MASTER)]
  return { rows: all.sort((a, b) => Buffer.compare(a.account, b.account) || a.kind - b.kind), leftOut }
}
