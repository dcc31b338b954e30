import type { PackedMethod, PackedResult } from './get-method-wire.ts'
import type { TransactionRequest, TransactionResult, TvmError } from './tvm.ts'

/* Messages between the pool and its workers. Requests are structured-cloned, result bytes are transferred. */

/** A transaction of a batch; see `Tvm.runTransactions`. */
export type BatchRequest = Omit<TransactionRequest, 'shardAccount'> & {
  readonly shardAccount: Uint8Array | 'previous'
  readonly account: string
}

/** Requests name their configuration by id, because its bytes are sent to each worker once. */
export type WorkerTransaction = Omit<BatchRequest, 'config'> & { readonly configId: string }

export type Job =
  | { readonly type: 'get-method'; readonly request: PackedMethod }
  | { readonly type: 'transactions'; readonly requests: readonly WorkerTransaction[] }

/** A configuration sent to a worker: the root's hash (hex) and its BoC. */
export interface WorkerConfig {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface ToWorker {
  readonly id: number
  readonly job: Job
  /** Configurations that the worker does not hold yet, and ids of those that it may drop. */
  readonly configs: readonly WorkerConfig[]
  readonly forget: readonly string[]
}

export type FromWorker =
  /** `thread`: the system's id of the thread; undefined without /proc. */
  | { readonly type: 'ready'; readonly thread?: number | undefined }
  | { readonly type: 'get-method'; readonly id: number; readonly result: PackedResult }
  | { readonly type: 'transactions'; readonly id: number; readonly results: readonly TransactionResult[] }
  | { readonly type: 'failed'; readonly id: number; readonly kind: TvmError['kind']; readonly message: string }

export interface WorkerData {
  /** One Int32, increased after every transaction, so that a long batch can be told from a stuck one. */
  readonly progress: SharedArrayBuffer
}
