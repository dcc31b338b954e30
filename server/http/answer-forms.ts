import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { createJSONRPCErrorResponse, type JSONRPCErrorResponse, type JSONRPCID, type JSONRPCResponse } from 'json-rpc-2.0'
import { ERRORS, type ErrorKind, type RpcErrorData, TonError } from '../../shared/errors.ts'
import type { MethodDef } from '../../shared/method.ts'
import { mapWithPauses } from '../base/yield.ts'
import type { Outcome } from '../dispatch/types.ts'
import { lengthOf, slicesOf } from './answer-bodies.ts'
import type { Context } from './context.ts'
import { JSON_TYPE } from './headers.ts'
import { LIMITS } from './limits.ts'
import { type Id, idText, NumberId } from './rpc/request-text.ts'

/*
 * Encodes every answer to a call in one of four formats: strict JSON-RPC, TON Center's dialect of JSON-RPC, v2 and v3. A long answer is sent while it is
 * produced.
 */

export interface Form {
  readonly hasHeaders: boolean
  readonly before: string
  /** Returns the text after the JSON of the result. Called once the JSON is complete. */
  readonly after: (isCached: boolean) => string
  readonly error: (error: TonError) => { readonly status: number; readonly text: string }
}

/** Emulation methods answer invalid parameters with 400 over REST; all other methods with 422. */
export const statusOf = (kind: ErrorKind, def?: MethodDef): number =>
  def?.api === 'emulate' && kind === 'INVALID_PARAMS' ? ERRORS.INVALID_REQUEST.http : ERRORS[kind].http

/** `@extra` of a response that queried no lite-server and took no time, such as a refused request. */
const NO_EXTRA = '_'

/** v2's error envelope with any HTTP status. `tail`: additional members, each with a leading comma. */
export const envelope = (text: string, status: number, extra = NO_EXTRA, tail = ''): string =>
  `{"ok":false,"error":${JSON.stringify(text)},"code":${status}${tail},"@extra":"${extra}"}`

const bareBody = (text: string, status: number): string => JSON.stringify({ error: text, code: status })

export const errorResponse = (id: Id, { kind, message, retryAfter, issues }: TonError): JSONRPCErrorResponse => {
  const data: RpcErrorData = { kind, ...(retryAfter !== undefined && { retryAfter }), ...(issues !== undefined && { issues }) }
  return createJSONRPCErrorResponse(id as JSONRPCID, ERRORS[kind].rpc, message, data)
}

/** JSON text of an error response. The id is null if the request cannot be parsed, or if a whole batch is refused. */
export const errorReply = (error: TonError, id: Id = null): string => responseText(errorResponse(id, error), true)

/** JSON text of a response whose `result` is an Outcome. `isSingle`: true if the response is not part of a batch. */
export const responseText = ({ id, error, result }: JSONRPCResponse, isSingle: boolean): string => {
  if (error !== undefined) return `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error)}}`
  const { before, after } = strictForm(id, isSingle)
  const { json, cached } = result as Outcome & { readonly ok: true }
  return before + json + after(cached)
}

const elapsed = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000

/** The lite-server in `@extra`: `0` is the embedded chain, `_` means that no lite-server was queried. */
type Source = '0' | '_'

const sourceOf = (def: MethodDef | undefined): Source => (def === undefined || def.needs === 'nothing' ? '_' : '0')

/** Errors of a query to the chain. Only for them `@extra` names a lite-server. */
const CHAIN_ERRORS: ReadonlySet<string> = new Set(['CHAIN', 'CHAIN_400', 'NOT_FOUND', 'NOT_A_TOKEN'])

/** `<unix seconds>:<lite-server>:<elapsed ms>`, and `:c` for a cached answer. */
const extraOf = (started: number, source: Source, isCached: boolean): string =>
  `${Math.floor(Date.now() / 1000)}:${source}:${elapsed(started)}${isCached ? ':c' : ''}`

/**
 * Strict JSON-RPC 2.0. A single success also has `ok: true`, because TonClient requires it. The status is 200 even for an error, except for a single call
 * over its rate limit.
 */
export const strictForm = (id: Id, isSingle: boolean): Form => ({
  hasHeaders: false,
  before: `{${isSingle ? '"ok":true,' : ''}"jsonrpc":"2.0","id":${idText(id)},"result":`,
  after: () => '}',
  error: (error) => ({ status: error.kind === 'RATE_LIMITED' ? statusOf(error.kind) : 200, text: errorReply(error, id) }),
})

/** v2's REST envelope. `tail`: additional members before `@extra`. */
export const v2Form = (started: number, def: MethodDef | undefined, tail = ''): Form => {
  const source = sourceOf(def)
  return {
    hasHeaders: true,
    before: '{"ok":true,"result":',
    after: (isCached) => `${tail},"@extra":"${extraOf(started, source, isCached)}"}`,
    error: (error) => {
      const status = statusOf(error.kind, def)
      const extra = def === undefined ? NO_EXTRA : extraOf(started, CHAIN_ERRORS.has(error.kind) ? source : '_', false)
      return { status, text: envelope(error.message, status, extra, tail) }
    },
  }
}

