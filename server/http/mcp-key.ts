import type { IncomingMessage } from 'node:http'
import { TonError } from '../../shared/errors.ts'
import { isLoopback } from '../net/loopback.ts'
import type { Middleware } from './context.ts'
import { isForwarded } from './local-access.ts'

/* Who may ask at /mcp. Loaded with the routes, so it imports nothing of the protocol. */

const BEARER = /^Bearer +(\S+) *$/i

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['x-api-key'] === undefined ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined

/** Takes the API key of an agent also from `Authorization: Bearer`, which is all that some of them can send. */
export const takeBearer: Middleware = ({ req }, next) => {
  const key = bearerOf(req)
  if (key !== undefined) req.headers['x-api-key'] = key
  return next()
}

const FOREIGN = new TonError('FORBIDDEN', 'MCP on this machine is not for pages of other origins; TONWAY_ALLOW_LOCAL allows them')

/**
 * MCP asks of servers on a user's machine that they refuse pages of other origins: a page's own name may lead to 127.0.0.1, and the browser would send its
 * requests here. Agents send no Origin. A service behind a proxy, or on another machine, is open to pages, as it is to their other calls.
 */
export const refuseForeignPages: Middleware = ({ req, state: { call } }, next) => {
  const isOnThisMachine = isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req)
  if (req.headers.origin !== undefined && isOnThisMachine && !call.localAllowed) throw FOREIGN
  return next()
}
