import { formatRaw } from '../../shared/fields/address.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { EmulateRequest } from './trace.ts'

export interface EmulatedAccount {
  readonly id: AccountId
  /** Newest block of the account's shard that the masterchain block of the request references, with its end_lt and its time (unix seconds). */
  readonly shardBlock: BlockId
  readonly endLt: bigint
  readonly utime: number
  now: ShardAccount
  /** Logical time after the account's last transaction in this emulation. Stored separately, because the state of a deleted account does not contain it. */
  lastLt: bigint
}

const begin = async (state: AccountState, stateOf: EmulateRequest['stateOf']): Promise<EmulatedAccount> => {
  const { id, shardBlock, genLt, genUtime, accountCell, lastTransHash, lastTransLt } = state
  const inBlock = { accountCell, lastTransHash, lastTransLt }
  return { id, shardBlock, endLt: genLt, utime: genUtime, now: (await stateOf?.(id, inBlock, genUtime)) ?? inBlock, lastLt: 0n }
}

export type EmulatedAccounts = ReturnType<typeof createAccounts>

export const createAccounts = (
  chain: Pick<Chain, 'account'>,
  { at, stateOf }: Pick<EmulateRequest, 'at' | 'stateOf'>,
  signal: AbortSignal,
) => {
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
    /** Starts to read an account that will be needed soon. A failed read throws again in `get`, so the error is ignored here. */
    want: (id: AccountId): void => void get(id).catch(() => {}),
    get,
  }
}
