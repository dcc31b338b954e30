import type Koa from 'koa'
import type { BodyStreams } from './body-streams.ts'
import type { OpenCall } from './call.ts'
import type { ErrorForm } from './encode.ts'
import type { HeadFault } from './request-head.ts'

/** State of a request from its arrival on. Endpoints read it. */
export interface State {
  readonly call: OpenCall
  /** performance.now() when the request arrived. */
  readonly started: number
  /** How errors are written. */
  form: ErrorForm
  /** Why the head of the request is refused. */
  readonly fault: HeadFault | undefined
  /** Bodies of long answers. */
  readonly bodies: BodyStreams
  /** Whether the answer is made while it is sent. */
  isBeingMade?: boolean
  /** What the access log says of a JSON-RPC request: the name of its method, or the number of calls. */
  requestName?: string
}

export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>
