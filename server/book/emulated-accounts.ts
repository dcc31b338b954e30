import { createGroups } from '../base/memory/multi-map.ts'
import { domainsOf } from '../store/queries/account-kinds.ts'
import type { TokenRow } from '../store/queries/tokens.ts'
import type { View } from '../store/queries/view.ts'
import { keyOfRaw, nameOf } from '../store/row-keys.ts'

/*
 * Data for the address book and the metadata of accounts after an emulation, whose states are not indexed yet. Plain JSON, because pending traces are
 * passed between processes.
 */

export interface EmulatedToken extends Pick<TokenRow, 'kind' | 'content' | 'balance' | 'index' | 'domain'> {
  readonly owner: string | null
  readonly jetton: string | null
}

export interface EmulatedAccount {
  /** Properties of the account's new code; undefined if the emulation did not change the code. `interfaces` is null without code. */
  readonly code?: { readonly isBounceable: boolean; readonly interfaces: readonly string[] | null }
  /** The account's tokens; undefined if the indexed tokens are still valid. */
  readonly tokens?: readonly EmulatedToken[]
  /** The DNS name whose NFT item this account is; null if the account stopped being the item of a name. */
  readonly name?: EmulatedName | null
}

/** Addresses are raw. */
export interface EmulatedName {
  readonly domain: string
  /** The account that the name resolves to. */
  readonly wallet: string | null
  readonly owner: string | null
}

export type EmulatedAccounts = Readonly<Record<string, EmulatedAccount>>

/**
 * Row of an emulated token. `stored`: the stored row with the same account and kind. `flagged`: any stored row of the account, whose flags of the operator
 * are copied.
 */
const rowOf = (
  account: Buffer,
  { owner, jetton, ...rest }: EmulatedToken,
  stored: TokenRow | undefined,
  flagged: TokenRow | undefined,
): TokenRow => ({
  account,
  ...rest,
  owner: owner === null ? null : keyOfRaw(owner),
  jetton: jetton === null ? null : keyOfRaw(jetton),
  fetched_uri: stored?.fetched_uri ?? null,
  fetched: stored?.fetched ?? null,
  tries: stored?.tries ?? null,
  is_scam: flagged?.is_scam ?? null,
  is_nsfw: flagged?.is_nsfw ?? null,
})

const isShorter = (a: string, b: string): boolean => a.length < b.length || (a.length === b.length && a < b)

/** Domains by account (`nameOf` of the key), as they are after the emulation. Undefined if the emulation changed no domain. */
export const domainsBeside = async (
  view: View,
  keys: readonly Buffer[],
  emulated: EmulatedAccounts,
): Promise<ReadonlyMap<string, string> | undefined> => {
  const items = Object.entries(emulated).filter(([, { name }]) => name !== undefined)
  if (items.length === 0) return undefined
  const stored = await domainsOf(
    view,
    keys,
    items.map(([address]) => keyOfRaw(address)),
  )
  const domains = new Map(stored)
  for (const [, { name }] of items) {
    // A domain is listed for an account only if the account owns it and the domain resolves to the account.
    if (!name?.wallet || name.wallet !== name.owner) continue
    const wallet = nameOf(keyOfRaw(name.wallet))
    const shortest = domains.get(wallet)
    if (shortest === undefined || isShorter(name.domain, shortest)) domains.set(wallet, name.domain)
  }
  return domains
}

/** Jettons of the emulated jetton wallets among `accounts`. The metadata of a wallet needs the metadata of its jetton. */
export const jettonsOf = (emulated: EmulatedAccounts, accounts: Iterable<string>): Buffer[] =>
  [...accounts].flatMap((account) => emulated[account]?.tokens?.flatMap(({ jetton }) => (jetton === null ? [] : keyOfRaw(jetton))) ?? [])

/** Replaces the stored token rows of emulated accounts by emulated rows. `accounts`: the accounts of the answer. The result is ordered by account and kind. */
export const withEmulatedTokens = (stored: readonly TokenRow[], emulated: EmulatedAccounts, accounts: Iterable<string>): TokenRow[] => {
  const replaced = new Map<string, readonly TokenRow[]>()
  const storedOf = createGroups<TokenRow>()
  for (const row of stored) storedOf.add(nameOf(row.account), row)
  for (const account of accounts) {
    const tokens = emulated[account]?.tokens
    if (tokens === undefined) continue
    const key = keyOfRaw(account)
    const name = nameOf(key)
    const storedRows = storedOf.of(name)
    const rows = tokens.map((token) =>
      rowOf(
        key,
        token,
        storedRows.find(({ kind }) => kind === token.kind),
        storedRows[0],
      ),
    )
    replaced.set(name, rows)
  }
  const rest = stored.filter(({ account }) => !replaced.has(nameOf(account)))
  return [...rest, ...[...replaced.values()].flat()].sort((a, b) => Buffer.compare(a.account, b.account) || a.kind - b.kind)
}
