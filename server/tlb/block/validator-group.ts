import { createHash } from 'node:crypto'
import type { CatchainConfig } from '../config/consensus.ts'
import type { GroupMember } from '../config/validator-hash.ts'
import type { ValidatorSet } from '../config/validator-set.ts'

/* Computes which validators of a set sign for a shard, as Config::do_compute_validator_set and ValidatorSetPRNG of crypto/block/mc-config.cpp do. */

const U64 = 64n

/* Random numbers from sha512(seed . shard . workchain . catchain seqno). Each hash gives eight numbers. The seed starts at zero and counts up. */
const createRandom = (workchain: number, shard: bigint, catchainSeqno: number): ((range: bigint) => bigint) => {
  const input = Buffer.alloc(48)
  input.writeBigUInt64BE(shard, 32)
  input.writeInt32BE(workchain, 40)
  input.writeUInt32BE(catchainSeqno, 44)
  let words = Buffer.alloc(0)
  let at = 0
  const next = (): bigint => {
    if (at === words.length) {
      words = createHash('sha512').update(input).digest()
      at = 0
      for (let i = 31; i >= 0; i--) {
        input[i] = (input[i]! + 1) & 255
        if (input[i] !== 0) break
      }
    }
    at += 8
    return words.readBigUInt64BE(at - 8)
  }
  return (range) => (range * next()) >> U64
}

const masterchainGroup = (set: ValidatorSet, shuffle: boolean, random: (range: bigint) => bigint): GroupMember[] => {
  const count = Math.min(set.main, set.total)
  if (!shuffle) return set.list.slice(0, count)
  const order: number[] = []
  for (let i = 0; i < count; i++) {
    const j = Number(random(BigInt(i + 1)))
    order[i] = order[j] ?? i
    order[j] = i
  }
  return order.map((i) => set.list[i]!)
}

/* Draws validators by weight, without replacement. `taken` has the ranges of cumulative weight of the drawn validators, in ascending order. */
const shardGroup = (set: ValidatorSet, size: number, random: (range: bigint) => bigint): GroupMember[] => {
  const starts: bigint[] = []
  let sum = 0n
  for (const { weight } of set.list) {
    starts.push(sum)
    sum += weight
  }
  const taken: { readonly start: bigint; readonly weight: bigint }[] = []
  const group: GroupMember[] = []
  let left = set.totalWeight
  for (let i = 0; i < Math.min(size, set.total); i++) {
    let point = random(left)
    for (const removed of taken) {
      if (point < removed.start) break
      point += removed.weight
    }
    const chosen = starts.findLastIndex((start) => start <= point)
    const { publicKey, weight, adnlAddr } = set.list[chosen]!
    // In shard groups all votes have the same weight.
    group.push({ publicKey, weight: 1n, adnlAddr })
    left -= weight
    const removed = { start: starts[chosen]!, weight }
    const place = taken.findIndex(({ start }) => start > removed.start)
    taken.splice(place < 0 ? taken.length : place, 0, removed)
  }
  return group
}

/** The validators that make and sign the blocks of a shard at a catchain seqno. The short hash and the signatures use this order. */
export const validatorGroup = (
  set: ValidatorSet,
  catchain: Pick<CatchainConfig, 'shuffleMcValidators' | 'shardValidatorsNum'>,
  shard: { readonly workchain: number; readonly shard: bigint },
  catchainSeqno: number,
): readonly GroupMember[] => {
  const random = createRandom(shard.workchain, shard.shard, catchainSeqno)
  return shard.workchain === -1
    ? masterchainGroup(set, catchain.shuffleMcValidators ?? false, random)
    : shardGroup(set, catchain.shardValidatorsNum, random)
}
