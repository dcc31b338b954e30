import { AbsentCellError } from '../../../cell/absent.ts'
import { augRootExtra } from '../../../cell/aug.ts'
import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { compact } from '../../../cell/copy-cells.ts'
import { storeExtraCurrencies } from '../../../tlb/currency.ts'
import type { AccountId, BlockId } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import type { FetchedLog } from '../store/fetched-log.ts'
import { TREE } from './dictionary-paths.ts'
import { joinShards, type ShardPart } from './join-shards.ts'
import type { ForkReads } from './reads.ts'

/** State of the forked network after the block at which the fork begins. The dictionaries contain absent cells. */
export type ForkBase = Awaited<ReturnType<typeof readForkBase>>

/** Looks up the newest version of a root at each call, because more cells below the root may have been fetched. */
const lookup = (fetched: FetchedLog, root: Cell | undefined): Cell | undefined => root && (fetched.find(root.hashKey()) ?? root)

const firstOf = (workchain: number, shard: bigint): AccountId => {
  const hash = Buffer.alloc(32)
  hash.writeBigUInt64BE(shard & (shard - 1n))
  return { workchain, hash: new Uint8Array(hash) }
}

/** Reads the state at which a fork begins. Every answer is checked against the block at which the fork begins. */
export const readForkBase = async (reads: ForkReads, fetched: FetchedLog, signal: AbortSignal) => {
  const { block } = reads

  /** Fetches the extra currencies of a shard's total balance from its block, because proofs of accounts prune that dictionary. */
  const withCurrencies = async (root: Cell, id: BlockId): Promise<void> => {
    try {
      // Parses the dictionary here, so that an absent cell is found. Storing the sum would copy the reference without reading it.
      void augRootExtra(shardAccountsAug, root).balance.other
    } catch (error) {
      if (!(error instanceof AbsentCellError)) throw error
      const { other } = await reads.total(id, signal)
      const dict = storeExtraCurrencies(beginCell(), other).end().ref(0)
      await fetched.add(new Map([[dict.hashKey(), { cell: compact(dict), at: { tree: TREE.nowhere, key: '\0'.repeat(32) } }]]), signal)
    }
  }
  const rootOf = async (id: BlockId): Promise<Cell | undefined> => {
    const found = await reads.account(firstOf(id.workchain, id.shard), signal)
    if (found === undefined) return undefined
    await fetched.add(found.found, signal)
    await withCurrencies(found.root, id)
    return fetched.find(found.root.hashKey())
  }

  const state = await reads.state(signal)
  const shards = await reads.shards(signal)
  const master = await rootOf(block)
  const parts: ShardPart[] = await Promise.all(shards.map(async ({ id }) => ({ shard: id.shard, root: await rootOf(id) })))
  const libraries = await reads.libraries([new Uint8Array(32)], signal)
  if (libraries !== undefined) await fetched.add(libraries.found, signal)
  return {
    ...state,
    block,
    /** Roots of ShardAccounts of the masterchain, and of workchain 0 with its shards joined. Functions, because the roots change when accounts are fetched. */
    masterAccounts: (): Cell | undefined => lookup(fetched, master),
    shardAccounts: (): Cell | undefined => joinShards(parts.map(({ shard, root }) => ({ shard, root: lookup(fetched, root) }))),
    libraries: lookup(fetched, libraries?.root),
  }
}
