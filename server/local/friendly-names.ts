import { TonError } from '../../shared/errors.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import { withTimeout } from '../base/abort.ts'
import { byteText } from '../base/memory/byte-text.ts'
import { isWalletCode } from '../book/interfaces.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { AccountId } from '../tlb/ids.ts'

/** Maximum number of accounts that are looked up for one answer, and maximum time for all of them. A fork may have to fetch accounts from another network. */
const MAX_ACCOUNTS = 200
const MAX_WAIT_MS = 1_000

/** An account is bounceable if it has a contract that is not a wallet, as in the address book of v3. */
const isBounceable = async (chain: Pick<Chain, 'account'>, id: AccountId, signal: AbortSignal): Promise<boolean> => {
  const { account } = await chain.account(id, undefined, signal)
  const code = account?.state.type === 'active' ? account.state.init.code : undefined
  return code !== undefined && !isWalletCode(byteText(code.hash(), 'base64'))
}

/** Friendly addresses of accounts, by the keys of `accounts`. Accounts that cannot be read in time are omitted. */
export const friendlyNames = async (
  chain: Pick<Chain, 'account'>,
  accounts: ReadonlyMap<string, AccountId>,
  caller: AbortSignal,
): Promise<Record<string, { user_friendly: string }>> => {
  const all = await withTimeout(caller, MAX_WAIT_MS, (signal) => {
    const named = [...accounts].slice(0, MAX_ACCOUNTS).map(async ([name, id]) => {
      try {
        return [[name, { user_friendly: formatFriendly(id, { bounceable: await isBounceable(chain, id, signal) }) }]] as const
      } catch (error) {
        if (caller.aborted || !(signal.aborted || error instanceof TonError)) throw error
        return []
      }
    })
    return Promise.all(named)
  })
  return Object.fromEntries(all.flat())
}
