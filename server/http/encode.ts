import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { createJSONRPCErrorResponse, type JSONRPCErrorResponse, type JSONRPCID, type JSONRPCResponse } from 'json-rpc-2.0'
import { ERRORS, type RpcErrorData, TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import type { Outcome } from '../dispatch/types.ts'
import type { Context } from './context.ts'
import { JSON_TYPE } from './headers.ts'
import { LIMITS } from './limits.ts'
import { type Id, idText, NumberId } from './rpc/request-text.ts'

/* Encodes every answer to a call, at once or while it is produced, in one of four formats: strict JSON-RPC, TON Center's dialect of it, v2 and v3. */

/** Format in which the outcome of one call is written. */
export interface Form {
  /** True if the response has the headers of the outcome. */
  readonly hasHeaders: boolean
  /** Text before the JSON of the result. */
  readonly before: string
  /** Returns the text after the JSON of the result. Called once the JSON is complete. */
  readonly after: (isCached: boolean) => string
  readonly error: (error: TonError) => { readonly status: number; readonly text: string }
}

const statusOf = ({ kind }: TonError): number => ERRORS[kind].http

/** `@extra` of responses that queried no lite-server and took no time: refused requests and unknown paths. */
const NO_EXTRA = '_'

/** v2's error envelope with any HTTP status. `tail`: additional members, each with a leading comma. */
export const envelope = (text: string, status: number, extra = NO_EXTRA, tail = ''): string =>
  `{"ok":false,"error":${JSON.stringify(text)},"code":${status}${tail},"@extra":"${extra}"}`

/** v3's error body with any HTTP status. */
const bareBody = (text: string, status: number): string => JSON.stringify({ error: text, code: status })

/** A JSON-RPC 2.0 error response. */
export const errorResponse = (id: Id, { kind, message, retryAfter, issues }: TonError): JSONRPCErrorResponse => {
  const data: RpcErrorData = { kind, ...(retryAfter !== undefined && { retryAfter }), ...(issues !== undefined && { issues }) }
  return createJSONRPCErrorResponse(id as JSONRPCID, ERRORS[kind].rpc, message, data)
}

/** The text of a JSON-RPC error. The id is null if the request's id is unknown, because the request cannot be parsed or a whole batch is refused. */
export const errorReply = (error: TonError, id: Id = null): string => responseText(errorResponse(id, error), true)

/** The text of a JSON-RPC response whose result is an outcome. `isSingle`: true if the response is not part of a batch. */
export const responseText = ({ id, error, result }: JSONRPCResponse, isSingle: boolean): string => {
  if (error !== undefined) return `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error)}}`
  const { before, after } = strictForm(id, isSingle)
  const { json, cached } = result as Outcome & { readonly ok: true }
  return before + json + after(cached)
}

/** Milliseconds since `started`, rounded to the microsecond. */
const elapsed = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000

/** The lite-server in `@extra`: `0` is the embedded chain, `_` means that no lite-server was queried. */
type Source = '0' | '_'

/** `_` if the method is unknown or needs no source, otherwise `0`. */
const sourceOf = (def: MethodDef | undefined): Source => (def === undefined || def.needs === 'nothing' ? '_' : '0')

/** Errors that come from a query of the chain. `@extra` of all other errors names no lite-server. */
const CHAIN_ERRORS: ReadonlySet<string> = new Set(['CHAIN', 'CHAIN_400', 'NOT_FOUND', 'NOT_A_TOKEN'])

/** `<unix seconds>:<lite-server>:<elapsed ms>`, and `:c` for a cached answer. */
const extraOf = (started: number, source: Source, isCached: boolean): string =>
  `${Math.floor(Date.now() / 1000)}:${source}:${elapsed(started)}${isCached ? ':c' : ''}`

/**
 * Strict JSON-RPC 2.0. A single success also has `ok: true`, because TonClient requires it. The status is 200 even for an error. The only exception is a single
 * call over its rate limit, which gets the status of the error.
 */
export const strictForm = (id: Id, isSingle: boolean): Form => ({
  hasHeaders: false,
  before: `{${isSingle ? '"ok":true,' : ''}"jsonrpc":"2.0","id":${idText(id)},"result":`,
  after: () => '}',
  error: (error) => ({ status: error.kind === 'RATE_LIMITED' ? statusOf(error) : 200, text: errorReply(error, id) }),
})

/** HTTP status of a method's error. Emulation methods answer invalid parameters with 400, all other methods with 422. */
const statusFor = (def: MethodDef | undefined, error: TonError): number =>
  def?.api === 'emulate' && error.kind === 'INVALID_PARAMS' ? ERRORS.INVALID_REQUEST.http : statusOf(error)

/** v2's REST envelope. `tail`: additional members before `@extra`. */
export const v2Form = (started: number, def: MethodDef | undefined, tail = ''): Form => {
  const source = sourceOf(def)
  return {
    hasHeaders: true,
    before: '{"ok":true,"result":',
    after: (isCached) => `${tail},"@extra":"${extraOf(started, source, isCached)}"}`,
    error: (error) => {
      const status = statusFor(def, error)
      const extra = def === undefined ? NO_EXTRA : extraOf(started, CHAIN_ERRORS.has(error.kind) ? source : '_', false)
      return { status, text: envelope(error.message, status, extra, tail) }
    },
  }
}

/** TON Center's dialect of JSON-RPC: v2's envelope with the request's id, if the id is a string or a number. `def`: undefined for an unknown method. */
export const dialectForm = (started: number, def: MethodDef | undefined, id: unknown): Form => v2Form(started, def, echo(id))

const echo = (id: unknown): string =>
  typeof id === 'string' || typeof id === 'number' || id instanceof NumberId ? `,"jsonrpc":"2.0","id":${idText(id)}` : ''

/** v3's REST format: the result without an envelope. */
export const v3Form = (def: MethodDef): Form => ({
  hasHeaders: true,
  before: '',
  after: () => '',
  error: (error) => {
    const status = statusFor(def, error)
    return { status, text: bareBody(error.message, status) }
  },
})

/** Sends the outcome of a call, at once or while it is produced. */
export const sendOutcome = (ctx: Context, outcome: Outcome, form: Form): void => {
  if (!outcome.ok) sendFailure(ctx, outcome.error, form)
  else {
    const { json, rest, cached, headers } = outcome
    // The body is created first. It ends the production of `rest` when the response closes, even if setting a header throws.
    const body = rest && ctx.state.bodies.made(ctx, form.before + json, rest, () => form.after(cached))
    if (form.hasHeaders && headers) ctx.set(headers)
    if (body === undefined) sendJson(ctx, 200, form.before + json + form.after(cached))
    else {
      ctx.state.isBeingMade = true
      sendBody(ctx, 200, JSON_TYPE, body)
    }
  }
}

const sendFailure = (ctx: Context, error: TonError, form: Form): void => {
  const { status, text } = form.error(error)
  if (form.hasHeaders || status !== 200) errorHeaders(ctx, error)
  sendJson(ctx, status, text)
}

/** Sends a body of any type, such as a document or a picture. */
export const sendBody = (ctx: Context, status: number, type: string, body: string | Buffer | Readable): void => {
  ctx.status = status
  ctx.set('Content-Type', type)
  ctx.body = body
}

/** The error for an answer that has no room in memory; the client has to repeat the request. */
const UNREAD = new TonError('UNAVAILABLE', 'too many bytes of earlier answers are not read yet', { retryAfter: 1 })

/** Sends JSON text. The bytes of long answers are counted until the client has read them (body-streams.ts). */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  if (text.length < LIMITS.long || ctx.method === 'HEAD') sendBody(ctx, status, JSON_TYPE, text)
  else sendLong(ctx, status, Buffer.from(text))
}

