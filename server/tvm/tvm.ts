import { Fault } from '../base/fault.ts'

/* The TVM port: what the chain and the methods ask of the emulator. BoCs are bytes; amounts nanotons; times unix seconds. */

/** Global version (config parameter 8) up to which the emulator of @ton/sandbox 0.41.0 runs code as the network does. */
export const TVM_VERSION = 12

/** A blockchain configuration as the emulator takes it. `id` (hex of the root hash) is the cache key in every worker. */
export interface TvmConfig {
  readonly id: string
  /** Root of Hashmap 32 ^Cell as a BoC. */
  readonly exact: Uint8Array
  /** The same with parameter 43 in the form that the emulator can read. */
  readonly full: Uint8Array
  /** The same with the large parameters that no contract reads replaced by library cells of their hash (ton-libraries.md section 2). */
  readonly slim: Uint8Array
  /** What the emulator itself reads of it, and nothing else: for code that reads none. */
  readonly own: Uint8Array
  /** Hashes (hex) of the parameters left out of `slim`: a get-method that asks for one as a library is run again with `full`. */
  readonly slimmed: readonly string[]
}

/** How much of a configuration a get-method is given. */
export type ConfigForm = 'full' | 'slim' | 'own'

export interface GetMethodRequest {
  readonly config: TvmConfig
  /** `slim` unless told. */
  readonly configForm?: ConfigForm
  readonly code: Uint8Array
  readonly data: Uint8Array
  /** Raw form: `0:<64 hex>`. */
  readonly address: string
  readonly balance: bigint
  readonly extraCurrencies?: ReadonlyMap<number, bigint>
  readonly methodId: number
  /** VmStack BoC. */
  readonly stack: Uint8Array
  readonly now: number
  /** 32 bytes, never all zero (an all-zero seed means a random one to the emulator). */
  readonly randomSeed: Uint8Array
  readonly gasLimit: bigint
  /** Root of HashmapE 256 of libraries, as a BoC. */
  readonly libraries?: Uint8Array
  /** Tuple of PREVBLOCKSINFO as a VmStackValue BoC. */
  readonly prevBlocksInfo?: Uint8Array
}
export interface GetMethodResult {
  readonly exitCode: number
  readonly gasUsed: bigint
  /** VmStack BoC; a stack with the exception's argument after a failure. */
  readonly stack: Uint8Array
  /** Hash (hex) of a library the run stopped for. */
  readonly missingLibrary?: string
}

export interface TransactionRequest {
  readonly kind: 'message' | 'tick' | 'tock'
  readonly config: TvmConfig
  /** ShardAccount BoC. */
  readonly shardAccount: Uint8Array
  /** Message BoC; only for kind `message`. */
  readonly message?: Uint8Array
  readonly now: number
  readonly lt: bigint
  readonly randomSeed: Uint8Array
  readonly ignoreSignature?: boolean
  readonly libraries?: Uint8Array
  readonly prevBlocksInfo?: Uint8Array
}
export type TransactionResult =
  | {
      readonly ok: true
      /** ShardAccount BoC after the transaction. */
      readonly shardAccount: Uint8Array
      /** Transaction BoC. */
      readonly transaction: Uint8Array
      /** BoC of the action list (c5) the compute phase left, when it committed one; the emulator's `actions`. */
      readonly actions?: Uint8Array
      readonly log?: string
    }
  | {
      /** An external message that the account did not accept (exitCode: of the VM), or an emulator error (no exitCode). */
      readonly ok: false
      readonly error: string
      readonly exitCode?: number
      readonly log?: string
    }

export interface Tvm {
  /** Runs a get-method on any free worker. Past `signal` or the wall-clock deadline its worker is terminated and replaced. */
  runGetMethod(request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult>
  /**
   * Runs transactions one after another on one worker, in the order given. A request whose `shardAccount` is 'previous' continues from the
   * account left by the nearest earlier request of the same `account` key in this call, so that a run of messages to one account is one round trip.
   */
  runTransactions(
    requests: readonly (Omit<TransactionRequest, 'shardAccount'> & {
      readonly shardAccount: Uint8Array | 'previous'
      readonly account: string
    })[],
    signal: AbortSignal,
    options?: {
      /** Goes before everything that is not: for blocks in the making, which reads must not hold up. */
      readonly urgent?: boolean
    },
  ): Promise<TransactionResult[]>
  /** Resolves when every worker has compiled its emulator. */
  ready(): Promise<void>
  /** `differences`: transactions that the two engines did not agree on; told where both are asked (TvmOptions.transactions). */
  stats(): {
    readonly workers: number
    readonly busy: number
    readonly queued: number
    readonly replaced: number
    readonly differences?: number
  }
  close(): Promise<void>
}

/** The emulator or its pool failed, as opposed to the contract: kind says how. */
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
