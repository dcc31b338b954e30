import { shardContains } from '../tlb/block/shard-ident.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type BlockId, sameBlock } from '../tlb/ids.ts'
import type { AccountChecks } from './proofs/account.ts'
import { checkBlockRoot, type ProvenBlock } from './proofs/header.ts'
import { checkShardInfo } from './proofs/shards.ts'

/*
 * Caches the checks whose results all accounts of a shard share: more than half of the cost of checking an account. Most reads use the newest block, so the
 * cache is small.
 */

const MAX_CACHED = 16

const addToCache = <T>(cache: T[], proven: T): void => {
  cache.unshift(proven)
  if (cache.length > MAX_CACHED) cache.pop()
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

/** A cached proof matches if its bytes and the block are equal and the proven shard contains the account. */
const createShardInfos = (): AccountChecks['shardInfo'] => {
  const cache: Proven[] = []
  const isInside = ({ info }: Proven, shard: bigint): boolean => info.shard !== undefined && shardContains(info.shard.id.shard, shard)
  return (proof, block, workchain, shard, exact) => {
    const cached = cache.find(
      (each) =>
        each.workchain === workchain &&
        each.exact === exact &&
        (each.shard === shard || (!exact && isInside(each, shard))) &&
        sameBlock(each.block, block) &&
        Buffer.compare(each.proof, proof) === 0,
    )
    if (cached !== undefined) return cached.info
    const info = checkShardInfo(proof, block, workchain, shard, exact)
    addToCache(cache, { proof: Uint8Array.from(proof), block, workchain, shard, exact, info })
    return info
  }
}

/** Any proof of a block contains the same header values, so a header from another proof of the block may be returned. */
const createBlockRoots = (): AccountChecks['blockRoot'] => {
  const cache: ProvenBlock[] = []
  return (root, id) => {
    const cached = cache.find((each) => sameBlock(each.id, id))
    if (cached !== undefined && sameBytes(root.hash(0), id.rootHash)) return cached
    const proven = checkBlockRoot(root, id)
    addToCache(cache, proven)
    return proven
  }
}

export const createAccountChecks = (): AccountChecks => ({ shardInfo: createShardInfos(), blockRoot: createBlockRoots() })
