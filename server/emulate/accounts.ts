import { formatRaw } from '../../shared/fields/address.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { EmulateRequest } from './trace.ts'

/** An account during an emulation. */
export interface EmulatedAccount {
  readonly id: AccountId
  /** The newest block of its shard that the masterchain block names, with its end_lt and time (unix seconds). */
  readonly shardBlock: BlockId
  readonly endLt: bigint
  readonly utime: number
  now: ShardAccount
  /** Lt after its last transaction in this emulation. It is stored here, because the state of a deleted account does not have it. */
  lastLt: bigint
}

/** Accounts of one emulation, in their states after the transactions that were made so far. */
export interface EmulatedAccounts {
  /** Begins to read an account that is needed soon. */
  want(id: AccountId): void
  get(id: AccountId): Promise<EmulatedAccount>
}

const begin = (state: AccountState, stateOf: EmulateRequest['stateOf']): EmulatedAccount => {
  const { id, shardBlock, genLt, genUtime, accountCell, lastTransHash, lastTransLt } = state
  const inBlock = { accountCell, lastTransHash, lastTransLt }
  return { id, shardBlock, endLt: genLt, utime: genUtime, now: stateOf?.(id, inBlock, genUtime) ?? inBlock, lastLt: 0n }
}

export const createAccounts = (
  chain: Pick<Chain, 'account'>,
  { at, stateOf }: Pick<EmulateRequest, 'at' | 'stateOf'>,
  signal: AbortSignal,
): EmulatedAccounts => {
  const accounts = new Map<string, Promise<EmulatedAccount>>()
  const get = (id: AccountId): Promise<EmulatedAccount> => {
    const key = formatRaw(id, 'lower')
    const cached = accounts.get(key)
    if (cached !== undefined) return cached
    const account = chain.account(id, at, signal).then((state) => begin(state, stateOf))
    accounts.set(key, account)
    return account
  }
  return {
    // The error is thrown when the account is used.
    want: (id) => void get(id).catch(() => {}),
    get,
  }
}
