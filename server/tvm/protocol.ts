import type { ConfigForm, TransactionRequest, TransactionResult, TvmConfig, TvmError } from './tvm.ts'

/* What the pool and its workers say to each other. Bytes are structured-cloned; results are transferred. */

/** A transaction of a batch; see `Tvm.runTransactions`. */
export type BatchRequest = Omit<TransactionRequest, 'shardAccount'> & {
  readonly shardAccount: Uint8Array | 'previous'
  readonly account: string
}

/**
 * Requests name their configuration by id: its bytes are sent to each worker once. A get-method goes as the texts that the emulator reads: to clone two
 * texts costs a fraction of what a record of byte arrays does.
 */
export interface WorkerGetMethod {
  readonly configId: string
  readonly configForm: ConfigForm
  readonly params: string
  /** VmStack BoC in base64. */
  readonly stack: string
}
export type WorkerTransaction = Omit<BatchRequest, 'config'> & { readonly configId: string }

export type Job =
  | { readonly type: 'get-method'; readonly request: WorkerGetMethod }
  | { readonly type: 'transactions'; readonly requests: readonly WorkerTransaction[] }

export interface ToWorker {
  readonly id: number
  readonly job: Job
  /** Configurations that the worker does not hold yet, and ids that it need not hold any longer. */
  readonly configs: readonly TvmConfig[]
  readonly forget: readonly string[]
}

/** What a get-method left, in the texts of the emulator: a short text is cloned in less time than bytes are handed over. */
export interface WorkerResult {
  readonly exitCode: number
  readonly gasUsed: string
  /** VmStack BoC in base64. */
  readonly stack: string
  /** Hash (hex) of a library the run stopped for. */
  readonly missingLibrary: string | undefined
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'get-method'; readonly id: number; readonly result: WorkerResult }
  | {
      readonly type: 'transactions'
      readonly id: number
      readonly results: readonly TransactionResult[]
      /** How many of them the two engines did not agree on, where both were asked. */
      readonly differences: number
    }
  | { readonly type: 'failed'; readonly id: number; readonly kind: TvmError['kind']; readonly message: string }

/** Which engine makes transactions: the project's own, the emulator, or both with the emulator's result. */
export type TransactionEngine = 'own' | 'emulator' | 'compared'

export interface WorkerData {
  readonly module: WebAssembly.Module
  /** Int32Array of one: counted up after every transaction, so that a long batch is told from a stuck one. */
  readonly progress: SharedArrayBuffer
  readonly transactions: TransactionEngine
}
