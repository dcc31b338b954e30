import { TonError } from '../../shared/errors.ts'
import { isLoopback } from '../net/address-ranges.ts'
import type { Middleware } from './context.ts'
import { isForwarded } from './local-access.ts'

/* Access checks of /mcp. This file is loaded with the routes, so it must not import the MCP SDK. */

const BEARER = /^Bearer +(\S+) *$/i

/** Accepts the API key from `Authorization: Bearer` too, because some agents cannot send X-Api-Key. */
export const takeBearer: Middleware = ({ req: { headers } }, next) => {
  const key = BEARER.exec(headers.authorization ?? '')?.[1]
  if (key !== undefined) headers['x-api-key'] ??= key
  return next()
}

const FOREIGN = new TonError('FORBIDDEN', 'MCP on this machine is not for pages of other origins; TONWAY_ALLOW_LOCAL allows them')

/**
 * If tonway runs on the user's own machine, refuses requests of web pages of other origins, as the MCP specification requires: with DNS rebinding, any page
 * could make a browser send requests to 127.0.0.1. Agents send no Origin. Behind a proxy, or from another machine, pages are accepted.
 */
export const refuseForeignPages: Middleware = ({ req, state: { call } }, next) => {
  const isOnThisMachine = isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req)
  if (req.headers.origin !== undefined && isOnThisMachine && !call.localAllowed) throw FOREIGN
  return next()
}
