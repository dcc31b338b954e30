import type { Failure } from '../errors.ts'

/** One call on its way. */
export interface Call {
  /** Unique among the calls of its client. */
  readonly id: number
  readonly method: string
  /** Changes something: never sent again once it may have been sent. */
  readonly write: boolean
  /** The JSON-RPC request as text, and its length in bytes. */
  readonly text: string
  readonly bytes: number
  /** Settled or given up: its answer interests nobody any more. */
  readonly done: boolean
}

/** How a call ended. */
export type Answered =
  | { readonly result: unknown; readonly failure?: undefined; readonly split?: undefined }
  | { readonly failure: Failure; readonly split?: undefined }

/** `split`: this server takes no batches; the call was not sent and is to be sent alone. */
export type Outcome = Answered | { readonly split: true; readonly failure?: undefined }

/** Takes the outcome of each call as it comes; a second one of the same call is ignored. */
export type Deliver<C extends Call = Call> = (call: C, outcome: Outcome) => void

/**
 * A transport sends a group of calls as one message and delivers an outcome for each. It never rejects, and ends in bounded time. `signal` is
 * aborted when nobody waits for any of them. What wraps a transport (see `fallback`) is a transport.
 */
export interface Transport {
  /** Origin and path, for errors. */
  readonly endpoint: string
  send<C extends Call>(calls: readonly C[], signal: AbortSignal, deliver: Deliver<C>): Promise<void>
  /** The server asked to be left alone for so many milliseconds more; what is sent now waits as long. */
  paused?(): number
  /** Lets go of what it holds open. */
  close?(): void
}
