import { type BlockId, sameBlock } from '../tlb/ids.ts'
import type { ProvenState } from './account-states.ts'

/** Newest blocks whose accounts stay prepared. */
const MAX_HEADS = 4

/**
 * What get-methods have prepared of accounts, for the last few blocks that were the newest when one ran. It holds the configuration of its block, so thousands of
 * accounts at old blocks would hold thousands of configurations.
 */
export interface PreparedAccounts<P extends object> {
  get(account: ProvenState): P | undefined
  /** Stores it if the account's block is one of those. `head`: the newest block. */
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
