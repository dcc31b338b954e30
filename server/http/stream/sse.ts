import { ERRORS, TonError } from '../../../shared/errors.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { createWriter, type Writer, writePieces } from '../../base/writer/writer.ts'
import type { Sink } from '../../live/listener.ts'
import type { Started } from '../../live/replay.ts'
import { errorHeaders, sendJson, sendNotAllowed } from '../answer-forms.ts'
import { bodyText, type ReadBody } from '../body.ts'
import { chargeUndispatched } from '../charge-undispatched.ts'
import type { Context } from '../context.ts'
import { readQuery } from '../rest/query.ts'
import { acknowledged, errorTextOf, openListening, rulesOf, type StreamDeps, sseFrame } from './both-transports.ts'
import { tooMany } from './limits.ts'
import {
  checkNamed,
  idOf,
  objectOf,
  readSubscription,
  StreamError,
  type StreamId,
  type StreamRequest,
  type StreamRules,
} from './read-request.ts'

/* Streaming v2 over SSE: one subscription per connection. */

const KEEPALIVE_MS = 15_000
const KEEPALIVE = Buffer.from(': keepalive\n\n')

/** Headers of a stream besides the common ones. They stop proxies from buffering the stream. */
const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
}

export interface Sse {
  serve(ctx: Context): Promise<void>
  count(): number
  close(): void
}

const LISTS: ReadonlySet<string> = new Set(['types', 'addresses', 'trace_external_hash_norms', 'action_types', 'supported_action_types'])
const FLAGS: ReadonlySet<string> = new Set(['include_address_book', 'include_metadata', 'with_cursor'])

/** Converts the query of a GET to the members of a POST body. A list is a repeated name, or a value with commas. */
const fromQuery = (query: string): Readonly<Record<string, unknown>> => {
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
  sendJson(ctx, status, JSON.stringify({ ...(id !== undefined && { id }), error: text }))

/** The first frame. Its `id:` line lets EventSource resume even if no event follows. */
const connectedFrame = (id: StreamId | undefined, request: StreamRequest, started: Started): Buffer => {
  const place = request.withCursor ? `id: ${started.cursor}\n` : ''
  return Buffer.from(`${place}event: connected\ndata: ${JSON.stringify(acknowledged(id, request, started))}\n\n`)
}

/** `keepalive`: interval (ms) of the comments that keep a connection open; tests set it. */
export const createSse = (deps: StreamDeps, readBody: ReadBody, keepalive = KEEPALIVE_MS): Sse => {
  const open = new Set<() => void>()

  /** Members of a request: from the body, or from the query and EventSource's Last-Event-ID header. */
  const membersOf = async (ctx: Context): Promise<Readonly<Record<string, unknown>>> => {
    const last = ctx.req.headers['last-event-id']
    const members = ctx.method === 'GET' ? { ...fromQuery(ctx.querystring), with_cursor: true } : objectOf(bodyText(await readBody(ctx)))
    return typeof last === 'string' && last !== '' ? { ...members, resume_from: last } : members
  }

  const start = (ctx: Context): { readonly writer: Writer; readonly end: () => void } => {
    const { res } = ctx
    ctx.respond = false
    ctx.status = 200
    ctx.set(STREAM_HEADERS)
    ctx.flushHeaders()
    const writer = createWriter({
      unread: deps.unread,
      // Node combines the writes of one event-loop turn into one system call.
      write: (pieces, done) => writePieces(res, pieces, done),
      // A slow reader's connection is destroyed without ending the response.
      slow: () => res.destroy(),
    })
    // Without a listener, the error event of a write after the end would end the process.
    res.on('error', () => {})
    return {
      writer,
      end: () => {
        writer.flush()
        writer.close()
        res.end()
      },
    }
  }

  const stream = async (
    ctx: Context,
    members: Readonly<Record<string, unknown>>,
    id: StreamId | undefined,
    rules: StreamRules,
    release: () => void,
  ) => {
    const { res, state } = ctx
    const request = readSubscription(members, rules)
    checkNamed(request, rules)
    let writer: Writer | undefined
    const fail = (): void => void res.destroy()
    const { client, replays } = rules.limits
    const sink: Omit<Sink, 'takesResets'> = {
      push: (chunk) => writer?.push(chunk),
      room: () => writer?.room(),
      fail,
      client,
      replays,
      frame: sseFrame(request.withCursor),
    }
    const { listening, started } = await openListening(deps.hub(state.call.network), request, sink, state.call.signal)
    if (res.destroyed) return listening.close()
    const begun = start(ctx)
    writer = begun.writer
    writer.push(createChunk(connectedFrame(id, request, started), 'events'))
    listening.begin()
    // The timer must not keep the process running if the embedding program forgot to close its tonway.
    const timer = setInterval(() => writer?.push(createChunk(KEEPALIVE, 'events')), keepalive).unref()
    const forget = state.call.caller?.onEnd(begun.end)
    open.add(begun.end)
    res.once('close', () => {
      clearInterval(timer)
      open.delete(begun.end)
      forget?.()
      listening.close()
      begun.writer.close()
      release()
    })
  }

  const serve = async (ctx: Context): Promise<void> => {
    ctx.state.form = 'v3'
    if (ctx.method !== 'POST' && ctx.method !== 'GET') return sendNotAllowed(ctx, 'GET, POST', `method ${ctx.method} is not supported`)
    const { req, res, state } = ctx
    const { client = '', caller } = state.call
    await chargeUndispatched(state.call)
    const rules = rulesOf('sse', req, { client, caller }, deps)
    const { limits } = rules
    let id: StreamId | undefined
    let release: (() => void) | undefined
    try {
      const members = await membersOf(ctx)
      id = idOf(members)
      readSubscription(members, rules)
      const taken = await deps.eventSlots.acquire(limits.client, limits.sockets)
      if (typeof taken === 'number') return refuse(ctx, 429, tooMany(taken), id)
      release = taken
      await stream(ctx, members, id, rules, release)
      if (!ctx.res.headersSent || res.destroyed) release()
    } catch (error) {
      release?.()
      if (res.destroyed || res.headersSent) return
      if (error instanceof StreamError)
        return error.isMalformed ? refuse(ctx, 400, `invalid subscription request: ${error.message}`) : refuse(ctx, 400, error.message, id)
      if (!(error instanceof TonError)) throw error
      errorHeaders(ctx, error)
      refuse(ctx, ERRORS[error.kind].http, errorTextOf(error), id)
    }
  }

  return {
    serve,
    count: () => open.size,
    close() {
      for (const end of [...open]) end()
    },
  }
}
