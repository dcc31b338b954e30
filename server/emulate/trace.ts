import type { Cell } from '../cell/cell.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { EmulationError } from './error.ts'

/* The types of an emulation: the request, and the trace that it gives. */

/** Largest time that a block or a message can have (uint32), unix seconds. */
export const LAST_TIME = 0xffffffff

/** A message that an emulation begins with. */
export interface Start {
  /** External-in or internal. */
  readonly message: Cell
  /** The step in which it is delivered: 0 is the first block after the state. */
  readonly step?: number | undefined
  /** Its depth in the trace. */
  readonly depth?: number | undefined
  /** Whether its signature checks succeed whatever the signature is. Later messages are checked as usual. */
  readonly ignoreSignatures?: boolean | undefined
}

/** The messages to emulate, and the state to begin with. */
export interface EmulateRequest {
  readonly starts: readonly Start[]
  /** The masterchain block whose states, configuration and libraries are used. */
  readonly at: BlockId
  /** The time of the first block, unix seconds. It is raised above that of the block before it. */
  readonly now: number
  /** Seed of all blocks, 32 bytes; random by default. */
  readonly randSeed?: Uint8Array | undefined
  /** The account's state, if it differs from the state at the block, whose time is `utime`. */
  readonly stateOf?: ((id: AccountId, inBlock: ShardAccount, utime: number) => ShardAccount | undefined) | undefined
  /** The client who waits for it; undefined for work of the service itself. */
  readonly client?: string | undefined
}

/** A transaction that would be made. */
export interface EmulatedNode {
  readonly account: AccountId
  readonly transaction: Transaction
  /** The account before and after it; undefined for a transaction in a block, which has their hashes alone. */
  readonly before: ShardAccount | undefined
  readonly after: ShardAccount | undefined
  /** The expected block of its shard, and the expected masterchain block after it. */
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  readonly mcSeqno: number
  /** Undefined for the transaction of a start. */
  readonly parent: EmulatedNode | undefined
  readonly depth: number
  /** Whether the transaction is in a block already. */
  readonly isCommitted?: boolean | undefined
}

/** Result of an emulation. */
export interface EmulatedTrace {
  readonly at: BlockId
  /** In the order in which the chain would make them: a transaction comes before those that it causes. */
  readonly nodes: readonly EmulatedNode[]
  /** Whether the trace is incomplete: a limit was reached, or a message could not be delivered. */
  readonly isIncomplete: boolean
  readonly randSeed: Uint8Array
  /** Global version of the configuration. */
  readonly version: number
}

/** What follows from one message of a bundle. */
export interface BundleResult {
  readonly nodes: readonly EmulatedNode[]
  readonly isIncomplete: boolean
  /** Why there is no transaction; undefined if there is one. */
  readonly error: EmulationError | undefined
}

export interface EmulatedBundle extends Pick<EmulatedTrace, 'at' | 'randSeed' | 'version'> {
  /** One for each message, in their order. */
  readonly results: readonly BundleResult[]
}
