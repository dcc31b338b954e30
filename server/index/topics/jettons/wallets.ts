import { accountOfKey } from '../../../store/keys.ts'
import { bytes, line, maybeBool } from '../../derive/rows/text.ts'
import { inParallel } from '../contracts/in-parallel.ts'
import { address, addressValue, int, stackOf, uint } from '../contracts/read.ts'
import type { AccountView, ExtensionContext } from '../topic.ts'
import { readWalletData, type WalletData } from './layouts.ts'

/** A jetton wallet with its owner and its jetton. */
export interface WalletOf {
  readonly key: Buffer
  readonly owner: Buffer
  readonly jetton: Buffer
}

export interface WalletRow extends WalletOf {
  readonly line: string
}

/** An account whose code has the get-methods of a jetton wallet. `mintless`: it also has those of TEP-176. */
export interface WalletAccount {
  readonly account: AccountView
  readonly mintless: boolean
}

interface Claim extends WalletOf, WalletAccount {
  readonly balance: bigint
}

const hex = (key: Buffer): string => key.toString('latin1')

/** Stored jetton wallets among the given keys, by key as one-byte characters. */
export const walletsBefore = async (context: ExtensionContext, keys: readonly Buffer[]): Promise<ReadonlyMap<string, WalletOf>> => {
  if (keys.length === 0) return new Map()
  const rows = await context.rows<{ account: Buffer; owner: Buffer; jetton: Buffer }>(
    'select account, owner, jetton from jetton_wallets where account = any($1::bytea[])',
    [keys],
  )
  return new Map(rows.map(({ account, owner, jetton }) => [hex(account), { key: account, owner, jetton }]))
}

/** Rows of jetton wallets: accounts whose claim (owner and jetton) the master confirms. */
export const evaluateWallets = async (accounts: readonly WalletAccount[], context: ExtensionContext): Promise<readonly WalletRow[]> => {
  // Fast path: most blocks change no wallet.
  if (accounts.length === 0) return []
  const states = await context.states(accounts.map(({ account }) => account))
  const asked = accounts.map((wallet, i) => ({ wallet, known: readWalletData(wallet.account.codeHash, states[i]?.data) }))
  const claims = (await inParallel(asked, ({ wallet, known }) => claimOf(wallet, known, context))).filter((claim) => claim !== undefined)
  // A stored wallet with the same owner and jetton was confirmed before. That does not change, so the master is not asked again.
  const before = await walletsBefore(
    context,
    claims.map(({ key }) => key),
  )
  const agreed = (claim: Claim): boolean => {
    const known = before.get(hex(claim.key))
    return known?.owner.equals(claim.owner) === true && known.jetton.equals(claim.jetton)
  }
  const asking = claims.filter((claim) => !agreed(claim))
  const masters = await mastersOf(asking, context)
  const answers = await inParallel(asking, (claim) => isAgreedBy(masters.get(hex(claim.jetton)), claim, context))
  const denied = new Set(asking.filter((_, i) => !answers[i]))
  return await inParallel(
    claims.filter((claim) => !denied.has(claim)),
    async (claim) => ({ ...claim, line: rowOf(claim, claim.mintless ? await claimedOf(claim.account, context) : undefined) }),
  )
}

/** The active masters that the claims name, by key, with their states loaded. */
const mastersOf = async (claims: readonly Claim[], context: ExtensionContext): Promise<ReadonlyMap<string, AccountView>> => {
  const keys = [...new Map(claims.map(({ jetton }) => [hex(jetton), jetton])).values()]
  const masters = (await context.accounts(keys)).filter((master) => master?.status === 'active') as AccountView[]
  await context.states(masters)
  return new Map(masters.map((master) => [hex(master.key), master]))
}

// get_wallet_data: balance:int owner:slice master:slice code:cell
const claimOf = async (
  { account, mintless }: WalletAccount,
  known: WalletData | undefined,
  context: ExtensionContext,
): Promise<Claim | undefined> => {
  if (known !== undefined) return { account, mintless, key: account.key, ...known }
  const stack = stackOf(await context.run(account, 'get_wallet_data'), 4)
  const balance = uint(stack?.[0])
  const owner = address(stack?.[1])
  const jetton = address(stack?.[2])
  return balance === undefined || !owner || !jetton ? undefined : { account, mintless, key: account.key, balance, owner, jetton }
}

// get_wallet_address: owner:slice -> wallet:slice
const isAgreedBy = async (master: AccountView | undefined, claim: Claim, context: ExtensionContext): Promise<boolean> => {
  if (master === undefined) return false
  const stack = stackOf(await context.run(master, 'get_wallet_address', [addressValue(accountOfKey(claim.owner))]), 1)
  return address(stack?.[0])?.equals(claim.key) === true
}

/** TEP-176: whether the wallet's allocation is claimed; undefined if the get-method fails. */
const claimedOf = async (account: AccountView, context: ExtensionContext): Promise<boolean | undefined> => {
  const claimed = int(stackOf(await context.run(account, 'is_claimed'), 1)?.[0])
  return claimed === undefined ? undefined : claimed !== 0n
}

const rowOf = ({ account, balance, owner, jetton }: Claim, claimed: boolean | undefined): string =>
  line([bytes(account.key), String(account.mcSeqno), String(balance), bytes(owner), bytes(jetton), maybeBool(claimed)])
