import { Fault } from '../base/fault.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { VmStackValue } from '../tlb/vm-stack/value.ts'
import type { TransactionRequest } from './executor/execute.ts'
import type { VmStep } from './machine/step-log.ts'
import type { TransactionOutcome } from './make-transaction.ts'

/* The interface of the machine for the chain and the API methods. Amounts are nanograms, times are unix seconds. */

export interface VmLog {
  /** Oldest first. */
  readonly steps: readonly VmStep[]
  /** True if the run had more steps than a log may have (machine/step-log.ts). */
  readonly truncated: boolean
}

export interface GetMethodRequest {
  /** Root of the configuration, Hashmap 32 ^Cell. */
  readonly config: Cell
  readonly code: Cell
  readonly data: Cell
  readonly address: AccountId
  readonly balance: bigint
  readonly extraCurrencies?: ReadonlyMap<number, bigint> | undefined
  readonly methodId: number
  /** From the bottom to the top. */
  readonly stack: readonly VmStackValue[]
  readonly now: number
  /** 32 bytes. */
  readonly randomSeed: Uint8Array
  readonly gasLimit: bigint
  /** Roots of HashmapE 256 of libraries, searched in this order. */
  readonly libraries?: readonly Cell[] | undefined
  /** VmStackValue of PREVBLOCKSINFO. */
  readonly prevBlocksInfo?: Cell | undefined
  readonly trace?: boolean | undefined
  /** Maximum number of values in the result, including values in tuples; 100,000 by default. A run with more rejects with `rejected`. */
  readonly maxValues?: number | undefined
  /** Maximum number of operations on curves. A run that needs more is rejected. */
  readonly maxSlow?: number | undefined
  /** The client that waits for the result; undefined for work of the service itself. Queues share the workers fairly between clients. */
  readonly client?: string | undefined
}
export interface GetMethodResult {
  readonly exitCode: number
  readonly gasUsed: bigint
  /** Values from the bottom to the top. After a failure, the exception's argument is on the stack. */
  readonly stack: readonly VmStackValue[]
  /** Hash (hex) of a library that the run did not find. */
  readonly missingLibrary?: string | undefined
  readonly log?: VmLog | undefined
  /** Output of debug instructions; undefined if there is none. */
  readonly debug?: readonly string[] | undefined
}

export interface TransactionOptions {
  /**
   * True to skip the calling thread, for callers that may make many calls in one turn of the event loop. The call then rejects with `timeout` or `crashed`,
   * as a get-method does.
   */
  readonly inPool?: boolean
  /** True to run before all requests that are not urgent. It is for making blocks, which reads must not delay. */
  readonly urgent?: boolean
  readonly client?: string | undefined
}

export interface Tvm {
  /**
   * Runs a get-method in the calling thread for a few milliseconds. If that is not enough, runs it again in a thread of the pool. If `signal` aborts or the
   * deadline passes, the thread of the pool is terminated and replaced. Rejects with TvmError `rejected` if the configuration or the stack cannot be read.
   */
  runGetMethod(request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult>
  /**
   * Makes a transaction in the calling thread for a few milliseconds. If that is not enough, makes it again in a thread of the pool. A transaction that
   * takes too long there, or crashes the thread, is refused without an error, because a chain has to continue. Rejects with TvmError `rejected` if the
   * configuration cannot be read.
   */
  runTransaction(request: TransactionRequest, signal: AbortSignal, options?: TransactionOptions): Promise<TransactionOutcome>
  /** `inline`: number of get-methods and transactions completed in the calling thread. */
  stats(): { readonly workers: number; readonly busy: number; readonly queued: number; readonly replaced: number; readonly inline: number }
  close(): Promise<void>
}

/** An error of the machine or its pool, not of the contract. */
export class TvmError extends Fault {
  override readonly name = 'TvmError'
  readonly kind: 'timeout' | 'overloaded' | 'crashed' | 'rejected' | 'closed'
  readonly answeredAs: Fault['answeredAs']
  override readonly retryAfter: number | undefined
  constructor(kind: TvmError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.answeredAs = ANSWERED_AS[kind]
    this.retryAfter = this.answeredAs === 'UNAVAILABLE' ? 1 : undefined
  }
}

const ANSWERED_AS: Readonly<Record<TvmError['kind'], Fault['answeredAs']>> = {
  timeout: 'SOURCE_TIMEOUT',
  overloaded: 'UNAVAILABLE',
  closed: 'UNAVAILABLE',
  crashed: 'CHAIN',
  rejected: 'CHAIN',
}
