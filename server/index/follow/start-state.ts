import { augEntries, loadAugE } from '../../cell/aug.ts'
import { WHOLE_STATE } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import type { ZeroStateId } from '../../chain/liteserver.ts'
import { accountKey } from '../../store/row-keys.ts'
import { loadStateUpdate } from '../../tlb/block/block.ts'
import { loadParam } from '../../tlb/config/config-dictionary.ts'
import { workchains } from '../../tlb/config/workchains.ts'
import { type BlockId, WHOLE_SHARD } from '../../tlb/ids.ts'
import { loadMcStateExtra } from '../../tlb/state/mc-state-extra.ts'
import { loadShardAccount, shardAccountsAug } from '../../tlb/state/shard-account.ts'
import { loadShardState } from '../../tlb/state/shard-state.ts'
import { accountFacts } from '../derive/account-facts.ts'
import type { AccountChange } from '../derive/group-rows.ts'
import { type StateRows, stateRows } from '../derive/state-rows.ts'
import type { Selection } from '../service/account-selection.ts'
import type { BlockContext } from '../topics/run-topics.ts'
import { type MasterIds, type Source, unlessRefused } from './source.ts'
import { type ShardTop, topsIn, topsOf } from './tops.ts'

/* The state before the first block: accounts of the zerostates or, in the middle of a chain, of the states that the source provides. */

/** Rows of the state at a block. */
export type StartPortion = StateRows & { readonly at: BlockContext }

function* statesIn(root: Cell, at: BlockContext, selection: Selection): Generator<AccountChange> {
  const state = loadShardState(root)
  const entries = loadAugE(state.accounts.slice(), shardAccountsAug)
  // The zerostate of a fork has only the accounts that were fetched.
  for (const [id, , value] of augEntries(shardAccountsAug, entries, { cells: WHOLE_STATE }, { skipMissing: true })) {
    const hash = Buffer.from(id.toString(16).padStart(64, '0'), 'hex')
    if (!selection.has(state.workchain, hash)) continue
    const { accountCell, lastTransHash, lastTransLt } = loadShardAccount(value)
    if (accountCell.type === 'pruned') continue
    const key = accountKey(state.workchain, hash)
    const place = { mcSeqno: at.id.seqno, master: at.id, utime: state.genUtime }
    const facts = accountFacts(accountCell)!
    yield { key, ...place, lastTransHash, lastTransLt, firstLt: lastTransLt, facts, cells: [] }
  }
}

/** The start of an index: the state of the chain before its first block. */
export interface Start {
  /** The block before the first block: the zerostate if the first block is block 1. */
  readonly id: BlockId
  /** Newest blocks of all shards at that block; undefined if the source has neither the block nor the state after it. */
  readonly tops: readonly ShardTop[] | undefined
  /** Accounts before the first block, in portions, masterchain first. States that the source does not provide are left out. */
  portions(selection: Selection): AsyncIterable<StartPortion>
}

const rootsOf = (zero: ZeroStateId, master: Cell): readonly BlockId[] => {
  const { config } = loadMcStateExtra(loadShardState(master).custom!).config
  return [...(loadParam(config, 12, workchains) ?? [])].map(
    ([workchain, { zerostateRootHash: rootHash, zerostateFileHash: fileHash }]) => ({
      ...zero,
      workchain,
      shard: WHOLE_SHARD,
      seqno: 0,
      rootHash,
      fileHash,
    }),
  )
}

const portionsFrom = (id: BlockId, master: Cell | undefined, shards: () => AsyncIterable<Cell>): Start['portions'] =>
  async function* (selection) {
    const seen = new Set<string>()
    const custom = master && loadShardState(master).custom
    const at = {
      id,
      ...(custom && { config: loadMcStateExtra(custom).config.config }),
    }
    const portionsOf = async function* (root: Cell): AsyncGenerator<StartPortion> {
      for await (const rows of stateRows(statesIn(root, at, selection), seen)) yield { at, ...rows }
    }
    if (master) yield* portionsOf(master)
    for await (const root of shards()) yield* portionsOf(root)
  }

const fromZero = async (source: Source, zero: ZeroStateId, signal: AbortSignal): Promise<Start> => {
  const id: BlockId = { ...zero, shard: WHOLE_SHARD, seqno: 0 }
  const master = await source.state(id, id.rootHash, signal)
  if (master === undefined) throw new Error('the source does not give the zerostate')
  return {
    id,
    tops: [],
    portions: portionsFrom(id, master, async function* () {
      for (const shard of rootsOf(zero, master)) {
        const root = await source.state(shard, shard.rootHash, signal)
        if (root === undefined) throw new Error(`the source does not give the zerostate of workchain ${shard.workchain}`)
        yield root
      }
    }),
  }
}

const stateAfter = (source: Source, block: SourceBlock, signal: AbortSignal): Promise<Cell | undefined> =>
  source.state(block.id, loadStateUpdate(block.parts.stateUpdate).new.hash(0), signal)

/** Reads the first block, and the id of the block before it. */
export const readFirst = async (source: Source, first: number, idOf: MasterIds, signal: AbortSignal) => {
  const firstId = await idOf(first)
  if (firstId === undefined) throw new Error(`the chain has no masterchain block ${first} yet`)
  const next = await source.block(firstId, signal)
  const id: BlockId = { workchain: firstId.workchain, shard: firstId.shard, ...next.info.prev[0]! }
  return { next, id }
}

const fromBlock = async (source: Source, first: number, idOf: MasterIds, signal: AbortSignal): Promise<Start> => {
  const { next, id } = await readFirst(source, first, idOf, signal)
  const block = await unlessRefused(source.block(id, signal))
  // The state update of the first block contains the hash of the state before it.
  const master = await source.state(id, loadStateUpdate(next.parts.stateUpdate).old.hash(0), signal)
  const extra = master && loadShardState(master).custom
  const tops = block ? topsIn(block) : extra && topsOf(loadMcStateExtra(extra).shardHashes)
  return {
    id,
    tops,
    portions: portionsFrom(id, master, async function* () {
      for (const top of tops ?? []) {
        const shard = await unlessRefused(source.block(top, signal))
        const root = shard && (await stateAfter(source, shard, signal))
        if (root) yield root
      }
    }),
  }
}

export const openStart = (source: Source, zero: ZeroStateId, first: number, idOf: MasterIds, signal: AbortSignal): Promise<Start> =>
  first === 1 ? fromZero(source, zero, signal) : fromBlock(source, first, idOf, signal)
