import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import {
  type LiteAnswer,
  type LiteArgs,
  type LiteFunction,
  type LiteServer,
  LiteServerError,
  type ZeroStateId,
} from '../../chain/liteserver.ts'
import { checkAccount, type ProvenAccount } from '../../chain/proofs/account.ts'
import { ProofError, proving } from '../../chain/proofs/error.ts'
import { checkLookupWithProof } from '../../chain/proofs/lookup.ts'
import { type Block, type BlockExtra, loadBlock, loadBlockExtra } from '../../tlb/block/block.ts'
import { type BlockInfo, loadBlockInfo } from '../../tlb/block/block-info.ts'
import { loadMcBlockExtra } from '../../tlb/block/mc-block-extra.ts'
import { loadShardDescrBlock } from '../../tlb/block/shard-descr.ts'
import { visitShards } from '../../tlb/block/shard-hashes.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { hashName } from '../derive/hash-name.ts'
import { previousShards } from '../derive/rows/block.ts'
import { createLimiter } from './limiter.ts'

/* The chain as the index reads it: a masterchain block with all shard blocks that it commits, checked against their hashes. */

export interface SourceBlock {
  readonly id: BlockId
  readonly root: Cell
  /** Bytes of the serialized block. */
  readonly size: number
  readonly globalId: number
  readonly info: BlockInfo
  readonly parts: Block
  readonly extra: BlockExtra
}

