import type { DictPath } from '../../cell/absent.ts'
import type { Cell } from '../../cell/cell.ts'
import type { BlockInfo } from '../../tlb/block/block-info.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { MakeTransaction } from '../../tvm/make-transaction.ts'
import type { Head, SignatureSet, ZeroStateId } from '../liteserver.ts'

/*
 * The internal interfaces of the embedded chain. collate/ makes blocks from the last blocks and inputs; it uses no files and no clocks. The store saves
 * blocks and states. The producer decides when to make a block and what input the block gets. answers/ serves the lite-server protocol from the store.
 * A step is one workchain-0 block followed by the masterchain block that commits it.
 */

export interface MadeBlock {
  readonly id: BlockId
  /** The serialized block; sha256 of these bytes is the file hash. */
  readonly boc: Uint8Array
  readonly root: Cell
  readonly info: BlockInfo
  /** ShardStateUnsplit after the block. */
  readonly state: Cell
}

export interface ChainEnd {
  readonly id: BlockId
  readonly endLt: bigint
  readonly utime: number
}

/** The last blocks of both workchains with the states after them. In a new chain these blocks are the zerostates, with seqno 0. */
export interface ChainTip {
  readonly master: ChainEnd & { readonly state: Cell }
  readonly shard: ChainEnd & { readonly state: Cell }
  /** Seqno of the newest key block; 0 before the first key block. */
  readonly keyBlockSeqno: number
}

export interface ExternalInput {
  /** May be a getter that reads and parses the message at each access. */
  readonly message: Cell
  readonly dest: AccountId
}
export interface InternalInput {
  readonly from: AccountId
  readonly to: AccountId
  readonly value: bigint
  readonly body?: Cell
  readonly init?: Cell
  readonly bounce?: boolean
}
/** The account `from` sends the message without its private key. */
export interface SendInput extends InternalInput {
  /** Send mode, 0 to 255. */
  readonly mode: number
}
export interface AccountInput {
  readonly account: AccountId
  readonly balance?: bigint
  readonly code?: Cell
  readonly data?: Cell
  readonly library?: Cell
  readonly tickTock?: { readonly tick: boolean; readonly tock: boolean }
  /** fixed_prefix_length of the account's StateInit. */
  readonly splitDepth?: number
  /** All extra currencies of the account. Only emulations set this field. */
  readonly extra?: ReadonlyMap<number, bigint>
  /** Account status to set after the code and data are replaced. Only emulations set this field. */
  readonly status?: 'active' | 'uninit' | 'frozen'
  /** The complete Account cell, for a genesis. It includes code, data and all other fields. */
  readonly cell?: Cell
}

/** Input of one shard block and the masterchain block that commits it. If all lists are empty, both are idle blocks. `utime`: unix seconds. */
export interface StepInput {
  readonly utime: number
  readonly externals: readonly ExternalInput[]
  readonly internals: readonly InternalInput[]
  readonly accounts: readonly AccountInput[]
  readonly sends?: readonly SendInput[]
  /** Undefined removes the parameter. */
  readonly config: ReadonlyMap<number, Cell | undefined>
}

export interface SentTransaction {
  readonly account: AccountId
  readonly lt: bigint
  readonly hash: Uint8Array
}

export interface PrintedTransaction {
  readonly hashKey: string
  readonly texts: readonly string[]
}

export interface Step {
  readonly shard: MadeBlock
  readonly master: MadeBlock
  readonly signatures: SignatureSet
  readonly tip: ChainTip
  readonly printed: readonly PrintedTransaction[]
  readonly sent: readonly SentTransaction[]
  /** External messages that their accounts did not accept, by index in the input. */
  readonly refused: readonly { readonly index: number; readonly error: string; readonly exitCode?: number }[]
  /** Indexes of the external messages that did not fit into these blocks. The caller offers them again for the next blocks. */
  readonly postponed: readonly number[]
  /** True if the queues contain unprocessed messages. The next blocks process them without new input. */
  readonly pending: boolean
  /** In a fork: paths of the accounts that receive queued messages and that were not fetched. */
  readonly lacking?: readonly DictPath[]
}