const sendLong = (ctx: Context, status: number, bytes: Buffer): void => {
  const body = ctx.state.bodies.whole(ctx.res, bytes)
  if (body === undefined) sendError(ctx, UNREAD)
  else {
    sendBody(ctx, status, JSON_TYPE, body)
    ctx.length = bytes.length
  }
}

/** Format in which an endpoint writes the error of a request that is refused as a whole. */
export type ErrorForm = 'v2' | 'v3' | 'rpc'

/** Sets the headers of an error: Retry-After, and the headers that the error carries. */
export const errorHeaders = (ctx: Context, { retryAfter, headers }: TonError): void => {
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
  if (headers) ctx.set(headers)
}

/** Refuses a request as a whole, in the error format of its endpoint. */
export const sendError = (ctx: Context, error: TonError): void => {
  errorHeaders(ctx, error)
  if (ctx.state.form === 'rpc') sendJson(ctx, statusOf(error), errorReply(error))
  else sendRefusal(ctx, statusOf(error), error.message)
}

/** Refuses a request with an HTTP status that no kind of TonError has. */
export const sendRefusal = (ctx: Context, status: number, text: string): void =>
  sendJson(ctx, status, ctx.state.form === 'v3' ? bareBody(text, status) : envelope(text, status))

/** Answers 405 with the allowed verbs. */
export const sendNotAllowed = (ctx: Context, allow: string, text: string): void => {
  ctx.set('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}

/** Value of the Server-Timing header of v3. */
export const serverTiming = (started: number): string => `app;dur=${elapsed(started)}`
