import { isJSONRPCID, type JSONRPCID } from 'json-rpc-2.0'
import { TonError } from '../../../shared/errors.ts'
import { parseJson } from '../../../shared/json.ts'
import type { Call } from '../../base/call.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import { turnAfterParsing } from '../body.ts'

/*
 * A JSON-RPC response must repeat the request's id unchanged. A JavaScript number would change some ids (above 2^53, or 1e400), so the text of their JSON
 * token is stored.
 */

/** JSON token of a numeric id. It is a class, so that it cannot be confused with a parsed JSON value. */
export class NumberId {
  readonly token: string
  constructor(token: string) {
    this.token = token
  }
}

export type Id = JSONRPCID | NumberId

export const isId = (id: unknown): id is Id => isJSONRPCID(id) || id instanceof NumberId

export const idText = (id: Id): string => (id instanceof NumberId ? id.token : JSON.stringify(id))

/** Matches texts that may contain an id that a number would change: many digits, a fraction, an exponent, a minus sign, or a member name with escapes. */
const SUSPICIOUS = /(?<!\d)\d{16}|"id"\s*:\s*(?:-|\d+[.eE])|\\u00[46]/

/** A string, a mark, or the letters and digits of another value. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g

/** Tokens of numeric ids by the index of their request in the batch; a single request has index 0. The text must be valid JSON. */
const idTokens = (text: string, isBatch: boolean): Map<number, string> => {
  const tokens = new Map<number, string>()
  const requestDepth = isBatch ? 2 : 1
  let depth = 0
  let place = 0
  let last = ''
  let isId = false
  for (const [token] of text.matchAll(TOKEN)) {
    // If a name is repeated, the last member counts.
    if (isId) {
      if (/^[-\d]/.test(token)) tokens.set(place, token)
      else tokens.delete(place)
    }
    isId = token === ':' && depth === requestDepth && JSON.parse(last) === 'id'
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ',' && isBatch && depth === 1) place++
    last = token
  }
  return tokens
}

/** Parses JSON. Throws JSON-RPC's parse error, with the message of the specification; its `data` has the position. */
export const parseValue = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch (error) {
    throw new TonError('PARSE', 'Parse error', { issues: [{ param: 'body', message: (error as Error).message }] })
  }
}

/** Parses a request or a batch. Numeric ids that a JavaScript number would change become NumberIds. Throws as parseValue does. */
export const parseRequests = (text: string): unknown => {
  const value = parseValue(text)
  if (!SUSPICIOUS.test(text)) return value
  const requests = Array.isArray(value) ? value : [value]
  for (const [place, token] of idTokens(text, Array.isArray(value))) {
    const request = requests[place]
    // parseJson returns integers from 2^53 on as strings, even if a number can represent them exactly.
    if (typeof request['id'] !== 'number' || String(request['id']) !== token) request['id'] = new NumberId(token)
  }
  return value
}

/** Parses a text. One that `parse` refuses costs one call. After a long one, waits for another turn of the event loop. */
export const parseCharged = async <T>(text: string, call: Pick<Call, 'caller'>, parse: (text: string) => T): Promise<T> => {
  try {
    const value = parse(text)
    await turnAfterParsing(text)
    return value
  } catch (error) {
    await chargeUndispatched(call)
    throw error
  }
}
