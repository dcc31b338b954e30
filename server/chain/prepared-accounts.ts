import { type BlockId, sameBlock } from '../tlb/ids.ts'
import type { ProvenState } from './account-states.ts'

const MAX_HEADS = 4

/**
 * Caches preparations of get-method runs by account, only for the last few newest blocks. Each entry retains its block's configuration, so entries for
 * thousands of old blocks would retain thousands of configurations.
 */
export interface PreparedAccounts<P extends object> {
  get(account: ProvenState): P | undefined
  /** Caches the entry if the account's block is one of the newest blocks. `head`: the newest block. */
  add(account: ProvenState, prepared: P, head: BlockId): void
}

export const createPreparedAccounts = <P extends object>(): PreparedAccounts<P> => {
  /** Newest first. */
  let heads: readonly { readonly block: BlockId; readonly accounts: WeakMap<ProvenState, P> }[] = []
  return {
    get(account) {
      for (const { accounts } of heads) {
        const prepared = accounts.get(account)
        if (prepared !== undefined) return prepared
      }
      return undefined
    },
    add(account, prepared, head) {
      if (!heads.some(({ block }) => sameBlock(block, head))) {
        heads = [{ block: head, accounts: new WeakMap<ProvenState, P>() }, ...heads].slice(0, MAX_HEADS)
      }
      const { block } = account.state
      heads.find((each) => sameBlock(each.block, block))?.accounts.set(account, prepared)
    },
  }
}
