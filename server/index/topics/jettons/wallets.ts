import { inParallel } from '../../../base/in-parallel.ts'
import { grouped } from '../../../base/memory/grouped.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import { accountOfKey, distinct, nameOf } from '../../../store/row-keys.ts'
import { jettonWallets } from '../../../store/schema/jettons.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { evaluateEach, STATES_AT_ONCE } from '../contracts/detect.ts'
import { addressValue, int, isConfirmed, readAnswer, someAddress, uint } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

export type WalletOf = Pick<ReadRow<typeof jettonWallets>, 'account' | 'owner' | 'jetton' | 'mc_seqno'>

export type WalletRow = WriteRow<typeof jettonWallets> & WalletOf

/** The row of a contract by its own words. The jetton's master has to confirm the owner and the jetton. */
interface Claim {
  readonly by: AccountView
  readonly row: WalletRow
}

/** Stored jetton wallets by key, as one-byte characters. */
export const walletsBefore = async (context: TopicContext, keys: readonly Buffer[]): Promise<ReadonlyMap<string, WalletOf>> => {
  const rows = await context.accountRows(jettonWallets, keys)
  return new Map([...rows].map(([key, [row]]) => [key, row!]))
}

/**
 * Rows of those accounts whose owner and jetton the master confirms. `accounts`: their code has the get-methods of a jetton wallet. `isMintless`: the code
 * also has the get-methods of TEP-176.
 */
export const evaluateWallets = async (
  accounts: readonly AccountView[],
  isMintless: (account: AccountView) => boolean,
  context: TopicContext,
): Promise<readonly WalletRow[]> => {
  const claims = await evaluateEach(accounts, context, claimOf)
  // The master has confirmed a stored wallet with this owner and jetton, and its answer is the same while it does not change.
  const before = await walletsBefore(
    context,
    claims.map(({ by }) => by.key),
  )
  const changedAt = await context.lastChanges(distinct([...before.values()].map(({ jetton }) => jetton)))
  const agreed = ({ row: { account, owner, jetton } }: Claim): boolean => {
    const found = before.get(nameOf(account))
    return found?.owner.equals(owner) === true && found.jetton.equals(jetton) && changedAt(jetton) <= found.mc_seqno
  }
  const confirmed = new Set(claims.filter(agreed))
  const unconfirmed = claims.filter((claim) => !confirmed.has(claim))
  const claimsOf = grouped(unconfirmed, ({ row }) => nameOf(row.jetton))
  const named = await context.accounts(distinct(unconfirmed.map(({ row }) => row.jetton)))
  const masters = named.filter((master) => master?.status === 'active') as AccountView[]
  for (const some of portionsOf(masters, STATES_AT_ONCE)) {
    await context.states(some)
    const runs = some.flatMap((master) => claimsOf(nameOf(master.key)).map((claim) => ({ claim, master })))
    await inParallel(runs, async ({ claim, master }) => {
      // get_wallet_address: owner:slice -> wallet:slice
      const stack = [addressValue(accountOfKey(claim.row.owner))]
      if (await isConfirmed(claim.by, master, 'get_wallet_address', stack, context)) confirmed.add(claim)
    })
  }
  return await inParallel(
    claims.filter((claim) => confirmed.has(claim)),
    async ({ by, row }) => (isMintless(by) ? { ...row, claimed: await claimedOf(by, context) } : row),
  )
}

// get_wallet_data: balance:int owner:slice master:slice code:cell
const claimOf = async (account: AccountView, context: TopicContext): Promise<Claim | undefined> => {
  const code = (value: VmStackValue | undefined) => value
  const read = readAnswer(await context.run(account, 'get_wallet_data'), uint, someAddress, someAddress, code)
  if (read === undefined) return undefined
  const [balance, owner, jetton] = read
  return { by: account, row: { account: account.key, mc_seqno: account.mcSeqno, balance, owner, jetton, claimed: undefined } }
}

/** Returns whether the wallet's allocation is claimed (TEP-176); undefined if the get-method fails. */
const claimedOf = async (account: AccountView, context: TopicContext): Promise<boolean | undefined> => {
  const read = readAnswer(await context.run(account, 'is_claimed'), int)
  return read && read[0] !== 0n
}
