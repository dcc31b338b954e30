import { shardContains } from '../tlb/block/shard-ident.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type BlockId, sameBlock } from '../tlb/ids.ts'
import type { AccountChecks } from './proofs/account.ts'
import { checkBlockRoot, type ProvenBlock } from './proofs/header.ts'
import { checkShardInfo } from './proofs/shards.ts'

/*
 * Caches the checks that are the same for all accounts of a shard. Most reads use the newest block, and these checks are more than half of the cost of
 * checking an account.
 */

/** Cached proofs of each kind; one proof covers one shard. */
const KEPT = 16

const keep = <T>(kept: T[], proven: T): void => {
  kept.unshift(proven)
  if (kept.length > KEPT) kept.pop()
}

type ShardInfo = ReturnType<typeof checkShardInfo>
interface Proven {
  readonly proof: Uint8Array
  readonly block: BlockId
  readonly workchain: number
  readonly shard: bigint
  readonly exact: boolean
  readonly info: ShardInfo
}

/** Finds a cached proof: the same bytes, for the same block, and for an account in the shard that it proved. */
const createShardInfos = (): AccountChecks['shardInfo'] => {
  const kept: Proven[] = []
  const isInside = ({ info }: Proven, shard: bigint): boolean => info.shard !== undefined && shardContains(info.shard.id.shard, shard)
  return (proof, block, workchain, shard, exact) => {
    const known = kept.find(
      (each) =>
        each.workchain === workchain &&
        each.exact === exact &&
        (each.shard === shard || (!exact && isInside(each, shard))) &&
        sameBlock(each.block, block) &&
        Buffer.compare(each.proof, proof) === 0,
    )
    if (known !== undefined) return known.info
    const info = checkShardInfo(proof, block, workchain, shard, exact)
    keep(kept, { proof: Uint8Array.from(proof), block, workchain, shard, exact, info })
    return info
  }
}

/** Cache by block hash of headers that were read. Another proof of the same block shows the same header or less. */
const createBlockRoots = (): AccountChecks['blockRoot'] => {
  const kept: ProvenBlock[] = []
  return (root, id) => {
    const known = kept.find((each) => sameBlock(each.id, id))
    if (known !== undefined && sameBytes(root.hash(0), id.rootHash)) return known
    const proven = checkBlockRoot(root, id)
    keep(kept, proven)
    return proven
  }
}

/** Caching checks for the blocks of one chain. */
export const createAccountChecks = (): AccountChecks => ({ shardInfo: createShardInfos(), blockRoot: createBlockRoots() })
