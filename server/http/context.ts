import type Koa from 'koa'
import type { BodyStreams } from './body-streams.ts'
import type { OpenCall } from './call.ts'
import type { ErrorForm } from './encode.ts'
import type { HeadFault } from './request-head.ts'

/** State of a request, which the endpoints read. */
export interface State {
  readonly call: OpenCall
  /** performance.now() when the request arrived. */
  readonly started: number
  /** Format of error responses. */
  form: ErrorForm
  /** The reason to refuse the request because of its head; undefined if the head is valid. */
  readonly fault: HeadFault | undefined
  /** Creates the bodies of long answers. */
  readonly bodies: BodyStreams
  /** True if the answer is produced while it is sent. */
  isBeingMade?: boolean
  /** Name of a JSON-RPC request in the access log: its method, or the number of calls in a batch. */
  requestName?: string
}

export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>
