import type { Cell } from '../cell/cell.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { EmulationError } from './error.ts'

/** Maximum time of a block or a message (uint32), unix seconds. */
export const LAST_TIME = 0xffffffff

export interface Start {
  /** External-in or internal. */
  readonly message: Cell
  /** Number of the block that delivers the message; 0 is the first block after the initial state. */
  readonly step?: number | undefined
  /** Depth in the trace; 0 by default. */
  readonly depth?: number | undefined
  /** True if the signature checks of this message succeed with any signature. Messages that it causes are checked as usual. */
  readonly ignoreSignatures?: boolean | undefined
}

export interface EmulateRequest {
  readonly starts: readonly Start[]
  /** The masterchain block that provides states, configuration and libraries. */
  readonly at: BlockId
  /** Time of the first block, unix seconds. Raised if it is not after the time of the previous block. */
  readonly now: number
  /** Seed of all blocks, 32 bytes; random by default. */
  readonly randSeed?: Uint8Array | undefined
  /** Returns or resolves with an account's state if it differs from the state in the block `at`. `utime`: time of that block. */
  readonly stateOf?:
    | ((id: AccountId, inBlock: ShardAccount, utime: number) => ShardAccount | undefined | Promise<ShardAccount | undefined>)
    | undefined
  /** The client that waits for the result; undefined for work of the service itself. */
  readonly client?: string | undefined
}

export interface EmulatedNode {
  readonly account: AccountId
  readonly transaction: Transaction
  /** The account's state before and after the transaction. Undefined for a committed transaction, because a block contains only the hashes of states. */
  readonly before: ShardAccount | undefined
  readonly after: ShardAccount | undefined
  /** The expected block with this transaction, and the expected masterchain block that commits it. */
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  readonly mcSeqno: number
  /** Undefined for the transaction of an initial message. */
  readonly parent: EmulatedNode | undefined
  readonly depth: number
  /** True if a block already contains the transaction. */
  readonly isCommitted?: boolean | undefined
}

export interface EmulatedTrace {
  readonly at: BlockId
  /** In the order of the chain: a transaction precedes those that it causes. */
  readonly nodes: readonly EmulatedNode[]
  /** True if the trace is incomplete, because a limit was reached or a message could not be delivered. */
  readonly isIncomplete: boolean
  /** True if the trace is incomplete because the time was over. */
  readonly isLate: boolean
  readonly randSeed: Uint8Array
  /** Global version of the configuration. */
  readonly version: number
}

export interface BundleResult extends Pick<EmulatedTrace, 'nodes' | 'isIncomplete' | 'isLate'> {
  /** Why the message has no transaction; undefined if it has one. */
  readonly error: EmulationError | undefined
}

export interface EmulatedBundle extends Pick<EmulatedTrace, 'at' | 'randSeed' | 'version'> {
  /** One result for each message, in the order of the messages. */
  readonly results: readonly BundleResult[]
}
