import { ERRORS, TonError } from '../../../shared/errors.ts'
import { CALLER_LEFT, createAbortController } from '../../base/abort.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { createWriter, type WritePieces } from '../../base/writer/writer.ts'
import { inOwnTurn, mapWithPauses } from '../../base/yield.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import type { Started } from '../../live/replay.ts'
import { errorHeaders, sendJson, sendNotAllowed } from '../answer-forms.ts'
import type { Context } from '../context.ts'
import type { Parts } from '../parts.ts'
import { readQuery } from '../rest/query.ts'
import { acknowledged, errorTextOf, openListening, rulesOf, type StreamDeps, sseFrame } from './both-transports.ts'
import { countConnection } from './limits.ts'
import {
  checkNamed,
  idOf,
  type Members,
  objectOf,
  readSubscription,
  StreamError,
  type StreamId,
  type StreamRequest,
  type StreamRules,
} from './read-request.ts'

/* Streaming v2 over SSE: one subscription per connection. */

/** A comment that keeps the connection open. */
const KEEPALIVE = Buffer.from(': keepalive\n\n')

/** Headers of a stream besides the common ones. They stop proxies from buffering the stream. */
const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
}

const LISTS: ReadonlySet<string> = new Set(['types', 'addresses', 'trace_external_hash_norms', 'action_types', 'supported_action_types'])
const FLAGS: ReadonlySet<string> = new Set(['include_address_book', 'include_metadata', 'with_cursor'])

/** Converts the query of a GET to the members of a POST body. A list is a repeated name, or a value with commas. */
const fromQuery = (query: string): Members => {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(readQuery(query))) {
    const all = [value].flat().flatMap((one) => one ?? [])
    if (LISTS.has(name)) members[name] = all.flatMap((one) => one.split(',')).filter((one) => one !== '')
    else if (FLAGS.has(name))
      members[name] = all[0] === 'true' || all[0] === '1' ? true : all[0] === 'false' || all[0] === '0' ? false : all[0]
    else members[name] = all[0]
  }
  return members
}

const refuse = (ctx: Context, status: number, text: string, id?: StreamId): void =>
  sendJson(ctx, status, JSON.stringify({ id, error: text }))

/**
 * Answers EventSource while events cannot be read. It gives up for good at any status but 200, for example if a restarted process answers before its index
 * is open. After a stream that ends, it asks again after `retry` milliseconds, with the same Last-Event-ID.
 */
const sendLater = (ctx: Context, { message, retryAfter = 1 }: TonError): void => {
  ctx.set(STREAM_HEADERS)
  ctx.body = `retry: ${retryAfter * 1000}\n: ${message.replaceAll('\n', ' ')}\n\n`
}

const isEventSource = ({ method, req }: Context): boolean => method === 'GET' && req.headers.accept === 'text/event-stream'

/** The first frame. Its `id:` line lets EventSource resume even if no event follows. */
const connectedFrame = (id: StreamId | undefined, request: StreamRequest, started: Started): Buffer => {
  const place = request.withCursor ? `id: ${started.cursor}\n` : ''
  return Buffer.from(`${place}event: connected\ndata: ${JSON.stringify(acknowledged(id, request, started))}\n\n`)
}

export const createSse = (deps: StreamDeps & Pick<Parts, 'readBody' | 'times'>) => {
  const open = new Set<() => void>()

  /** Members of a request: from the body, or from the query and EventSource's Last-Event-ID header. */
  const membersOf = async (ctx: Context): Promise<Members> => {
    const last = ctx.req.headers['last-event-id']
    const members = ctx.method === 'GET' ? { ...fromQuery(ctx.querystring), with_cursor: true } : objectOf(await deps.readBody(ctx, true))
    return typeof last === 'string' && last !== '' ? { ...members, resume_from: last } : members
  }

  const begin = (ctx: Context): void => {
    ctx.respond = false
    ctx.status = 200
    ctx.set(STREAM_HEADERS)
    ctx.flushHeaders()
    // Without a listener, the error event of a write after the end would end the process.
    ctx.res.on('error', () => {})
  }

  /** `signal` is aborted when the response closes. */
  const stream = async (ctx: Context, request: StreamRequest, rules: StreamRules, id: StreamId | undefined, signal: AbortSignal) => {
    const { res, state } = ctx
    // A slow reader's connection is destroyed without ending the response.
    const fail = (): void => void res.destroy()
    const write: WritePieces = (pieces, done) => {
      // Combines the pieces into one system call, which is made here. By itself node would make it later, in a row with those of all other streams.
      res.socket?.cork()
      for (const [i, piece] of pieces.entries()) res.write(piece, i === pieces.length - 1 ? done : undefined)
      res.socket?.uncork()
    }
    const writer = createWriter({ unread: deps.unread, write, slow: fail })
    signal.addEventListener('abort', writer.close)
    const sink = { push: writer.push, room: writer.room, fail, ...rules.limits, frame: sseFrame(request.withCursor) }
    const { listening, started } = await openListening(deps.hub(state.call.network), request, sink, signal)
    if (signal.aborted || res.destroyed) return listening.close()
    begin(ctx)
    writer.push(createChunk([connectedFrame(id, request, started)], 'events'))
    listening.begin()
    const end = (): void => {
      writer.flush()
      writer.close()
      res.end()
    }
    // The timer must not keep the process running if the embedding program forgot to close its tonway.
    const timer = setInterval(() => writer.push(createChunk([KEEPALIVE], 'events')), deps.times.keepalive).unref()
    const forget = state.call.caller?.onEnd(end)
    open.add(end)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      open.delete(end)
      forget?.()
      listening.close()
    })
  }

  const serve = async (ctx: Context): Promise<void> => {
    ctx.state.form = 'v3'
    if (ctx.method !== 'POST' && ctx.method !== 'GET') return sendNotAllowed(ctx, 'GET, POST', `method ${ctx.method} is not supported`)
    const { req, res, state } = ctx
    const { client = '', caller } = state.call
    await chargeUndispatched(state.call)
    const rules = rulesOf('sse', req, { client, caller }, deps)
    const gone = createAbortController()
    if (res.destroyed) gone.abort()
    // A thousand clients may leave at once, and each takes a tenth of a millisecond.
    res.once('close', () => void inOwnTurn(() => gone.abort(CALLER_LEFT)))
    let id: StreamId | undefined
    try {
      const members = await membersOf(ctx)
      id = idOf(members)
      const request = readSubscription(members, rules)
      const refusal = await countConnection(deps.eventSlots, rules.limits, gone.signal)
      if (refusal !== undefined) return refuse(ctx, 429, refusal, id)
      checkNamed(request, rules)
      await stream(ctx, request, rules, id, gone.signal)
    } catch (error) {
      if (res.destroyed || res.headersSent) return
      if (error instanceof StreamError)
        return error.isMalformed ? refuse(ctx, 400, `invalid subscription request: ${error.message}`) : refuse(ctx, 400, error.message, id)
      if (!(error instanceof TonError)) throw error
      if (error.kind === 'UNAVAILABLE' && isEventSource(ctx)) return sendLater(ctx, error)
      errorHeaders(ctx, error)
      refuse(ctx, ERRORS[error.kind].http, errorTextOf(error), id)
    }
  }

  return {
    serve,
    /** Ends all streams, with pauses, because there may be thousands. */
    close: () => mapWithPauses([...open], (end) => end()),
  }
}
