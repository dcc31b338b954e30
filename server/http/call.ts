import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { CallSignal } from '../base/abort.ts'
import { type Call, type Caller, type PieceWriter, waitsForBlock } from '../base/call.ts'
import type { Log } from '../base/log.ts'
import { withFields } from '../base/log.ts'
import { clientNet } from '../net/client-net.ts'
import type { Context } from './context.ts'
import type { NetworkChoice } from './networks.ts'
import { givenRequestId } from './request-head.ts'

export interface CallDeps {
  readonly log: Log
  readonly nextId: () => string
  readonly localAccess: (req: IncomingMessage) => boolean
  readonly chooseNetwork: NetworkChoice
  readonly clientAddress: (req: IncomingMessage) => string
}

/** A call whose caller is set once it is identified. */
export interface OpenCall extends Call {
  caller: Caller | undefined
  /** Set by endpoints that write answers in pieces. */
  writer: PieceWriter | undefined
}

/** A signal that is aborted if `closes` closes before everything was written to it. */
const hangUpOf = (closes: Writable): CallSignal => {
  const signal = new CallSignal()
  if (closes.destroyed) signal.abort()
  else
    closes.once('close', () => {
      if (!closes.writableFinished) signal.abort()
    })
  return signal
}

/**
 * The call of one request. Its expensive members are created on first use: a cached answer needs no signal and no log of its own.
 * It is a class, unlike most of this code, because an object literal with getters costs 1.5 microseconds per request.
 */
class RequestCall implements OpenCall {
  readonly requestId: string
  readonly network: string
  caller: Caller | undefined = undefined
  writer: PieceWriter | undefined = undefined
  private readonly deps: CallDeps
  private readonly req: IncomingMessage
  private readonly closes: Writable
  private ownSignal: CallSignal | undefined
  private ownLog: Log | undefined
  constructor(deps: CallDeps, req: IncomingMessage, closes: Writable) {
    this.requestId = givenRequestId(req) ?? deps.nextId()
    this.network = deps.chooseNetwork(req)
    this.deps = deps
    this.req = req
    this.closes = closes
  }
  get signal(): AbortSignal {
    this.ownSignal ??= hangUpOf(this.closes)
    return this.ownSignal
  }
  get log(): Log {
    this.ownLog ??= withFields(this.deps.log, { requestId: this.requestId })
    return this.ownLog
  }
  get servers(): string | undefined {
    return this.caller?.servers
  }
  get client(): string {
    return this.caller?.bucket ?? clientNet(this.deps.clientAddress(this.req))
  }
  get waitsForBlock(): boolean {
    return waitsForBlock(this.req.socket)
  }
  get localAllowed(): boolean {
    return this.deps.localAccess(this.req)
  }
}

/** Removes the network prefix from the request's URL. `closes`: the response; the call's signal is aborted if it closes before it is finished. */
export const createCall = (deps: CallDeps, req: IncomingMessage, closes: Writable): OpenCall => new RequestCall(deps, req, closes)

/**
 * Lets a large answer be written while it is being made. Not for HEAD, whose answer states the length. Not for HTTP/1.0 either: there the end of the
 * connection ends the answer, so a truncated answer looks complete.
 */
export const allowPieces = ({ method, req, res, state: { call } }: Context): void => {
  if (method !== 'HEAD' && req.httpVersion === '1.1') call.writer = writerOf(res)
}

const writerOf = (res: ServerResponse): PieceWriter => ({
  ready: () => (res.socket === null ? new Promise<void>((resolve) => res.once('socket', () => resolve())) : undefined),
})
