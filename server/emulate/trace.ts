import type { Cell } from '../cell/cell.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { EmulationError } from './error.ts'

/* The types of an emulation: its request and its result. */

/** Maximum time of a block or a message (uint32), unix seconds. */
export const LAST_TIME = 0xffffffff

/** An initial message of an emulation. */
export interface Start {
  /** External-in or internal. */
  readonly message: Cell
  /** The step of its delivery: 0 is the first block after the initial state. */
  readonly step?: number | undefined
  /** Its depth in the trace. */
  readonly depth?: number | undefined
  /** True if the signature checks of this message succeed with any signature. Messages that it causes are checked as usual. */
  readonly ignoreSignatures?: boolean | undefined
}

/** The messages to emulate and the initial state. */
export interface EmulateRequest {
  readonly starts: readonly Start[]
  /** The masterchain block that provides states, configuration and libraries. */
  readonly at: BlockId
  /** Time of the first block, unix seconds. A time that is not after the previous block is raised. */
  readonly now: number
  /** Seed of all blocks, 32 bytes; random by default. */
  readonly randSeed?: Uint8Array | undefined
  /** Returns an account's state if it differs from the state in the block. `utime`: time of that block. */
  readonly stateOf?: ((id: AccountId, inBlock: ShardAccount, utime: number) => ShardAccount | undefined) | undefined
  /** The client that waits for the result; undefined for internal work of the service. */
  readonly client?: string | undefined
}

/** An emulated transaction. */
export interface EmulatedNode {
  readonly account: AccountId
  readonly transaction: Transaction
  /** The account's state before and after the transaction. Undefined for a transaction in a block, because the block contains only the hashes of the states. */
  readonly before: ShardAccount | undefined
  readonly after: ShardAccount | undefined
  /** The expected block of its shard, and the expected masterchain block after it. */
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  readonly mcSeqno: number
  /** Undefined for the transaction of an initial message. */
  readonly parent: EmulatedNode | undefined
  readonly depth: number
  /** True if a block already contains the transaction. */
  readonly isCommitted?: boolean | undefined
}

/** Result of an emulation. */
export interface EmulatedTrace {
  readonly at: BlockId
  /** In the order of the chain: a transaction precedes those that it causes. */
  readonly nodes: readonly EmulatedNode[]
  /** True if the trace is incomplete, because a limit was reached or a message could not be delivered. */
  readonly isIncomplete: boolean
  readonly randSeed: Uint8Array
  /** Global version of the configuration. */
  readonly version: number
}

/** Result of one message of a bundle. */
export interface BundleResult {
  readonly nodes: readonly EmulatedNode[]
  readonly isIncomplete: boolean
  /** Why the message has no transaction; undefined if it has one. */
  readonly error: EmulationError | undefined
}

export interface EmulatedBundle extends Pick<EmulatedTrace, 'at' | 'randSeed' | 'version'> {
  /** One result for each message, in the order of the messages. */
  readonly results: readonly BundleResult[]
}
