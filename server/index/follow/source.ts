import { setTimeout as sleep } from 'node:timers/promises'
import { createLanes } from '../../base/in-parallel.ts'
import { createBlocks, type SourceBlock } from '../../chain/blocks.ts'
import { createPatientQuery, createRawQuery } from '../../chain/checked-query.ts'
import { type LiteServer, LiteServerError } from '../../chain/liteserver.ts'
import type { ProvenAccount } from '../../chain/proofs/account.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { shardBlocks } from './shard-blocks.ts'
import { type ShardTop, topsIn } from './tops.ts'

/* Reads the chain for the index: chain/blocks.ts with retries and a limit of parallel requests. Missing data is undefined. */

export interface MasterBlock {
  readonly master: SourceBlock
  /** Shard blocks that this block commits. Each block comes after its previous blocks. */
  readonly shards: readonly SourceBlock[]
  /** Newest blocks of all shards, without the masterchain. */
  readonly tops: readonly ShardTop[]
}

export interface Master {
  readonly block: SourceBlock
  readonly tops: readonly ShardTop[]
}

export type Source = ReturnType<typeof createSource>

/** Error code of a lite-server for data that it does not have yet, or no longer has (ton/ton-types.h: notready). */
const NOT_READY = 651

/** Maximum number of attempts per request. After the last attempt the indexer pauses and starts again. */
const TRIES = 8
/** Number of parallel requests for blocks and ids. */
const LANES = 8
/** Parallel requests for accounts per lane. Account requests are small, and those of one event-loop turn are sent together. */
const ACCOUNTS_A_LANE = 4
/** Further attempts for a state that the source reports as missing. */
const PATIENCE = 2

export interface SourceOptions {
  /** Milliseconds before the second attempt; doubled for each further one. */
  readonly pause?: number
  readonly onFailure?: (error: unknown) => void
  /** Parallel requests, LANES by default. */
  readonly lanes?: number
  /** True if the source may no longer have the states of old blocks. */
  readonly forgets?: boolean
  /** Returns whether the shard blocks of a workchain are indexed. Default: all. */
  readonly wants?: (workchain: number) => boolean
}

/** Awaits a request; undefined if the lite-server answered with an error. With `code`, only an error with this code counts. */
export const unlessRefused = async <T>(request: Promise<T>, code?: number): Promise<T | undefined> => {
  try {
    return await request
  } catch (error) {
    if (error instanceof LiteServerError && (code === undefined || error.code === code)) return undefined
    throw error
  }
}

export const createSource = (server: LiteServer, options: SourceOptions = {}) => {
  const { pause = 50, onFailure, lanes = LANES, forgets = false, wants = () => true } = options
  const limited = createLanes(lanes)
  const limitedAccounts = createLanes(ACCOUNTS_A_LANE * lanes)
  const blocks = createBlocks(createPatientQuery(createRawQuery(server), { tries: TRIES, pause, onFailure }))

  const block = (id: BlockId, signal: AbortSignal): Promise<SourceBlock> => limited(() => blocks.block(id, signal))

  const master = async (id: BlockId, signal: AbortSignal): Promise<Master> => {
    const found = await block(id, signal)
    return { block: found, tops: topsIn(found) }
  }

  const shards = (tops: readonly ShardTop[], previous: readonly ShardTop[], signal: AbortSignal): Promise<readonly SourceBlock[]> =>
    shardBlocks(
      tops.filter(({ workchain }) => wants(workchain)),
      previous,
      (id) => block(id, signal),
    )

  /** A server reports "not yet" and "no longer" with one code, so the request is repeated before the state counts as missing. */
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
    config: blocks.config,
    libraries: blocks.libraries,
    /** The complete state after a block, checked against `rootHash`. Undefined if the source does not provide the state. */
    state: (id: BlockId, rootHash: Uint8Array, signal: AbortSignal) => unlessRefused(blocks.state(id, rootHash, signal)),
    /** The id that the source reports, without a proof; undefined if the source does not have that seqno. */
    masterId: (seqno: number, signal: AbortSignal) =>
      unlessRefused(
        limited(() => blocks.masterId(seqno, signal)),
        NOT_READY,
      ),
    /** The id of a masterchain block, proven to be in the chain of the later block `of`. */
    provenId: (seqno: number, of: BlockId, signal: AbortSignal) =>
      blocks.provenId({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, { seqno: true }, of, signal),
    /** The account at a masterchain block. Undefined if the state is missing and the source may lack old states (`forgets`). */
    account: (id: BlockId, of: AccountId, signal: AbortSignal) => limitedAccounts(() => account(id, of, signal)),
  }
}

export const headOf = async (source: Source, signal: AbortSignal): Promise<BlockId> => {
  const current = source.server.head?.()
  if (current) return current.id
  for await (const { id } of source.server.heads(signal)) return id
  throw new Error('the source gave no head')
}

export type MasterIds = (seqno: number) => Promise<BlockId | undefined>

/**
 * Returns a function that finds the ids of masterchain blocks; undefined for a block that the chain lacks. The current head proves each id. On a chain that
 * can be reverted the source's ids are used without a proof.
 */
export const openMasterIds = async (source: Source, reverts: boolean, signal: AbortSignal): Promise<MasterIds> => {
  if (reverts) return (seqno) => source.masterId(seqno, signal)
  const head = await headOf(source, signal)
  return async (seqno) => {
    if (seqno === head.seqno) return head
    return seqno < head.seqno ? source.provenId(seqno, head, signal) : undefined
  }
}
