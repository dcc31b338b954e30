import { type RawBuilder, sql } from 'kysely'
import { bytesList } from '../postgres/lists.ts'
import { distinct, nameOf } from '../row-keys.ts'
import type { Codes } from './account-kinds.ts'
import { fixed, type Place } from './fixed.ts'
import type { View } from './head.ts'
import { isIn } from './order.ts'

/** An account as a token. */
export interface TokenRow {
  readonly account: Buffer
  /** Index in TOKEN_KINDS. */
  readonly kind: number
  /** On-chain content as JSON; null for wallets. */
  readonly content: string | null
  /** Only for wallets. */
  readonly owner: Buffer | null
  readonly jetton: Buffer | null
  readonly balance: string | null
  /** Only for items. */
  readonly index: string | null
  readonly domain: string | null
  /** URI of the off-chain content, and the JSON found there. */
  readonly fetched_uri: string | null
  readonly fetched: string | null
  /** Number of failed fetches. */
  readonly tries: number | null
}

/** Kinds of tokens as v3 names them. Their positions are the values of `kind` in the statement below. */
export const TOKEN_KINDS = ['jetton_masters', 'jetton_wallets', 'nft_items', 'nft_collections'] as const

const TOKENS = fixed<TokenRow>((builder, keys) => {
  const list = sql`${keys}::bytea[]`
  return sql<TokenRow>`with wallets as (select account, owner, jetton, balance from jetton_wallets where account = any(${list})),
      masters as (select account from jetton_masters where account = any(${list}) union select jetton from wallets),
      found as (
        select m.account, 0 as kind, m.content, null::bytea as owner, null::bytea as jetton, null::numeric as balance, null::numeric as index, null::text as domain
          from masters k join jetton_masters m on m.account = k.account
        union all select account, 1, null, owner, jetton, balance, null, null from wallets
        union all select account, 2, content, null, null, null, index, domain from nft_items where account = any(${list})
        union all select account, 3, content, null, null, null, null, null from nft_collections where account = any(${list}))
      select found.*, t.uri as fetched_uri, t.content as fetched, t.tries from found left join token_metadata t on t.account = found.account and found.kind <> 1
      order by found.account, found.kind`.compile(builder)
})

/** The tokens among some accounts. The jetton of a wallet is not added. Every table is read and joined by account, as a distributed database needs it. */
const tokensAmong = (keys: Place): RawBuilder<TokenRow> => {
  const isAmong = isIn(sql.ref('account'), keys)
  return sql<TokenRow>`select found.*, t.uri as fetched_uri, t.content as fetched, t.tries from (
        select account, 0 as kind, content, null::bytea as owner, null::bytea as jetton, null::numeric as balance, null::numeric as index, null::text as domain
          from jetton_masters where ${isAmong}
        union all select account, 1, null, owner, jetton, balance, null, null from jetton_wallets where ${isAmong}
        union all select account, 2, content, null, null, null, index, domain from nft_items where ${isAmong}
        union all select account, 3, content, null, null, null, null, null from nft_collections where ${isAmong}) found
      left join token_metadata t on t.account = found.account and found.kind <> 1`
}

const TOKENS_ALONE = fixed<TokenRow>((builder, keys) => tokensAmong(keys).compile(builder))

/** The code of a known account, or an account as a token. */
type CodeOrToken =
  | { readonly account: Buffer; readonly kind: null; readonly code_hash: Buffer | null }
  | (TokenRow & { readonly code_hash: null })

const CODES_AND_TOKENS = fixed<CodeOrToken>((builder, keys) =>
  sql<CodeOrToken>`select tokens.*, null::bytea as code_hash from (${tokensAmong(keys)}) tokens
    union all select account, null, null, null, null, null, null, null, null, null, null, code_hash from accounts
      where ${isIn(sql.ref('account'), keys)}`.compile(builder),
)

const KIND_MASTER = TOKEN_KINDS.indexOf('jetton_masters')

/** Adds the jettons of the wallets among tokens. `asked`: accounts whose tokens these are. */
const withJettons = async (view: View, found: readonly TokenRow[], asked: readonly Buffer[]): Promise<readonly TokenRow[]> => {
  const known = new Set(asked.map(nameOf))
  const jettons = distinct(found.flatMap(({ jetton }) => jetton ?? [])).filter((jetton) => !known.has(nameOf(jetton)))
  const masters = jettons.length === 0 ? [] : await view.shards(TOKENS_ALONE(bytesList(jettons)), 'once', jettons)
  const all = [...found, ...masters.filter(({ kind }) => kind === KIND_MASTER)]
  return all.sort((a, b) => Buffer.compare(a.account, b.account) || a.kind - b.kind)
}

/** The tokens among some accounts, and the jettons of the wallets among them. */
export const tokensOf = async (view: View, keys: readonly Buffer[]): Promise<readonly TokenRow[]> => {
  if (keys.length === 0) return []
  if (!view.isDistributed) return await view.rows(TOKENS(bytesList(keys)))
  return await withJettons(view, await view.shards(TOKENS_ALONE(bytesList(keys)), 'once', keys), keys)
}

/** Codes of accounts and the tokens among them, which come from one statement. `codes` is called only where codes are needed: a promise that nobody awaits would end the process if the read fails. */
export interface CodesAndTokens {
  readonly codes: Codes
  readonly tokens: Promise<readonly TokenRow[]>
}

/** For the nodes of a cluster: each further statement costs them a tenth of a millisecond. */
export const codesAndTokensOf = (view: View, keys: readonly Buffer[]): CodesAndTokens => {
  const read = view.shards(CODES_AND_TOKENS(bytesList(keys)), 'once', keys)
  const isToken = (row: CodeOrToken): row is CodeOrToken & TokenRow => row.kind !== null
  return {
    codes: async () => (await read).filter((row) => !isToken(row)),
    tokens: read.then((rows) => withJettons(view, rows.filter(isToken), keys)),
  }
}