export interface ShardTop {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export interface MasterBlock {
  readonly master: SourceBlock
  /** Shard blocks that this one commits, each after its previous ones. */
  readonly shards: readonly SourceBlock[]
  /** The shard configuration, without the masterchain. */
  readonly tops: readonly ShardTop[]
}

/** A block that is not what its id says: the source is asked again. */
export class CorruptBlockError extends Error {
  override readonly name = 'CorruptBlockError'
}

/** A masterchain block by itself. */
export interface Master {
  readonly block: SourceBlock
  readonly tops: readonly ShardTop[]
}

export interface Source {
  readonly server: LiteServer
  /** Identity of the chain: root hash of its masterchain zerostate. */
  zeroState(signal: AbortSignal): Promise<ZeroStateId>
  /** The whole state after a block, which must have this root hash; undefined where the source does not give it. */
  state(id: BlockId, rootHash: Uint8Array, signal: AbortSignal): Promise<Cell | undefined>
  /** Id of a masterchain block, as the source tells it; undefined while there is none of that seqno. */
  masterId(seqno: number, signal: AbortSignal): Promise<BlockId | undefined>
  /** The same, proven to be in the chain of a later one. */
  provenId(seqno: number, of: BlockId, signal: AbortSignal): Promise<BlockId>
  block(id: BlockId, signal: AbortSignal): Promise<SourceBlock>
  master(id: BlockId, signal: AbortSignal): Promise<Master>
  /** Shard blocks from those tops (exclusive) to these, each after its previous ones. */
  shards(tops: readonly ShardTop[], previous: readonly ShardTop[], signal: AbortSignal): Promise<readonly SourceBlock[]>
  /** A masterchain block with its shard blocks; `previous`: the tops of the masterchain block before it. */
  read(id: BlockId, previous: readonly ShardTop[], signal: AbortSignal): Promise<MasterBlock>
  /** An account at a masterchain block, with its proof checked; undefined where the source may forget states and has forgotten this one. */
  account(block: BlockId, account: AccountId, signal: AbortSignal): Promise<ProvenAccount | undefined>
}

/** Blocks of one shard between two masterchain blocks; more is a chain that does not lead back to what was indexed. */
const LONGEST_WAY = 10_000

/** What a lite-server says of what it does not have (yet, or any more). */
const NOT_READY = 651

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const nameOf = (id: BlockId): string => `(${id.workchain},${id.shard.toString(16)},${id.seqno})`

const checked = (id: BlockId, data: Uint8Array): SourceBlock => proving('block', () => parsed(id, data))

const parsed = (id: BlockId, data: Uint8Array): SourceBlock => {
  if (!same(createHash('sha256').update(data).digest(), id.fileHash)) throw new ProofError('block', `${nameOf(id)} has another file hash`)
  const root = parseBocRoot(data)
  if (!same(root.hash(), id.rootHash)) throw new ProofError('block', `${nameOf(id)} has another root hash`)
  const parts = loadBlock(root)
  return {
    id,
    root,
    size: data.length,
    globalId: parts.globalId,
    info: loadBlockInfo(parts.info),
    parts,
    extra: loadBlockExtra(parts.extra),
  }
}

/** The tops that a dictionary of shards names. */
export const topsOf = (shardHashes: Cell | undefined): readonly ShardTop[] => {
  const tops: ShardTop[] = []
  visitShards(shardHashes, (workchain, shard, s) => {
    const { seqno, rootHash, fileHash } = loadShardDescrBlock(s)
    tops.push({ workchain, shard, seqno, rootHash, fileHash })
  })
  return tops
}

/** The shard configuration that a masterchain block commits. */
export const topsIn = ({ id, extra }: SourceBlock): readonly ShardTop[] => {
  if (extra.custom === undefined) throw new CorruptBlockError(`block ${nameOf(id)} is not of the masterchain`)
  return topsOf(loadMcBlockExtra(extra.custom).shardHashes)
}

/** Tries of one question; a source that stays away or wrong is left for a while by the indexer itself. */
const TRIES = 8
/** Blocks that are asked for at once. */
const LANES = 8
/** Further tries for a state that is said to be missing. */
const PATIENCE = 2

export interface SourceOptions {
  /** Milliseconds before the second try; doubled from try to try. */
  readonly pause?: number
  /** Told of each try that failed. */
  readonly onFailure?: (error: unknown) => void
  /** Blocks that are asked for at once, LANES unless told. */
  readonly lanes?: number
  /** Whether states of old blocks may be gone. */
  readonly forgets?: boolean
  /** Whether shard blocks of a workchain are wanted; all are unless told. */
  readonly wants?: (workchain: number) => boolean
}

export const createSource = (server: LiteServer, options: SourceOptions = {}): Source => {
  const { pause = 50, onFailure, lanes = LANES, forgets = false, wants = () => true } = options
  const limited = createLimiter(lanes)

  /** Asks, and asks another server where there are several and the answer does not pass. */
  const ask = <F extends LiteFunction, T>(
    fn: F,
    args: LiteArgs<F>,
    signal: AbortSignal,
    check: (answer: LiteAnswer<F>) => T,
  ): Promise<T> => (server.checked ? server.checked(fn, args, signal, check) : server.query(fn, args, signal).then(check))

  /** Asks until the answer is there and is what it should be. A refusal of the source itself (LiteServerError) is an answer. */
  const insist = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    for (let left = TRIES, wait = pause; ; wait *= 2) {
      try {
        return await work()
      } catch (error) {
        left -= 1
        if (signal.aborted || left === 0 || error instanceof LiteServerError) throw error
        onFailure?.(error)
        await sleep(wait, undefined, { signal })
      }
    }
  }
  const block = (id: BlockId, signal: AbortSignal): Promise<SourceBlock> =>
    limited(() => insist(signal, () => ask('getBlock', { id }, signal, ({ data }) => checked(id, data))))

