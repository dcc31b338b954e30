import { parseBocRoot } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { type Block, loadBlockExtra } from '../../tlb/block/block.ts'
import { loadMcBlockExtra, type McBlockExtra } from '../../tlb/block/mc-block-extra.ts'
import type { ShardDescr } from '../../tlb/block/shard-descr.ts'
import { findShard, type ShardEntry, shardEntries } from '../../tlb/block/shard-hashes.ts'
import { type BlockId, blockFullText, blockText, sameBlock } from '../../tlb/ids.ts'
import { loadMcStateExtra, type McStateExtra } from '../../tlb/state/mc-state-extra.ts'
import { must, ProofError, proving } from './error.ts'
import { checkRootHash } from './header.ts'
import { proofBudget, proofRoot } from './roots.ts'
import { checkTwoRootState, type ProvenState } from './state.ts'

/* Shard blocks that a masterchain block commits, read from its state (getAccountState, getShardInfo) or from the block itself (getAllShardsInfo). */

export interface ProvenShard {
  readonly id: BlockId
  readonly descr: ShardDescr
}

export const topBlockOf = ({ workchain, shard, descr: { seqno, rootHash, fileHash } }: ShardEntry): BlockId => {
  return { workchain, shard, seqno, rootHash, fileHash }
}

export const masterExtraOf = ({ state, header }: ProvenState): McStateExtra => {
  if (state.custom === undefined) throw new ProofError('masterchain state', `the state of ${blockText(header.id)} has no masterchain extra`)
  return loadMcStateExtra(state.custom)
}

export const masterBlockExtraOf = (block: Block): McBlockExtra => {
  const { custom } = loadBlockExtra(block.extra)
  if (custom === undefined) throw new ProofError('masterchain block', 'no masterchain extra')
  return loadMcBlockExtra(custom)
}

/** The shard `shard` itself with its top block. Unless `exact` is set, also finds the shard that contains `shard`, or the left-most shard inside `shard`. */
export const shardIn = (hashes: Cell | undefined, workchain: number, shard: bigint, exact: boolean): ProvenShard | undefined => {
  const entry = findShard(hashes, workchain, shard, exact)
  return entry && { id: topBlockOf(entry), descr: entry.descr }
}

/** Checks a shard proof (two roots: masterchain block -> state -> ShardHashes) and returns the shard's entry; `shard` is undefined if there is no entry. */
export const checkShardInfo = (
  proof: Uint8Array,
  masterBlock: BlockId,
  workchain: number,
  shard: bigint,
  exact: boolean,
): { readonly shard: ProvenShard | undefined; readonly master: ProvenState } =>
  proving('shard proof', () => {
    const master = checkTwoRootState(proof, masterBlock, 'shard proof')
    return { shard: shardIn(masterExtraOf(master).shardHashes, workchain, shard, exact), master }
  })

export const mustBeShard = (proven: ProvenShard | undefined, claimed: BlockId): ProvenShard => {
  if (proven === undefined) throw new ProofError('shard proof', `the masterchain knows no shard of ${blockText(claimed)}`)
  must(
    sameBlock(proven.id, claimed),
    'shard proof',
    () => `the masterchain commits ${blockFullText(proven.id)}, not ${blockFullText(claimed)}`,
  )
  return proven
}

/** Checks the answer of getAllShardsInfo (a proof of the masterchain block down to ShardHashes) and lists all shards in the order of ShardHashes. */
export const checkAllShards = (proof: Uint8Array, data: Uint8Array, masterBlock: BlockId) =>
  proving('shard configuration', (): readonly ProvenShard[] => {
    const proven = masterBlockExtraOf(checkRootHash(proofRoot(proof, 'shard configuration'), masterBlock)).shardHashes
    const sent = parseBocRoot(data, { budget: proofBudget() }).slice().loadMaybeRef()
    const same = proven === undefined ? sent === undefined : sent !== undefined && Buffer.compare(proven.hash(0), sent.hash(0)) === 0
    must(same, 'shard configuration', 'the shards sent are not those of the block')
    return [...shardEntries(sent)].map((entry) => ({ id: topBlockOf(entry), descr: entry.descr }))
  })
