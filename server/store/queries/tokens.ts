import { sql } from 'kysely'
import { bytesList } from '../postgres/lists.ts'
import { fixed } from './fixed.ts'
import type { View } from './head.ts'

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

/** The tokens among some accounts, and the jettons of the wallets among them, in one statement. */
export const tokensOf = (view: View, keys: readonly Buffer[]): Promise<TokenRow[]> =>
  keys.length === 0 ? Promise.resolve([]) : view.rows(TOKENS(bytesList(keys)))
