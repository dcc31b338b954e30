import type { PackedMethod, PackedOutcome, PackedResult, PackedTransaction } from './pack-requests.ts'
import type { TvmError } from './tvm.ts'

/* Messages between the pool and its workers. Requests are cloned (structured clone). The BoCs of results are transferred. */

export type Job =
  | { readonly type: 'get-method'; readonly request: PackedMethod }
  | { readonly type: 'transaction'; readonly request: PackedTransaction }

export interface ToWorker {
  readonly id: number
  readonly job: Job
  /**
   * `configId` is the hash (hex) of the configuration's root. `configBoc` is set if the worker does not have this configuration yet. `forget` is the id of a
   * configuration that the worker must drop.
   */
  readonly configId: string
  readonly configBoc?: Uint8Array | undefined
  readonly forget?: string | undefined
}

export type FromWorker =
  /** `thread` is the thread id of the operating system; undefined without /proc. */
  | { readonly type: 'ready'; readonly thread?: number | undefined }
  | { readonly type: 'get-method'; readonly id: number; readonly result: PackedResult }
  | { readonly type: 'transaction'; readonly id: number; readonly result: PackedOutcome }
  | { readonly type: 'failed'; readonly id: number; readonly kind: TvmError['kind']; readonly message: string }
