import { augGet, loadAugE } from '../../cell/aug.ts'
import type { Budget } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { CellError } from '../../cell/error.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { loadStateUpdate } from '../../tlb/block/block.ts'
import { loadShardAccount, type ShardAccount, shardAccountsAug, skipDepthBalance } from '../../tlb/state/shard-account.ts'
import { accountsOfState } from '../../tlb/state/shard-state.ts'
import { unprunedEntries } from './unpruned-entries.ts'

/** Returns those accounts in one side of a state update that are not pruned, by id as 32 one-byte characters. Pruned accounts did not change. */
function* openAccounts(root: Cell | undefined, budget: Budget): Generator<void, Map<string, ShardAccount>> {
  const found = new Map<string, ShardAccount>()
  for (const [id, s] of unprunedEntries(root, 256, budget)) {
    skipDepthBalance(s)
    found.set(id.toString('latin1'), loadShardAccount(s))
    yield
  }
  return found
}

const accountsOf = (state: Cell): readonly (Cell | undefined)[] => {
  if (state.type === 'pruned') return []
  // split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState (block.tlb): the old state of a block after a merge.
  const isSplit = state.slice().preloadUint(32) === 0x5f327da5
  return (isSplit ? [state.ref(0), state.ref(1)] : [state]).flatMap((unsplit) => {
    const accounts = unsplit.type === 'pruned' ? unsplit : accountsOfState(unsplit)
    return accounts.type === 'pruned' ? [] : [loadAugE(accounts.slice(), shardAccountsAug)]
  })
}

/** A block has at least this many bytes for each edge of its state update: a pruned branch beside a changed account has 38. */
const EDGE_BYTES = 8

type AccountAfter = ShardAccount | undefined
/**
 * Accounts that the block changed, also those without a transaction (possible on a local chain). By id as 32 one-byte characters; undefined: the account
 * was deleted.
 */
export function* changedAccounts(block: Pick<SourceBlock, 'parts' | 'size'>): Generator<void, ReadonlyMap<string, AccountAfter>> {
  const update = loadStateUpdate(block.parts.stateUpdate)
  const [newRoot] = accountsOf(update.new)
  const budget = { cells: block.size / EDGE_BYTES }
  const after = yield* openAccounts(newRoot, budget)
  const touched = new Map<string, AccountAfter>(after)
  for (const root of accountsOf(update.old)) {
    for (const [id, before] of yield* openAccounts(root, budget)) {
      const now = after.get(id)
      if (now !== undefined) {
        if (now.accountCell.hashKey(0) === before.accountCell.hashKey(0) && now.lastTransLt === before.lastTransLt) touched.delete(id)
      } else if (isGone(newRoot, id)) touched.set(id, undefined)
    }
  }
  return touched
}

/** Returns whether an account was deleted. An account behind a pruned branch exists: it did not change. */
const isGone = (root: Cell | undefined, id: string): boolean => {
  try {
    return augGet(shardAccountsAug, root, BigInt(`0x${Buffer.from(id, 'latin1').toString('hex')}`)) === undefined
  } catch (error) {
    if (error instanceof CellError && error.kind === 'pruned') return false
    throw error
  }
}
