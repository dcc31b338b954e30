import { domainsOf } from '../store/queries/account-kinds.ts'
import type { TokenRow } from '../store/queries/tokens.ts'
import type { View } from '../store/queries/view.ts'
import { keyOfRaw, nameOf } from '../store/row-keys.ts'

/*
 * What the address book and the metadata say of accounts in states that the index does not have yet: those after an emulation. It is plain JSON, because pending
 * traces are passed between processes.
 */

/** An account as a token of one kind. Addresses are raw. */
export interface EmulatedToken extends Pick<TokenRow, 'kind' | 'content' | 'balance' | 'index' | 'domain'> {
  readonly owner: string | null
  readonly jetton: string | null
}

export interface EmulatedAccount {
  /** What follows from its new code; undefined if the code is the one that the index has. `interfaces`: null without code. */
  readonly code?: { readonly isBounceable: boolean; readonly interfaces: readonly string[] | null }
  /** Its tokens; undefined if they are those that the index has. */
  readonly tokens?: readonly EmulatedToken[]
  /** The name that it is; null if it was one. */
  readonly name?: EmulatedName | null
}

/** A name of TON DNS. Addresses are raw. */
export interface EmulatedName {
  readonly domain: string
  /** The account that it resolves to. */
  readonly wallet: string | null
  readonly owner: string | null
}

/** By raw address in upper case. */
export type EmulatedAccounts = Readonly<Record<string, EmulatedAccount>>

/** `stored`: the row of the account with the same kind; `flagged`: any row of it. */
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

/** Domains of accounts by the names of their keys, if names are emulated; otherwise undefined. */
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
    // A domain of an account belongs to it, and resolves to it.
    if (!name?.wallet || name.wallet !== name.owner) continue
    const wallet = nameOf(keyOfRaw(name.wallet))
    const shortest = domains.get(wallet)
    if (shortest === undefined || isShorter(name.domain, shortest)) domains.set(wallet, name.domain)
  }
  return domains
}

/** Jettons whose metadata belongs to that of these accounts: those of the wallets among them. */
export const jettonsOf = (emulated: EmulatedAccounts, accounts: Iterable<string>): Buffer[] =>
  [...accounts].flatMap((account) => emulated[account]?.tokens?.flatMap(({ jetton }) => (jetton === null ? [] : keyOfRaw(jetton))) ?? [])

/** Stored rows of tokens, with those of emulated accounts in their place. `accounts`: the accounts of the answer. Ordered by account and kind. */
export const withEmulatedTokens = (stored: readonly TokenRow[], emulated: EmulatedAccounts, accounts: Iterable<string>): TokenRow[] => {
  const replaced = new Map<string, readonly TokenRow[]>()
  for (const account of accounts) {
    const tokens = emulated[account]?.tokens
    if (tokens === undefined) continue
    const key = keyOfRaw(account)
    const name = nameOf(key)
    const storedRows = stored.filter((row) => nameOf(row.account) === name)
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
