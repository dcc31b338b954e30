import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { isLoopback } from '../net/loopback.ts'
import type { Middleware } from './context.ts'
import { isForwarded } from './local-access.ts'

/* Access checks of /mcp. This file is loaded with the routes, so it must not import the package of the protocol. */

const BEARER = /^Bearer +(\S+) *$/i

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['x-api-key'] === undefined ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined

/** Accepts the API key from `Authorization: Bearer` too, because some agents cannot send any other header. */
export const takeBearer: Middleware = ({ req }, next) => {
  const key = bearerOf(req)
  if (key !== undefined) req.headers['x-api-key'] = key
  return next()
}

const FOREIGN = new TonError('FORBIDDEN', 'MCP on this machine is not for pages of other origins; TONWAY_ALLOW_LOCAL allows them')

/**
 * Refuses pages of other origins on the user's own machine, as the MCP specification requires: a page's host name may resolve to 127.0.0.1, and the browser
 * would then send its requests here. Agents send no Origin. A service behind a proxy or on another machine accepts pages, as for all other calls.
 */
export const refuseForeignPages: Middleware = ({ req, state: { call } }, next) => {
  const isOnThisMachine = isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req)
  if (req.headers.origin !== undefined && isOnThisMachine && !call.localAllowed) throw FOREIGN
  return next()
}
