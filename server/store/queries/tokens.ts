import { methodId } from '../../../shared/fields/method-id.ts'
import { distinct, nameOf } from '../row-keys.ts'
import type { AccountKind } from './account-kinds.ts'
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

/**
 * Selects the tokens among some accounts, without the jettons of the wallets among them. Every table is filtered and joined by account, because a distributed
 * database requires it.
 */
const TOKENS = `select found.*, t.uri as fetched_uri, t.content as fetched, t.tries, f.is_scam, f.is_nsfw from (
    select account, 0 as kind, content, null::bytea as owner, null::bytea as jetton, null::numeric as balance, null::numeric as index, null::text as domain
      from jetton_masters where account = any($1::bytea[])
    union all select account, 1, null, owner, jetton, balance, null, null from jetton_wallets where account = any($1::bytea[])
    union all select account, 2, content, null, null, null, index, domain from nft_items where account = any($1::bytea[])
    union all select account, 3, content, null, null, null, null, null from nft_collections where account = any($1::bytea[])) found
  left join token_metadata t on t.account = found.account and found.kind <> 1
  left join token_flags f on f.account = found.account`

/** A token is found by these get-methods (server/index/topics), so its code has one of them. */
const TOKEN_METHODS = ['get_jetton_data', 'get_wallet_data', 'get_nft_data', 'get_collection_data'].map(methodId)

/** Whether an indexed account can be a token. Undefined: the account is not indexed. */
export const mayBeToken = (kind: AccountKind | undefined): boolean =>
  kind?.code_hash != null && (kind.methods === null || TOKEN_METHODS.some((id) => kind.methods!.includes(id)))

const readTokens = async (view: View, keys: readonly Buffer[]): Promise<TokenRow[]> =>
  keys.length === 0 ? [] : view.rows(statement<TokenRow>(TOKENS, [keys]), 'generic')

const KIND_MASTER = TOKEN_KINDS.indexOf('jetton_masters')

/** Reads the tokens among some accounts, and the jettons of the wallets among them. */
export const tokensOf = async (view: View, keys: readonly Buffer[]): Promise<readonly TokenRow[]> => {
  const found = await readTokens(view, keys)
  const requested = new Set(keys.map(nameOf))
  const jettons = distinct(found.map(({ jetton }) => jetton)).filter((jetton) => !requested.has(nameOf(jetton)))
  const masters = await readTokens(view, jettons)
  const all = [...found, ...masters.filter(({ kind }) => kind === KIND_MASTER)]
  return all.sort((a, b) => Buffer.compare(a.account, b.account) || a.kind - b.kind)
}
