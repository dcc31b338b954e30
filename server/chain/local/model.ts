import type { DictPath } from '../../cell/absent.ts'
import type { Cell } from '../../cell/cell.ts'
import type { BlockInfo } from '../../tlb/block/block-info.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { MakeTransaction } from '../../tvm/make-transaction.ts'
import type { Head, SignatureSet, ZeroStateId } from '../liteserver.ts'
import type { PackedCells } from './store/packed-cells.ts'

/*
 * The internal interfaces of the embedded chain. collate/ makes blocks from a tip and inputs, without files or clocks. The store keeps blocks and
 * states. The producer decides when a block is made and what goes in. answers/ serves the lite-server protocol from the store.
 * A step is one workchain-0 block followed by the masterchain block that commits it.
 */

/** A new block. */
export interface MadeBlock {
  readonly id: BlockId
  /** The serialized block; sha256 of it is the file hash. */
  readonly boc: Uint8Array
  readonly root: Cell
  readonly info: BlockInfo
  /** ShardStateUnsplit after the block. */
  readonly state: Cell
}

/** The last block of a chain. */
export interface ChainEnd {
  readonly id: BlockId
  readonly endLt: bigint
  /** Unix seconds. */
  readonly utime: number
}

/** The last block and state of both chains. A zerostate has seqno 0 and no block. */
export interface ChainTip {
  readonly master: ChainEnd & { readonly state: Cell }
  readonly shard: ChainEnd & { readonly state: Cell }
  /** Seqno of the newest key block up to the tip; 0 before the first. */
  readonly keyBlockSeqno: number
}

export interface ExternalInput {
  readonly message: Cell
  readonly dest: AccountId
  /** Byte offset of its record in the chain's log, if it has one. */
  readonly at?: number
}
export interface InternalInput {
  readonly from: AccountId
  readonly to: AccountId
  readonly value: bigint
  readonly body?: Cell
  readonly init?: Cell
  readonly bounce?: boolean
}
/** A message that an account sends without its key; `from` is that account. */
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
  /** fixed_prefix_length of its StateInit. */
  readonly splitDepth?: number
  /** All extra currencies of the account; only an emulation gives them. */
  readonly extra?: ReadonlyMap<number, bigint>
  /** The state that the account is put into after its code and data are replaced; only an emulation gives it. */
  readonly status?: 'active' | 'uninit' | 'frozen'
  /** For a genesis: the Account as it is; code, data and so on are in it. */
  readonly cell?: Cell
}

/** Input of one step. With empty lists it makes a pair of idle blocks. `utime` is unix seconds. */
export interface StepInput {
  readonly utime: number
  readonly externals: readonly ExternalInput[]
  readonly internals: readonly InternalInput[]
  readonly accounts: readonly AccountInput[]
  /** Messages that accounts send without their keys. */
  readonly sends?: readonly SendInput[]
  /** Parameters to replace; undefined removes one. */
  readonly config: ReadonlyMap<number, Cell | undefined>
}

/** The transaction in which an account sent a message without its key. */
export interface SentTransaction {
  readonly account: AccountId
  readonly lt: bigint
  readonly hash: Uint8Array
}

/** A transaction whose code has printed by debug instructions, and what. */
export interface PrintedTransaction {
  readonly hashKey: string
  readonly texts: readonly string[]
}

/** What became of a step's input. */
export interface StepOutcome {
  readonly printed: readonly PrintedTransaction[]
  /** Transactions of the input's `sends`. */
  readonly sent: readonly SentTransaction[]
  /** Externals that their accounts did not accept, by position in the input. */
  readonly refused: readonly { readonly index: number; readonly error: string; readonly exitCode?: number }[]
  /** Externals that did not fit into this step, by position; to be offered again. */
  readonly postponed: readonly number[]
  /** Whether the queues hold unprocessed messages. The next step processes them without new input. */
  readonly pending: boolean
  /** Of a fork: the places of accounts that were not fetched, and to which messages in the queues go. */
  readonly lacking?: readonly DictPath[]
}

export interface Step extends StepOutcome {
  readonly shard: MadeBlock
  readonly master: MadeBlock
  readonly signatures: SignatureSet
  readonly tip: ChainTip
}

