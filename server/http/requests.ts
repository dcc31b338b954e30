import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Gate } from '../dispatch/types.ts'
import type { Meter } from '../metrics/meter.ts'
import type { Outflow } from './answer/outflow.ts'
import { type CallDeps, createCall } from './call.ts'
import type { Exchange, State } from './exchange.ts'
import { commonHeaders } from './headers.ts'
import type { Inflow } from './inflow.ts'
import { createDoorCounter } from './ops/metrics.ts'
import type { Readiness } from './ops/readiness.ts'

/* What happens to every request before its endpoint is called and after it is answered, whichever door it came by: Koa (outermost.ts) or rpc/door.ts. */

export interface RequestDeps extends CallDeps {
  /** Versions of the v2 and v3 interfaces. */
  readonly apiVersion: string
  readonly apiVersionV3: string
  /** Identifies callers; undefined if callers are not checked. */
  readonly gate?: Gate | undefined
  readonly readiness: Readiness
  readonly meter: Meter
  /** Long answers being sent. */
  readonly outflow: Outflow
  /** Bodies that are arriving. */
  readonly inflow: Inflow
  /** Called for each request once it is answered; undefined if the access log is off. */
  readonly accessLog: ((ctx: Exchange, status: number, milliseconds: number) => void) | undefined
}

export interface Requests {
  /** Makes the state of a request that has just arrived, and removes the network prefix from its URL. */
  open(req: IncomingMessage, res: ServerResponse): State
  /** Identifies the caller and stores it in the call. Throws or rejects if the gate refuses. */
  admit(ctx: Exchange): Promise<void> | undefined
  /** Counts an answered request and logs it. */
  answered(ctx: Exchange): void
}

/** Paths that follow v3's conventions. */
const BARE = ['/api/v3/', '/api/emulate/'] as const

/** Status recorded for a request whose caller hung up before the answer, as in nginx. */
const HUNG_UP = 499

export const createRequests = (deps: RequestDeps): Requests => {
  const common = { envelope: commonHeaders(deps.apiVersion), v3: commonHeaders(deps.apiVersionV3) }
  const count = createDoorCounter(deps.meter)
  return {
    open(req, res) {
      const started = performance.now()
      const call = createCall(deps, req, res)
      const { url = '' } = req
      const form = BARE.some((prefix) => url.startsWith(prefix)) ? 'v3' : 'envelope'
      const headers = [...common[form], 'X-Request-Id', call.requestId]
      if (deps.readiness.phase() === 'stopping') headers.push('Connection', 'close')
      return { call, started, form, headers, outflow: deps.outflow, inflow: deps.inflow }
    },
    admit({ req, state: { call } }) {
      const caller = deps.gate?.admit(req, call.network)
      if (caller instanceof Promise)
        return caller.then((known) => {
          call.caller = known
        })
      call.caller = caller
      return undefined
    },
    answered(ctx) {
      const { req, res, state } = ctx
      const status = req.socket.destroyed ? HUNG_UP : res.statusCode
      const milliseconds = performance.now() - state.started
      count(req.url ?? '', status, milliseconds)
      deps.accessLog?.(ctx, status, milliseconds)
    },
  }
}
