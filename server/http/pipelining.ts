import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { LIMITS } from './limits.ts'

/*
 * HTTP/1.1 lets a client send requests without waiting for answers, and node passes on all requests of one network chunk at once, possibly thousands. Here
 * only a few requests per connection run at once, in separate event-loop turns; the rest wait. The connection is not read while any of its requests waits.
 */

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void

interface Waiting {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Requests of one connection, except the one whose answer is sent next. */
interface Line {
  readonly running: Set<ServerResponse>
  readonly waiting: Waiting[]
  turning: boolean
  /** True if the connection closes after the requests that have already arrived. */
  full: boolean
}

export interface PipelineLimits {
  readonly running: number
  readonly waiting: number
}

export interface Pipeline {
  readonly handler: RequestHandler
  unfinished(socket: Duplex): readonly ServerResponse[]
  /**
   * Called when a request that is still arriving has timed out. Returns true if it timed out because the connection is not read while earlier requests
   * wait. Then the waiting requests are answered, and the connection closes after the last of them.
   */
  overdue(socket: Duplex): boolean
}

export const createPipeline = (
  handler: RequestHandler,
  limits: PipelineLimits = { running: LIMITS.pipelined, waiting: LIMITS.pipelinedWaiting },
): Pipeline => {
  const lines = new WeakMap<Duplex, Line>()
  /** The connection's last response that node could write at once, because no earlier response was unfinished. */
  const first = new WeakMap<Duplex, ServerResponse>()
  let waitingOfAll = 0

  const start = (line: Line, { req, res }: Waiting): void => {
    line.running.add(res)
    res.once('close', () => {
      line.running.delete(res)
      if (line.waiting.length === 0 || line.turning) return
      line.turning = true
      setImmediate(turn, line, req.socket)
    })
    handler(req, res)
  }

  const turn = (line: Line, socket: Socket): void => {
    line.turning = false
    while (line.running.size < limits.running) {
      const next = line.waiting.shift()
      if (next === undefined) break
      waitingOfAll--
      start(line, next)
    }
    // A connection that is going to close is not read again: HTTP allows a server to close it without answering later requests.
    if (line.waiting.length === 0 && !line.full && !socket.destroyed) socket.resume()
  }

  const open = (socket: Socket): Line => {
    const line: Line = { running: new Set(), waiting: [], turning: false, full: false }
    lines.set(socket, line)
    // node resumes reading once the client has read an answer. The connection must stay paused while requests wait.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      waitingOfAll -= line.waiting.length
      line.waiting.length = 0
      // node reports a closed connection only to the response that is sent next, so the responses behind it are closed here.
      for (const res of line.running) {
        res.destroyed = true
        res.emit('close')
      }
    })
    return line
  }

  /** Closes the connection after the last request that has arrived completely. The client has to repeat an incomplete one. */
  const finish = (line: Line, socket: Socket): void => {
    line.full = true
    if (line.waiting.at(-1)?.req.complete === false) {
      line.waiting.pop()
      waitingOfAll--
    }
    const last = line.waiting.at(-1)?.res ?? [...line.running].at(-1)
    if (last === undefined) socket.destroy()
    else {
      last.shouldKeepAlive = false
      last.once('close', () => socket.destroySoon())
    }
  }

  const wait = (line: Line, waiting: Waiting): void => {
    const { socket } = waiting.req
    if (line.full) return
    if (waitingOfAll >= limits.waiting) finish(line, socket)
    else {
      waitingOfAll++
      line.waiting.push(waiting)
      socket.pause()
    }
  }

  return {
    handler(req, res) {
      // The response already has its socket: all earlier requests are answered, as is usual.
      const { socket } = req
      if (res.socket !== null) {
        first.set(socket, res)
        return handler(req, res)
      }
      if (socket.destroyed) return
      const line = lines.get(socket) ?? open(socket)
      if (line.running.size < limits.running && line.waiting.length === 0 && !line.full) start(line, { req, res })
      else wait(line, { req, res })
    },
    unfinished(socket) {
      const { running = [], waiting = [] } = lines.get(socket) ?? {}
      return [first.get(socket), ...running, ...waiting.map(({ res }) => res)].flatMap((res) =>
        res === undefined || res.closed ? [] : [res],
      )
    },
    overdue(socket) {
      const line = lines.get(socket)
      if (line === undefined || line.waiting.length === 0) return false
      if (!line.full) finish(line, socket as Socket)
      return true
    },
  }
}
