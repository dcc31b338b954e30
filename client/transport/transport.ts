import type { Failure } from '../errors.ts'
import type { Subscribe } from '../subscribe.ts'

/** One call to send. */
export interface Call {
  /** Unique among the calls of its client. */
  readonly id: number
  readonly method: string
  /** Whether the call changes something. It is then never sent again once it may have been sent. */
  readonly write: boolean
  /** The JSON-RPC request as text, and its length in bytes. */
  readonly text: string
  readonly bytes: number
  /** Settled or given up: nobody needs its answer any more. */
  readonly done: boolean
}

/** How a call ended. */
export type Answered =
  | { readonly result: unknown; readonly failure?: undefined; readonly split?: undefined }
  | { readonly failure: Failure; readonly split?: undefined }

/** `split`: this server takes no batches. It did not execute the call, which must be sent alone. */
export type Outcome = Answered | { readonly split: true; readonly failure?: undefined }

/** Receives the outcome of each call as it arrives. A second outcome of the same call is ignored. */
export type Deliver<C extends Call = Call> = (call: C, outcome: Outcome) => void

/**
 * A transport sends a group of calls as one message and delivers an outcome for each. `send` never rejects, and ends in bounded time. `signal` is
 * aborted when nobody waits for any of the calls. A wrapper of transports (see `fallback`) is a transport too.
 */
export interface Transport {
  /** Origin and path, for errors. */
  readonly endpoint: string
  send<C extends Call>(calls: readonly C[], signal: AbortSignal, deliver: Deliver<C>): Promise<void>
  /** Subscribes to events; transports without a socket have none. */
  readonly subscribe?: Subscribe | undefined
  /** Milliseconds left of a pause that the server requested; 0 if there is none. What is sent now waits that long. */
  paused?(): number
  /** Closes open connections. */
  close?(): void
}
