import { setTimeout as sleep } from 'node:timers/promises'
import type { Cell } from '../../cell/cell.ts'
import { createPatientAsk, createRawAsk } from '../../chain/ask.ts'
import { type Blocks, createBlocks, type SourceBlock } from '../../chain/blocks.ts'
import { type LiteServer, LiteServerError } from '../../chain/liteserver.ts'
import type { ProvenAccount } from '../../chain/proofs/account.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { createLimiter } from './limiter.ts'
import { shardBlocks } from './shard-blocks.ts'
import { type ShardTop, topsIn } from './tops.ts'

/* The chain as the index reads it: chain/blocks.ts, asked again where it fails, so many questions at once, with what is missing told as undefined. */

export interface MasterBlock {
  readonly master: SourceBlock
  /** Shard blocks that this one commits, each after its previous ones. */
  readonly shards: readonly SourceBlock[]
  /** The shard configuration, without the masterchain. */
  readonly tops: readonly ShardTop[]
}

/** A masterchain block by itself. */
export interface Master {
  readonly block: SourceBlock
  readonly tops: readonly ShardTop[]
}

export interface Source extends Pick<Blocks, 'zeroState' | 'block' | 'configParams'> {
  readonly server: LiteServer
  /** The whole state after a block, which must have this root hash; undefined where the source does not give it. */
  state(id: BlockId, rootHash: Uint8Array, signal: AbortSignal): Promise<Cell | undefined>
  /** Id of a masterchain block, as the source tells it; undefined while there is none of that seqno. */
  masterId(seqno: number, signal: AbortSignal): Promise<BlockId | undefined>
  /** The same, proven to be in the chain of a later one. */
  provenId(seqno: number, of: BlockId, signal: AbortSignal): Promise<BlockId>
  master(id: BlockId, signal: AbortSignal): Promise<Master>
  /** Shard blocks from the `previous` tops (exclusive) to these, each after its previous ones. */
  shards(tops: readonly ShardTop[], previous: readonly ShardTop[], signal: AbortSignal): Promise<readonly SourceBlock[]>
  /** A masterchain block with its shard blocks; `previous`: the tops of the masterchain block before it. */
  read(id: BlockId, previous: readonly ShardTop[], signal: AbortSignal): Promise<MasterBlock>
  /** An account at a masterchain block; undefined where the source may forget states and has forgotten this one. */
  account(block: BlockId, account: AccountId, signal: AbortSignal): Promise<ProvenAccount | undefined>
}

/** Error code of a lite-server for what it does not have, yet or any more. */
const NOT_READY = 651

/** Tries of one question; a source that stays away or wrong is left for a while by the indexer itself. */
const TRIES = 8
/** Questions for blocks, ids and accounts at once. */
const LANES = 8
/** Further tries for a state that is said to be missing. */
const PATIENCE = 2

export interface SourceOptions {
  /** Milliseconds before the second try; doubled from try to try. */
  readonly pause?: number
  /** Called with the error of each try that failed. */
  readonly onFailure?: (error: unknown) => void
  /** Questions at once, LANES unless given. */
  readonly lanes?: number
  /** Whether states of old blocks may be gone. */
  readonly forgets?: boolean
  /** Whether shard blocks of a workchain are wanted; all are unless given. */
  readonly wants?: (workchain: number) => boolean
}

/** Undefined for a refusal of the source itself, of that code if one is given. */
const unlessRefused = async <T>(asked: Promise<T>, code?: number): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof LiteServerError && (code === undefined || error.code === code)) return undefined
    throw error
  }
}

export const createSource = (server: LiteServer, options: SourceOptions = {}): Source => {
  const { pause = 50, onFailure, lanes = LANES, forgets = false, wants = () => true } = options
  const limited = createLimiter(lanes)
  const blocks = createBlocks(createPatientAsk(createRawAsk(server), { tries: TRIES, pause, onFailure }))

  const block: Source['block'] = (id, signal) => limited(() => blocks.block(id, signal))

  const master: Source['master'] = async (id, signal) => {
    const found = await block(id, signal)
    return { block: found, tops: topsIn(found) }
  }

  const shards: Source['shards'] = (tops, previous, signal) =>
    shardBlocks(
      tops.filter(({ workchain }) => wants(workchain)),
      previous,
      (id) => block(id, signal),
    )

  /** A server that does not have a state yet says the same as one that does not have it any more: it is asked again before it counts as gone. */
  const account = async (id: BlockId, of: AccountId, signal: AbortSignal): Promise<ProvenAccount | undefined> => {
    const ask = (): Promise<ProvenAccount> => blocks.account(id, of, signal, (proven) => proven)
    if (!forgets) return await ask()
    for (let left = PATIENCE; ; left--) {
      const found = await unlessRefused(ask(), NOT_READY)
      if (found !== undefined || left === 0) return found
      await sleep(pause, undefined, { signal })
    }
  }

  return {
    server,
    block,
    master,
    shards,
    zeroState: blocks.zeroState,
    configParams: blocks.configParams,
    state: (id, rootHash, signal) => unlessRefused(blocks.state(id, rootHash, signal)),
    masterId: (seqno, signal) =>
      unlessRefused(
        limited(() => blocks.masterId(seqno, signal)),
        NOT_READY,
      ),
    provenId: (seqno, of, signal) => blocks.provenId({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, { seqno: true }, of, signal),
    async read(id, previous, signal) {
      const { block: found, tops } = await master(id, signal)
      return { master: found, tops, shards: await shards(tops, previous, signal) }
    },
    account: (id, of, signal) => limited(() => account(id, of, signal)),
  }
}