/** A step in the form in which the log keeps it. Another thread may have made it. */
export interface PackedStep extends StepOutcome {
  readonly shard: ChainEnd & { readonly boc: Uint8Array }
  readonly master: ChainEnd & { readonly boc: Uint8Array }
  readonly keyBlockSeqno: number
  readonly signatures: SignatureSet
  /** New cells of both states. Its roots are the states, that of workchain 0 first. */
  readonly cells: PackedCells
}

export interface Collator {
  step(tip: ChainTip, input: StepInput, signal: AbortSignal): Promise<Step>
  /**
   * Runs an external message on the account at the tip, without changing anything. A refusal has TON's text, e.g.
   * `cannot apply external message to current state : External message was not accepted\n...`, and the VM exit code.
   * `earlier`: messages to the same account that are run before it; those that are refused are left out.
   */
  check(tip: ChainTip, message: Cell, utime: number, signal: AbortSignal, earlier?: readonly Cell[]): Promise<CheckVerdict>
}

/** Makes steps after a tip of the store: a collator of this thread, or one of another thread, which packs them. */
export interface StepMaker {
  step(tip: ChainTip, input: StepInput, signal: AbortSignal): Promise<Step | PackedStep>
  readonly check: Collator['check']
}

/** Whether a message would be accepted; a refusal has TON's text and the VM's exit code. */
export type CheckVerdict = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly exitCode?: number }

export interface CollatorDeps {
  /** Makes transactions; by default the project's own TVM in the calling thread. */
  readonly make?: MakeTransaction
  /** 32-byte ed25519 seed of the one validator. */
  readonly validatorSeed: Uint8Array
  readonly globalId: number
  /** The libraries that the TVM gets, from those of a masterchain state; by default all of them. */
  readonly libraries?: (root: Cell | undefined) => Cell | undefined
}

export interface GenesisOptions {
  readonly globalId: number
  readonly utime: number
  readonly validatorSeed: Uint8Array
  /** Accounts of the zerostates, such as the faucet wallets. */
  readonly accounts: readonly AccountInput[]
  /** The state of another chain: `accounts` are its accounts, and no others are added. Of its configuration only the zerostate of workchain 0 changes. */
  readonly state?: { readonly config: Cell; readonly libraries?: Cell } | undefined
}

export interface Genesis {
  readonly zeroState: ZeroStateId
  readonly masterState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly shardState: { readonly root: Cell; readonly boc: Uint8Array; readonly id: BlockId }
  readonly tip: ChainTip
}

/**
 * Bytes of a block that takes milliseconds to be parsed or written: anybody can fill one with 100,000 cells. Such work gets a turn of the event loop of its own.
 */
export const LARGE_BLOCK = 32 << 10

/** A block read from the store. */
export interface StoredBlock {
  readonly id: BlockId
  readonly boc: Uint8Array
  readonly root: Cell
  /** Present for masterchain blocks only. */
  readonly signatures?: SignatureSet
}

/** What answers/ reads. Every method reads the current epoch of the chain and returns undefined for unknown blocks. */
export interface BlockStore {
  head(): Head
  heads(signal: AbortSignal): AsyncIterable<Head>
  readonly zeroState: ZeroStateId
  /** Ids of both zerostates (seqno 0), masterchain first. */
  readonly zeroIds: readonly [BlockId, BlockId]
  /** `shard` matters only in a split workchain (the embedded chain has none): the block's shard contains it or is part of it. */
  idBySeqno(workchain: number, seqno: number, shard?: bigint): Promise<BlockId | undefined>
  /** The first block with end_lt >= lt. */
  idByLt(workchain: number, lt: bigint, shard?: bigint): Promise<BlockId | undefined>
  /** The first block with gen_utime >= utime. */
  idByUtime(workchain: number, utime: number, shard?: bigint): Promise<BlockId | undefined>
  /** A block by its full id; the hashes must match. Seqno 0 has no block. */
  block(id: BlockId): Promise<StoredBlock | undefined>
  /** ShardStateUnsplit after any block of the chain, or a zerostate. Its cells are read from the log lazily. */
  state(id: BlockId): Promise<Cell | undefined>
  zeroStateBoc(workchain: number): Uint8Array
  /** The masterchain block that commits a workchain-0 block. */
  masterOf(id: BlockId): Promise<BlockId | undefined>
  /** Seqno of the newest key block up to `seqno`; 0 before the first. */
  keyBlockBefore(seqno: number): Promise<number>
}
