import type { Cell } from '../cell/cell.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'

/* Traces of messages that are in no block. */

/** A message that an emulation begins with. */
export interface Start {
  /** External-in or internal. */
  readonly message: Cell
  /** In how many steps of blocks after the state it is delivered; 0 is the next block. */
  readonly step?: number | undefined
  /** Levels of the trace above it. */
  readonly depth?: number | undefined
  /** Whether its signature checks succeed, whatever the signature. Messages that follow are checked as usual. */
  readonly ignoreSignatures?: boolean | undefined
}

/** What is emulated, on which state. */
export interface EmulateRequest {
  readonly starts: readonly Start[]
  /** The masterchain block whose states, configuration and libraries are used. */
  readonly at: BlockId
  /** The time of the first block, unix seconds. It is raised above that of the block before it. */
  readonly now: number
  /** Seed of all blocks, 32 bytes; random unless given. */
  readonly randSeed?: Uint8Array | undefined
  /** The account to begin with where that is not the one of the block. */
  readonly stateOf?: ((id: AccountId, inBlock: ShardAccount) => ShardAccount | undefined) | undefined
}

/** A transaction that would be made. */
export interface EmulatedNode {
  readonly account: AccountId
  readonly transaction: Transaction
  /** The account before and after it. */
  readonly before: ShardAccount
  readonly after: ShardAccount
  /** The block of its shard, and the masterchain block after it, as they are expected. */
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
  readonly mcSeqno: number
  /** Undefined for the transaction of a start. */
  readonly parent: EmulatedNode | undefined
  readonly depth: number
  /** Whether the transaction is in a block already. */
  readonly isCommitted?: boolean | undefined
}

/** What follows from the starts. */
export interface EmulatedTrace {
  readonly at: BlockId
  /** In the order in which the chain would make them. A cause stands before what it caused. */
  readonly nodes: readonly EmulatedNode[]
  /** Whether a limit cut it off, or a message of it could not be delivered. */
  readonly isIncomplete: boolean
  readonly randSeed: Uint8Array
  /** Global version of the configuration. */
  readonly version: number
}