/** TON Center's dialect of JSON-RPC: v2's envelope, with the request's id if that is a string or a number. `def`: undefined for an unknown method. */
export const dialectForm = (started: number, def: MethodDef | undefined, id: unknown): Form => v2Form(started, def, echo(id))

const echo = (id: unknown): string =>
  typeof id === 'string' || typeof id === 'number' || id instanceof NumberId ? `,"jsonrpc":"2.0","id":${idText(id)}` : ''

export const v3Form = (def: MethodDef): Form => ({
  hasHeaders: true,
  before: '',
  after: () => '',
  error: (error) => {
    const status = statusOf(error.kind, def)
    return { status, text: bareBody(error.message, status) }
  },
})

/** The caller must await what it returns, a promise for a long answer. */
export const sendOutcome = (ctx: Context, outcome: Outcome, form: Form): Promise<void> | void => {
  if (!outcome.ok) sendFailure(ctx, outcome.error, form)
  else {
    const { json, more = [], rest, cached, headers } = outcome
    // `made` is called before any header is set: it makes sure that `rest` is closed with the response, even if setting a header throws.
    const body = rest && ctx.state.bodies.made(ctx, form.before + json, rest, () => form.after(cached))
    if (form.hasHeaders && headers) ctx.set(headers)
    if (body === undefined) return sendInTurns(ctx, [form.before, json, ...more, form.after(cached)])
    ctx.state.isBeingMade = true
    sendBody(ctx, 200, JSON_TYPE, body)
  }
}

const sendFailure = (ctx: Context, error: TonError, form: Form): void => {
  const { status, text } = form.error(error)
  if (form.hasHeaders || status !== 200) errorHeaders(ctx, error)
  sendJson(ctx, status, text)
}

export const sendBody = (ctx: Context, status: number, type: string, body: string | Buffer | Readable): void => {
  ctx.status = status
  ctx.res.setHeader('Content-Type', type)
  ctx.body = body
}

/** The error for an answer that has no room in memory; the client has to repeat the request. */
const UNREAD = new TonError('UNAVAILABLE', 'too many bytes of earlier answers are not read yet', { retryAfter: 1 })

/** Sends JSON text. Long answers are counted until the client has read them (answer-bodies.ts). */
export const sendJson = (ctx: Context, status: number, text: string): void => {
  if (beginBody(ctx, status, [text])) ctx.length = Buffer.byteLength(text)
}

/**
 * Sends JSON with status 200. Long answers that are ready in one turn, as those that share a run, are sent in several. Their texts are not joined, because V8
 * would copy them for each caller in that turn. The caller must await a promise.
 */
export const sendInTurns = (ctx: Context, texts: readonly string[]): Promise<void> | void => {
  if (beginBody(ctx, 200, texts)) return setLength(ctx, texts)
}

const setLength = async (ctx: Context, texts: readonly string[]): Promise<void> => {
  const lengths = await mapWithPauses(slicesOf(texts), (part) => Buffer.byteLength(part))
  ctx.length = lengths.reduce((sum, length) => sum + length, 0)
}

/** Returns true for a long answer, whose length must still be set. Refuses the request if there is no room for it. */
const beginBody = (ctx: Context, status: number, texts: readonly string[]): boolean => {
  const isLong = lengthOf(texts) >= LIMITS.long && ctx.req.method !== 'HEAD'
  const body = isLong ? ctx.state.bodies.whole(ctx.res, texts) : texts.join('')
  if (body === undefined) sendError(ctx, UNREAD)
  else sendBody(ctx, status, JSON_TYPE, body)
  return isLong && body !== undefined
}

/** Format of the error for a request that is refused as a whole. */
export type ErrorForm = 'v2' | 'v3' | 'rpc'

export const errorHeaders = (ctx: Context, { retryAfter, headers }: TonError): void => {
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
  if (headers) ctx.set(headers)
}

export const sendError = (ctx: Context, error: TonError): void => {
  errorHeaders(ctx, error)
  if (ctx.state.form === 'rpc') sendJson(ctx, statusOf(error.kind), errorReply(error))
  else sendRefusal(ctx, statusOf(error.kind), error.message)
}

/** Sends an error with an HTTP status that no kind of TonError has. */
export const sendRefusal = (ctx: Context, status: number, text: string): void =>
  sendJson(ctx, status, ctx.state.form === 'v3' ? bareBody(text, status) : envelope(text, status))

export const sendNotAllowed = (ctx: Context, allow: string, text: string): void => {
  ctx.set('Allow', allow)
  sendError(ctx, new TonError('METHOD_NOT_ALLOWED', text))
}

export const serverTiming = (started: number): string => `app;dur=${elapsed(started)}`
