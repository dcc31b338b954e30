import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outflow } from './answer/outflow.ts'
import type { OpenCall } from './call.ts'
import type { ErrorForm } from './error-text.ts'
import type { Inflow } from './inflow.ts'

/** What is known about a request from its arrival on. Endpoints read it. */
export interface State {
  call: OpenCall
  /** performance.now() when the request arrived. */
  started: number
  /** How errors are written. */
  form: ErrorForm
  /** Headers of the answer besides type and length, as alternating names and values. */
  headers: string[]
  /** Long answers being sent, of all requests. */
  outflow: Outflow
  /** Bodies that are arriving, of all requests. */
  inflow: Inflow
  /** What a JSON-RPC request asked for, for the access log: a method name, or the number of calls. */
  asked?: string
}

/** A request and its answer, as endpoints see them that write JSON: a Koa context, or the exchange of the door (rpc/door.ts). */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly method: string
  /** The target of the request as it came, with its network prefix. */
  readonly originalUrl: string
  readonly state: State
  /** Set to false by whoever writes the answer to `res`. */
  respond?: boolean | undefined
  /** The encoding that the client prefers among these; false if it accepts none of them. */
  acceptsEncodings(...encodings: string[]): string | false
}
