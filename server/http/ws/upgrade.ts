import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TIMES } from '../limits.ts'

/**
 * Answers a request that asks for a protocol we do not speak (`Upgrade: h2c`, as curl and Java's client send it) as if it had not asked, which is
 * what HTTP tells servers to do. node hands such requests to the upgrade event with the body unread, so it is read here by its length.
 */
export const serveWithoutUpgrade = (
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): void => {
  const length = Number(req.headers['content-length'] ?? 0)
  const request = length > 0 ? withBody(req, socket, head, length) : req
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => {
    response.detachSocket(socket)
    socket.destroySoon()
  })
  socket.setTimeout(TIMES.request, () => socket.destroy())
  handler(request, response)
}

/** The same request with its body as a stream of `length` bytes. */
const withBody = (req: IncomingMessage, socket: Socket, head: Buffer, length: number): IncomingMessage => {
  const request = new IncomingMessage(socket)
  Object.assign(request, {
    method: req.method,
    url: req.url,
    httpVersion: req.httpVersion,
    headers: req.headers,
    rawHeaders: req.rawHeaders,
  })
  let left = length
  const take = (chunk: Buffer): void => {
    request.push(chunk.length > left ? chunk.subarray(0, left) : chunk)
    left -= chunk.length
    if (left > 0) return
    socket.off('data', take)
    request.complete = true
    request.push(null)
  }
  if (head.length > 0) take(head)
  if (left > 0) socket.on('data', take)
  return request
}
