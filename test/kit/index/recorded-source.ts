import { createHash } from 'node:crypto'
import { augGet } from '../../../server/cell/aug.ts'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { type Cell, CellError } from '../../../server/cell/cell.ts'
import { applyUpdate } from '../../../server/cell/merkle.ts'
import type { LiteAnswer, LiteFunction, LiteServer } from '../../../server/chain/liteserver.ts'
import type { ProvenAccount } from '../../../server/chain/proofs/account.ts'
import { MAX_ANSWER_CELLS, proofRoot } from '../../../server/chain/proofs/roots.ts'
import { createSource, type Source } from '../../../server/index/follow/source.ts'
import { loadBlock } from '../../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../../server/tlb/block/block-info.ts'
import { configParam } from '../../../server/tlb/config/config-dictionary.ts'
import type { AccountId, BlockId } from '../../../server/tlb/ids.ts'
import { loadMcStateExtra } from '../../../server/tlb/state/mc-state-extra.ts'
import { loadShardAccount, shardAccountsAug } from '../../../server/tlb/state/shard-account.ts'
import { accountsOfState, loadShardState } from '../../../server/tlb/state/shard-state.ts'
import { createReplaySource } from '../chain/replay-source.ts'
import { readData, readJson } from '../data.ts'

/*
 * Blocks of mainnet that are full of what people do: those of the bundle 56703839 (September 2025) and 71398501 (May 2026). Their masterchain blocks
 * are not recorded, so the first ones of mainnet stand in their place. Account states are known as far as the bundle has them.
 */

interface Bundle {
  readonly blocks: readonly { readonly boc: string }[]
  readonly states: readonly { readonly named_root_hash: string; readonly boc: string }[]
}

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

interface Recorded {
  readonly id: BlockId
  readonly boc: Buffer
  /** The shard state after the block, as far as it is recorded. */
  readonly state: Cell | undefined
}

const BUNDLE = 'chain/mainnet-bundle-56703839.json'
const MAY_2026 = 'blocks/tonutils-block_0_8000000000000000_71398501.boc'

/** The recorded blocks, oldest first, and the configuration at that time. */
const readRecorded = (): { readonly blocks: readonly Recorded[]; readonly config: Cell } => {
  const bundle = readJson<Bundle>(BUNDLE)
  const states = new Map(bundle.states.map(({ named_root_hash, boc }) => [named_root_hash, boc]))
  const stateOf = (rootHash: Uint8Array): Cell | undefined => {
    const boc = states.get(hex(rootHash))
    return boc === undefined ? undefined : proofRoot(bytes(boc), 'state', { cells: MAX_ANSWER_CELLS })
  }
  let config: Cell | undefined
  const recorded = (boc: Buffer): Recorded => {
    const root = parseBocRoot(boc)
    const block = loadBlock(root)
    const info = loadBlockInfo(block.info)
    const master = info.masterRef && stateOf(info.masterRef.rootHash)
    if (master !== undefined) config = loadMcStateExtra(loadShardState(master).custom!).config.config
    const before = info.prev[0] && stateOf(info.prev[0].rootHash)
    const fileHash = createHash('sha256').update(boc).digest()
    const { workchain, shard, seqno } = info
    const after = before && applyUpdate(before, block.stateUpdate)
    return { id: { workchain, shard, seqno, rootHash: root.hash(), fileHash }, boc, state: after ?? stateOf(root.hash()) }
  }
  const blocks = [...bundle.blocks.map(({ boc }) => bytes(boc)), readData(MAY_2026)].map(recorded)
  if (config === undefined) throw new Error(`${BUNDLE} has no configuration`)
  return { blocks: blocks.sort((a, b) => a.id.seqno - b.id.seqno), config }
}

/** An account after a block, if its state is recorded as a whole. */
const accountIn = ({ id, state }: Recorded, { workchain, hash }: AccountId): ProvenAccount | undefined => {
  if (state === undefined || workchain !== id.workchain) return undefined
  try {
    const { genUtime, genLt } = loadShardState(state)
    const found = augGet(shardAccountsAug, accountsOfState(state).slice().loadMaybeRef(), BigInt(`0x${hex(hash)}`))
    if (found === undefined) return undefined
    const { accountCell, lastTransLt, lastTransHash } = loadShardAccount(found.value)
    return accountCell.levelMask === 0 ? { shardBlock: id, genUtime, genLt, account: accountCell, lastTransLt, lastTransHash } : undefined
  } catch (error) {
    // The way to this account is not in the recorded proof.
    if (error instanceof CellError) return undefined
    throw error
  }
}

export interface RecordedSource {
  readonly source: Source
  /** The last masterchain block. */
  readonly head: BlockId
}

/** A source with one masterchain block for each recorded block. Blocks are parsed and checked each time, as those of a lite-server are. */
export const createRecordedSource = async (signal: AbortSignal): Promise<RecordedSource> => {
  const { blocks, config } = readRecorded()
  const replay = createReplaySource(blocks.length)
  const byRoot = new Map(blocks.map((block) => [hex(block.id.rootHash), block]))
  const server: LiteServer = {
    ...replay,
    async query<F extends LiteFunction>(fn: F, args: never, caller: AbortSignal): Promise<LiteAnswer<F>> {
      const { id } = args as { readonly id?: BlockId }
      const recorded = fn === 'getBlock' && id ? byRoot.get(hex(id.rootHash)) : undefined
      if (recorded !== undefined) return { id, data: recorded.boc } as LiteAnswer<F>
      return await replay.query(fn, args, caller)
    },
  }
  const source = createSource(server)
  const at = ({ seqno }: BlockId): Recorded => blocks[seqno - 1]!
  return {
    source: {
      ...source,
      master: async (id, caller) => ({ block: await source.block(id, caller), tops: [at(id).id] }),
      shards: (tops, _, caller) => Promise.all(tops.map((top) => source.block(top, caller))),
      account: async (id, of) => accountIn(at(id), of),
      config: async () => ({
        root: config,
        configAddress: new Uint8Array(32),
        globalBalance: 0n,
        param: (param) => configParam(config, param),
        prevBlocks: undefined,
      }),
      libraries: () => async () => [],
    },
    head: (await source.masterId(blocks.length, signal))!,
  }
}
