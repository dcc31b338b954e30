import { sql } from 'kysely'
import { bytesList } from '../postgres/lists.ts'
import { nameOf } from '../row-keys.ts'
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

/** The tokens among some accounts without the jettons of their wallets. All tables are read and joined by account, so that a distributed database can do it. */
const TOKENS_ALONE = fixed<TokenRow>((builder, keys) => {
  const isAmong = sql`account = any(${keys}::bytea[])`
  return sql<TokenRow>`select found.*, t.uri as fetched_uri, t.content as fetched, t.tries from (
        select account, 0 as kind, content, null::bytea as owner, null::bytea as jetton, null::numeric as balance, null::numeric as index, null::text as domain
          from jetton_masters where ${isAmong}
        union all select account, 1, null, owner, jetton, balance, null, null from jetton_wallets where ${isAmong}
        union all select account, 2, content, null, null, null, index, domain from nft_items where ${isAmong}
        union all select account, 3, content, null, null, null, null, null from nft_collections where ${isAmong}) found
      left join token_metadata t on t.account = found.account and found.kind <> 1
      order by found.account, found.kind`.compile(builder)
})

const KIND_MASTER = TOKEN_KINDS.indexOf('jetton_masters')

/** The tokens among some accounts, and after them the jettons of the wallets among them. */
const inTwoSteps = async (view: View, keys: readonly Buffer[]): Promise<TokenRow[]> => {
  const found = await view.shards(TOKENS_ALONE(bytesList(keys)), 'once', keys)
  const asked = new Set(keys.map(nameOf))
  const jettons = new Map(found.flatMap(({ jetton }) => (jetton === null ? [] : [[nameOf(jetton), jetton] as const])))
  const missing = [...jettons].filter(([name]) => !asked.has(name)).map(([, key]) => key)
  const masters = missing.length === 0 ? [] : await view.shards(TOKENS_ALONE(bytesList(missing)), 'once', missing)
  const all = [...found, ...masters.filter(({ kind }) => kind === KIND_MASTER)]
  return all.sort((a, b) => Buffer.compare(a.account, b.account) || a.kind - b.kind)
}

/** The tokens among some accounts, and the jettons of the wallets among them. */
export const tokensOf = async (view: View, keys: readonly Buffer[]): Promise<TokenRow[]> => {
  if (keys.length === 0) return []
  return view.isDistributed ? await inTwoSteps(view, keys) : await view.rows(TOKENS(bytesList(keys)))
}
