import { TonError } from '../../shared/errors.ts'
import { hasMoreValues } from '../../shared/json.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import { chargeUndispatched } from '../dispatch/charge.ts'
import { createMcp } from '../mcp/mcp.ts'
import { sendBody, sendJson, sendNotAllowed } from './answer-forms.ts'
import type { Context } from './context.ts'
import { paramsSchema } from './docs/schema.ts'
import type { Parts } from './parts.ts'
import { MAX_NAME, requestNameOf } from './rpc/endpoints.ts'
import { parseCharged, parseValue } from './rpc/request-text.ts'

/* POST /mcp, for agents. Its code and the MCP SDK are loaded on the first request (http.ts). */

const NO_BATCH = new TonError('INVALID_REQUEST', 'Invalid Request: one JSON-RPC message is expected, and no batch')

/**
 * Maximum number of values of a message, in which an argument of a tool counts as one, whatever it contains; clients send a few dozen. The MCP SDK copies and
 * checks each argument, and names each other value that does not fit the protocol: for 200,000 it took 2.5 seconds and wrote 48 MB.
 */
const MAX_VALUES = 1_000
const TOO_MANY_VALUES = new TonError('INVALID_REQUEST', `Invalid Request: over ${MAX_VALUES} values; an argument of a tool counts as one`)

const hasTooManyValues = (message: object): boolean =>
  hasMoreValues(message, MAX_VALUES, (message as { readonly params?: { readonly arguments?: unknown } | null }).params?.arguments)

export const createMcpEndpoint = ({ readBody, dispatch, methods, networks, mcp }: Parts) => {
  const servedBy = new Map(networks.map(({ name, served }) => [name, served]))
  const served = (network: string): readonly string[] => servedBy.get(network)!
  const serve = createMcp({ dispatch, methods, served, allowsWrites: mcp === 'write', paramsSchema })

  return async (ctx: Context): Promise<void> => {
    // There are no sessions and no streams, so GET and DELETE have no meaning.
    if (ctx.method !== 'POST') return sendNotAllowed(ctx, 'POST', `method ${ctx.method} is not supported`)
    const { call } = ctx.state
    const body = await parseCharged(await readBody(ctx), call, (text) => {
      const message = parseMessage(text)
      ctx.state.requestName = messageName(message)
      return message
    })
    const isToolCall = (body as { readonly method?: unknown }).method === 'tools/call'
    if (!isToolCall) await chargeUndispatched(call)
    // The MCP SDK takes milliseconds for a message, and hundreds may wait until it is loaded.
    await yieldToEventLoop()
    const { status, text, isDispatched } = await serve({ headers: ctx.req.headers, body, listsAll: ctx.query['tools'] === 'all' }, call)
    // A dispatched call was already charged by its weight. A tool call that was not dispatched costs one call.
    if (isToolCall && !isDispatched) await chargeUndispatched(call)
    if (text === '') sendBody(ctx, status, 'text/plain; charset=utf-8', '')
    else sendJson(ctx, status, text)
  }
}

const parseMessage = (text: string): object => {
  const value = parseValue(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw NO_BATCH
  if (hasTooManyValues(value)) throw TOO_MANY_VALUES
  return value
}

const messageName = (value: object): string => {
  const { params } = value as { readonly params?: { readonly name?: unknown } | null }
  return requestNameOf(value) + (typeof params?.name === 'string' ? ` ${params.name.slice(0, MAX_NAME)}` : '')
}