  const shards: Source['shards'] = async (tops, previous, signal) => {
    const known = new Set(previous.map(({ rootHash }) => hashName(rootHash)))
    const found = new Map<string, { readonly block: SourceBlock; readonly before: readonly string[] }>()
    // Level by level back to what is known, all blocks of a level at once.
    let level: readonly BlockId[] = tops.filter(({ workchain }) => wants(workchain))
    while (level.length > 0) {
      const fresh = new Map<string, BlockId>()
      for (const id of level) {
        const name = hashName(id.rootHash)
        if (id.seqno > 0 && !known.has(name) && !found.has(name)) fresh.set(name, id)
      }
      if (found.size + fresh.size > LONGEST_WAY) {
        throw new CorruptBlockError(`the way back from ${nameOf(level[0]!)} does not reach what is indexed`)
      }
      const names = [...fresh.keys()]
      const blocks = await Promise.all([...fresh.values()].map((id) => block(id, signal)))
      const next: BlockId[] = []
      for (const [i, each] of blocks.entries()) {
        const of = previousShards(each)
        const prev = each.info.prev.map(
          (id, j): BlockId => ({
            workchain: each.id.workchain,
            shard: of[j]!,
            seqno: id.seqno,
            rootHash: id.rootHash,
            fileHash: id.fileHash,
          }),
        )
        found.set(names[i]!, { block: each, before: prev.map(({ rootHash }) => hashName(rootHash)) })
        next.push(...prev)
      }
      level = next
    }
    // Depth first by a stack of our own: a block is taken once all before it are.
    const ordered: SourceBlock[] = []
    const stack = tops.map(({ rootHash }) => ({ name: hashName(rootHash), open: false })).reverse()
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const entry = found.get(top.name)
      if (entry === undefined || top.open) {
        stack.pop()
        if (entry !== undefined) {
          ordered.push(entry.block)
          found.delete(top.name)
        }
      } else {
        top.open = true
        for (const name of entry.before) stack.push({ name, open: false })
      }
    }
    return ordered
  }

  const master: Source['master'] = async (id, signal) => {
    const found = await block(id, signal)
    return { block: found, tops: topsIn(found) }
  }

  return {
    server,
    block,
    shards,
    master,
    zeroState: (signal) => insist(signal, () => ask('getMasterchainInfo', {}, signal, ({ init }) => init)),
    async state(id, rootHash, signal) {
      try {
        return await insist(signal, () =>
          ask('getState', { id }, signal, ({ data }) =>
            proving('state', () => {
              const root = parseBocRoot(data)
              if (!same(root.hash(), rootHash)) throw new ProofError('state', `${nameOf(id)} has another root hash`)
              return root
            }),
          ),
        )
      } catch (error) {
        if (error instanceof LiteServerError) return undefined
        throw error
      }
    },
    async masterId(seqno, signal) {
      try {
        const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
        return await limited(() =>
          insist(signal, () =>
            ask('lookupBlock', { id, by: { seqno: true as const } }, signal, ({ id: found }) => {
              const isAsked = found.workchain === MASTERCHAIN && found.shard === WHOLE_SHARD && found.seqno === seqno
              if (!isAsked) throw new ProofError('block lookup', `${nameOf(found)} instead of ${nameOf({ ...found, ...id })}`)
              return found
            }),
          ),
        )
      } catch (error) {
        if (error instanceof LiteServerError && error.code === NOT_READY) return undefined
        throw error
      }
    },
    provenId(seqno, of, signal) {
      const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
      const by = { seqno: true } as const
      return insist(signal, () =>
        ask('lookupBlockWithProof', { id, by, mcBlockId: of }, signal, (answer) => checkLookupWithProof(answer, id, by, of).id),
      )
    },
    async read(id, previous, signal) {
      const { block: found, tops } = await master(id, signal)
      return { master: found, tops, shards: await shards(tops, previous, signal) }
    },
    account: (id, account, signal) =>
      limited(async () => {
        for (let left = PATIENCE; ; left--) {
          try {
            return await insist(signal, () =>
              ask('getAccountState', { id, account }, signal, (answer) => checkAccount(answer, id, account)),
            )
          } catch (error) {
            if (!forgets || !(error instanceof LiteServerError) || error.code !== NOT_READY) throw error
            // A server that does not have it yet says the same as one that does not have it any more.
            if (left === 0) return undefined
            await sleep(pause, undefined, { signal })
          }
        }
      }),
  }
}
