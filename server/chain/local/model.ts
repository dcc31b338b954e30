import type { Cell } from '../../cell/cell.ts'
import type { BlockInfo } from '../../tlb/block/block-info.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { MakeTransaction } from '../../tvm/make-transaction.ts'
import type { Head, SignatureSet, ZeroStateId } from '../liteserver.ts'

/*
 * The embedded chain's inner seams. collate/ makes blocks out of a tip and inputs and knows nothing of files or clocks; the store keeps blocks and
 * rebuilds states; the producer decides when a block is made and what goes in; answers/ serves the lite-server protocol from the store.
 * A step is one workchain-0 block followed by the masterchain block that commits it.
 */

/** A block as it was made. */
export interface MadeBlock {
  readonly id: BlockId
  /** The serialized block; sha256 of it is the file hash. */
  readonly boc: Uint8Array
  readonly root: Cell
  readonly info: BlockInfo
  /** ShardStateUnsplit after the block. */
  readonly state: Cell
}

/** Where the chain stands: the last block and state of both chains (a zerostate has seqno 0 and no block). */
export interface ChainTip {
  readonly master: { readonly id: BlockId; readonly state: Cell; readonly endLt: bigint; readonly utime: number }
  readonly shard: { readonly id: BlockId; readonly state: Cell; readonly endLt: bigint; readonly utime: number }
  /** seqno of the newest key block up to the tip, 0 before the first. */
  readonly keyBlockSeqno: number
}

export interface ExternalInput {
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
export interface AccountInput {
  readonly account: AccountId
  readonly balance?: bigint
  readonly code?: Cell
  readonly data?: Cell
  readonly library?: Cell
  readonly tickTock?: { readonly tick: boolean; readonly tock: boolean }
}

/** What goes into one step. Everything is optional: an empty input makes a pair of idle blocks. */
export interface StepInput {
  readonly utime: number
  readonly externals: readonly ExternalInput[]
  readonly internals: readonly InternalInput[]
  readonly accounts: readonly AccountInput[]
  /** Parameters to replace; undefined removes one. */
  readonly config: ReadonlyMap<number, Cell | undefined>
}

export interface Step {
  readonly shard: MadeBlock
  readonly master: MadeBlock
  readonly signatures: SignatureSet
  readonly tip: ChainTip
  /** Externals that were refused when their turn came, by position in the input. */
  readonly refused: readonly { readonly index: number; readonly error: string; readonly exitCode?: number }[]
  /** Externals that did not fit into this step's limits, by position; to be offered again. */
  readonly postponed: readonly number[]
  /** Whether messages are left in the queues that have not been processed: the next step does it without new input. */
  readonly pending: boolean
}

export interface Collator {
  step(tip: ChainTip, input: StepInput, signal: AbortSignal): Promise<Step>
  /**
   * Tries an external message against the account at the tip, without changing anything. TON's own text on refusal, e.g.
   * `cannot apply external message to current state : External message was not accepted\n...` with the VM exit code.
   */
  check(
    tip: ChainTip,
    message: Cell,
    utime: number,
    signal: AbortSignal,
  ): Promise<{ ok: true } | { ok: false; error: string; exitCode?: number }>
}

export interface CollatorDeps {
  /** What makes transactions; the project's own TVM unless told. */
  readonly make?: MakeTransaction
  /** ed25519 over 32-byte seed of the one validator. */
  readonly validatorSeed: Uint8Array
  readonly globalId: number
}

export interface GenesisOptions {
  readonly globalId: number
  readonly utime: number
  readonly validatorSeed: Uint8Array
  /** Accounts that exist from the start (the faucet wallets). */
  readonly accounts: readonly AccountInput[]
}

export interface Genesis {
  readonly zeroState: ZeroStateId
  readonly masterState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly shardState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly tip: ChainTip
}

/** A block as the store gives it back. */
export interface StoredBlock {
  readonly id: BlockId
  readonly boc: Uint8Array
  readonly root: Cell
  /** Only for masterchain blocks. */
  readonly signatures?: SignatureSet
}

/** What answers/ reads. Every method answers from the chain's present epoch; unknown blocks give undefined. */
export interface BlockStore {
  head(): Head
  heads(signal: AbortSignal): AsyncIterable<Head>
  readonly zeroState: ZeroStateId
  /** Ids of both zerostates (seqno 0), masterchain first. */
  readonly zeroIds: readonly [BlockId, BlockId]
  /** `shard` matters only where a workchain is split (the embedded chain's never is): the block's shard contains it or lies within it. */
  idBySeqno(workchain: number, seqno: number, shard?: bigint): Promise<BlockId | undefined>
  /** The first block of the chain whose end_lt reaches `lt`. */
  idByLt(workchain: number, lt: bigint, shard?: bigint): Promise<BlockId | undefined>
  /** The first block with gen_utime >= utime. */
  idByUtime(workchain: number, utime: number, shard?: bigint): Promise<BlockId | undefined>
  /** By full id (hashes compared). seqno 0 has no block. */
  block(id: BlockId): Promise<StoredBlock | undefined>
  /** ShardStateUnsplit root after any block there is (or the zerostate); its cells are read from the log as they are asked for. */
  state(id: BlockId): Promise<Cell | undefined>
  zeroStateBoc(workchain: number): Uint8Array
  /** The masterchain block that commits a workchain-0 block. */
  masterOf(id: BlockId): Promise<BlockId | undefined>
  /** seqno of the newest key block not after `seqno`; 0 before the first. */
  keyBlockBefore(seqno: number): Promise<number>
}
