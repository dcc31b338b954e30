import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { LIMITS } from './limits.ts'

/*
 * HTTP/1.1 lets a client send requests without waiting for answers. node hands over all requests of one network chunk at once, maybe thousands.
 * Here a few per connection run at a time and the others wait. The event loop turns in between. Nothing more is read while any request waits.
 */

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void

interface Waiting {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Requests of one connection behind the one whose answer is next. */
interface Line {
  /** Responses of running requests. */
  readonly running: Set<ServerResponse>
  readonly waiting: Waiting[]
  /** A turn of the event loop is scheduled, to start waiting requests. */
  turning: boolean
  /** The connection ends after the requests that are already here. Later ones are not answered. */
  full: boolean
}

export interface PipelineLimits {
  /** Requests of one connection that run at once, besides the one whose answer is next. */
  readonly running: number
  /** Waiting requests of all connections. */
  readonly waiting: number
}

/** A handler with a queue per connection in front of it. */
export interface Pipeline {
  readonly handler: RequestHandler
  /** The responses of a connection that are not finished, in their order. */
  unfinished(socket: Duplex): readonly ServerResponse[]
  /**
   * Called when a request that is still arriving has run out of time. Returns true if that is not the client's fault, because nothing is read while
   * others wait. The waiting requests are then answered, and the connection ends after the last of them.
   */
  overdue(socket: Duplex): boolean
}

export const createPipeline = (
  handler: RequestHandler,
  limits: PipelineLimits = { running: LIMITS.pipelined, waiting: LIMITS.pipelinedWaiting },
): Pipeline => {
  const lines = new WeakMap<Duplex, Line>()
  /** The last request whose response had its connection to itself when it came. */
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
    // A full connection is not read again: HTTP lets a server close it without answering later requests.
    if (line.waiting.length === 0 && !line.full && !socket.destroyed) socket.resume()
  }

  const open = (socket: Socket): Line => {
    const line: Line = { running: new Set(), waiting: [], turning: false, full: false }
    lines.set(socket, line)
    // node reads again once the client has taken an answer. It must not while requests wait.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      waitingOfAll -= line.waiting.length
      line.waiting.length = 0
      // node reports the end of a connection only to the response that is next.
      for (const res of line.running) {
        res.destroyed = true
        res.emit('close')
      }
    })
    return line
  }

  /** Ends the connection after the last accepted request that has arrived completely. The client has to send the others again. */
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
      // The response already has its socket: all earlier requests are answered. This is the usual case.
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
