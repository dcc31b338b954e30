import type Koa from 'koa'
import type { BodyStreams } from './answer-bodies.ts'
import type { ErrorForm } from './answer-forms.ts'
import type { RequestCall } from './open-request.ts'
import type { HeadFault } from './request-head.ts'

export interface State {
  readonly call: RequestCall
  /** performance.now() when the request arrived. */
  readonly started: number
  form: ErrorForm
  /** Why the request must be refused for its head; undefined if the head is valid. */
  readonly fault: HeadFault | undefined
  readonly bodies: BodyStreams
  isBeingMade?: boolean
  /** For the access log: the method of a JSON-RPC call, or the number of calls in a batch. */
  requestName?: string
}

export type Context = Koa.ParameterizedContext<State>
export type Middleware = Koa.Middleware<State>