export interface Collator {
  /** Makes the next shard block with the masterchain block that commits it. */
  step(tip: ChainTip, input: StepInput, signal: AbortSignal): Promise<Step>
  /**
   * Runs an external message on its account after the last block, without changing anything. A refusal has TON's text (`cannot apply external message to
   * current state : ...`) and the VM exit code.
   * `earlier`: messages to the same account that are run first, each read when its turn comes; refused messages are skipped.
   */
  check(
    tip: ChainTip,
    message: Cell,
    utime: number,
    signal: AbortSignal,
    earlier?: readonly Pick<ExternalInput, 'message'>[],
  ): Promise<CheckVerdict>
}

export type CheckVerdict = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly exitCode?: number }

export interface CollatorDeps {
  /** By default transactions are made with the project's own TVM in the calling thread. */
  readonly make?: MakeTransaction
  /** Makes the transactions that only check a message before it is accepted; by default `make`. */
  readonly tryOut?: MakeTransaction
  /** 32-byte ed25519 seed of the single validator. */
  readonly validatorSeed: Uint8Array
  readonly globalId: number
  /** Selects the libraries for the TVM from the libraries of a masterchain state; by default all of them. */
  readonly libraries?: (root: Cell | undefined) => Cell | undefined
}

export interface GenesisOptions {
  readonly globalId: number
  readonly utime: number
  readonly validatorSeed: Uint8Array
  readonly accounts: readonly AccountInput[]
  /**
   * Exported state of another chain. `accounts` are then the accounts of that chain, and no default accounts are added. In the configuration only the
   * zerostate of workchain 0 changes.
   */
  readonly state?: { readonly config: Cell; readonly libraries?: Cell } | undefined
}

export interface Genesis {
  readonly zeroState: ZeroStateId
  readonly masterState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly shardState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly tip: ChainTip
}

/**
 * Size in bytes from which a block may be slow to process. Anybody can fill such a block with 100,000 cells, so parsing or serializing it takes
 * milliseconds and gets a separate event-loop turn.
 */
export const LARGE_BLOCK = 32 << 10

export interface StoredBlock extends Pick<MadeBlock, 'id' | 'boc' | 'root'> {
  readonly signatures?: SignatureSet
}

/** The reads that answers/ needs. Blocks that were reverted are unknown. For unknown blocks the result is undefined. */
export interface BlockStore {
  head(): Head
  heads(signal: AbortSignal): AsyncIterable<Head>
  readonly zeroState: ZeroStateId
  /** Masterchain first. */
  readonly zeroIds: readonly [BlockId, BlockId]
  /** `shard` is used only in a split workchain (the embedded chain has none): the result is a block whose shard contains `shard` or is part of it. */
  idBySeqno(workchain: number, seqno: number, shard?: bigint): Promise<BlockId | undefined>
  /** The first block with end_lt >= lt. */
  idByLt(workchain: number, lt: bigint, shard?: bigint): Promise<BlockId | undefined>
  /** The first block with gen_utime >= utime. */
  idByUtime(workchain: number, utime: number, shard?: bigint): Promise<BlockId | undefined>
  /** A block by its full id; both hashes must match. A zerostate (seqno 0) has no block. */
  block(id: BlockId): Promise<StoredBlock | undefined>
  /** ShardStateUnsplit after any block of the chain, or a zerostate. Its cells are read from the log lazily. */
  state(id: BlockId): Promise<Cell | undefined>
  zeroStateBoc(workchain: number): Uint8Array
  /** The masterchain block that commits the given workchain-0 block. */
  masterOf(id: BlockId): Promise<BlockId | undefined>
  /** Seqno of the newest key block up to `seqno`; 0 before the first key block. */
  keyBlockBefore(seqno: number): Promise<number>
}
