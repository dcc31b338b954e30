import { shardContains } from '../tlb/shard-ident.ts'
import { sameBlock } from './block-id.ts'
import type { BlockId } from './ids.ts'
import { checkShardInfo } from './proofs/shards.ts'

type ShardInfo = ReturnType<typeof checkShardInfo>
interface Proven {
  readonly proof: Uint8Array
  readonly block: BlockId
  readonly workchain: number
  readonly shard: bigint
  readonly exact: boolean
  readonly info: ShardInfo
}

/** Shard proofs remembered: a proof tells of one shard, and reads go mostly by the newest block. */
const KEPT = 16

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * checkShardInfo, which does not check again what it has just checked: byte for byte the same proof, of the same block, for an account of a shard that
 * it proved. It is half of the cost of checking an account.
 */
export const createShardInfos = (): typeof checkShardInfo => {
  const kept: Proven[] = []
  const isInside = ({ info }: Proven, shard: bigint): boolean => info.shard !== undefined && shardContains(info.shard.id.shard, shard)
  return (proof, block, workchain, shard, exact) => {
    const known = kept.find(
      (each) =>
        each.workchain === workchain &&
        each.exact === exact &&
        (each.shard === shard || (!exact && isInside(each, shard))) &&
        sameBlock(each.block, block) &&
        isSame(each.proof, proof),
    )
    if (known !== undefined) return known.info
    const info = checkShardInfo(proof, block, workchain, shard, exact)
    kept.unshift({ proof: Uint8Array.from(proof), block, workchain, shard, exact, info })
    if (kept.length > KEPT) kept.pop()
    return info
  }
}
