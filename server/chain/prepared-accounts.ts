import { type BlockId, sameBlock } from '../tlb/ids.ts'
import type { ProvenState } from './account-states.ts'

/** Number of newest blocks for which prepared accounts are cached. */
const MAX_HEADS = 4

/**
 * Cached preparations of get-method runs by account, for the last few newest blocks. An entry references the configuration of its block, so entries for
 * accounts at thousands of old blocks would retain thousands of configurations.
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
