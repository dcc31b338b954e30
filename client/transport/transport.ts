import type { Failure } from '../errors.ts'
import type { Subscribe } from '../subscribe.ts'

export interface Call {
  /** Unique among the calls of its client. */
  readonly id: number
  readonly method: string
  /** True if the call changes something. A write is never repeated once it may have been sent. */
  readonly write: boolean
  /** `text`: the JSON-RPC request. `bytes`: its length. */
  readonly text: string
  readonly bytes: number
  /** True if the call is settled or abandoned, so no caller needs its answer. */
  readonly done: boolean
}

export type Answered =
  | { readonly result: unknown; readonly failure?: undefined; readonly split?: undefined }
  | { readonly failure: Failure; readonly split?: undefined }

/** `split`: this server does not support batches. It did not execute the call, and the call must be sent alone. */
export type Outcome = Answered | { readonly split: true; readonly failure?: undefined }

/** Receives the outcome of each call when it arrives. Further outcomes of the same call are ignored. */
export type Deliver<C extends Call = Call> = (call: C, outcome: Outcome) => void

/**
 * A transport sends a group of calls as one message and delivers an outcome for each call. `send` never rejects, and resolves in bounded time. `signal` is
 * aborted when no caller waits for any of the calls. A wrapper of transports (see `fallback`) is also a transport.
 */
export interface Transport {
  readonly endpoint: string
  send<C extends Call>(calls: readonly C[], signal: AbortSignal, deliver: Deliver<C>): Promise<void>
  /** Undefined for transports without a socket. */
  readonly subscribe?: Subscribe | undefined
  /** Remaining milliseconds of a pause that the server requested; 0 if there is none. New requests wait that long. */
  paused?(): number
  close?(): void
}
