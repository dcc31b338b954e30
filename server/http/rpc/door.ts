import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TonError } from '../../../shared/errors.ts'
import type { Log } from '../../base/log.ts'
import { toTonError } from '../../dispatch/failure.ts'
import { sendError } from '../answer/send.ts'
import { takeBody } from '../body.ts'
import type { Exchange, State } from '../exchange.ts'
import { LIMITS } from '../limits.ts'
import type { Readiness } from '../ops/readiness.ts'
import type { RequestHandler } from '../pipeline.ts'
import { headFault } from '../request-head.ts'
import type { Requests } from '../requests.ts'

/*
 * The door of ordinary JSON-RPC requests: POST with a body of known length to exactly the path of an endpoint. They do not pass Koa, which takes
 * about 20 microseconds for each (measured). Every other request goes on to Koa. Both ways lead to the same endpoints.
 */

/** An endpoint of JSON-RPC, and how it writes errors. */
export interface RpcEndpoint {
  readonly form: State['form']
  /** Answers a POST with this body, at once if nothing has to be waited for. Throws or rejects with the error to be answered. */
  readonly answer: (ctx: Exchange, body: Buffer) => Promise<void> | void
}

/** Which encoding of these a client prefers. */
type Negotiate = (req: IncomingMessage, res: ServerResponse, encodings: string[]) => string | false

export interface DoorDeps {
  /** By path. */
  readonly endpoints: ReadonlyMap<string, RpcEndpoint>
  readonly requests: Requests
  readonly readiness: Readiness
  readonly negotiate: Negotiate
  readonly log: Log
  /** Serves all other requests. */
  readonly otherwise: RequestHandler
}

class RpcExchange implements Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly method = 'POST'
  readonly originalUrl: string
  readonly state: State
  respond: boolean | undefined = undefined
  readonly #negotiate: Negotiate
  constructor(req: IncomingMessage, res: ServerResponse, state: State, negotiate: Negotiate) {
    this.req = req
    this.res = res
    this.originalUrl = req.url!
    this.state = state
    this.#negotiate = negotiate
  }
  acceptsEncodings(...encodings: string[]): string | false {
    return this.#negotiate(this.req, this.res, encodings)
  }
}

/** Whether a request has a body of a known length that is not too large. */
const hasPlainBody = ({ headers }: IncomingMessage): boolean => {
  const length = headers['content-length']
  return length !== undefined && Number(length) <= LIMITS.body && headers['transfer-encoding'] === undefined
}

export const createDoor = ({ endpoints, requests, readiness, negotiate, log, otherwise }: DoorDeps): RequestHandler => {
  /** Ends an exchange, with a refusal if there is one. If that fails the answer had begun, so it cannot say what went wrong. */
  const end = (ctx: RpcExchange, refusal?: TonError): void => {
    try {
      if (refusal) sendError(ctx, refusal)
      requests.answered(ctx)
    } catch (error) {
      log.debug('http.error', { err: error })
      ctx.res.destroy()
    }
  }
  const refuse = (ctx: RpcExchange, thrown: unknown): void => end(ctx, toTonError(thrown, ctx.state.call))
  /** Most answers are made at once, so this path has no promise unless something has to be waited for. */
  const answer = (ctx: RpcExchange, endpoint: RpcEndpoint, body: Buffer): void => {
    try {
      const answering = endpoint.answer(ctx, body)
      if (answering instanceof Promise)
        answering.then(
          () => end(ctx),
          (error: unknown) => refuse(ctx, error),
        )
      else end(ctx)
    } catch (error) {
      refuse(ctx, error)
    }
  }
  const serve = (ctx: RpcExchange, endpoint: RpcEndpoint): void =>
    takeBody(
      ctx,
      (body) => answer(ctx, endpoint, body),
      (error) => refuse(ctx, error),
    )
  return (req, res) => {
    const endpoint = req.method === 'POST' ? endpoints.get(req.url ?? '') : undefined
    if (endpoint === undefined || readiness.phase() !== 'ready' || !hasPlainBody(req) || headFault(req)) return otherwise(req, res)
    const ctx = new RpcExchange(req, res, requests.open(req, res), negotiate)
    ctx.state.form = endpoint.form
    try {
      const admitted = requests.admit(ctx)
      if (admitted === undefined) serve(ctx, endpoint)
      else
        admitted.then(
          () => serve(ctx, endpoint),
          (error: unknown) => refuse(ctx, error),
        )
    } catch (error) {
      refuse(ctx, error)
    }
  }
}
