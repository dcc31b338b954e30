import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { LIMITS } from './limits.ts'

/*
 * HTTP/1.1 lets a client send requests without waiting for answers, and node hands over all that one piece off the network holds at once: thousands.
 * Here a few of a connection run at a time, further ones wait, the event loop turns in between, and nothing more is read while any wait.
 */

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void

interface Waiting {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** Requests of one connection behind the one whose answer is due. */
interface Line {
  /** Those that run. */
  readonly running: Set<ServerResponse>
  readonly waiting: Waiting[]
  /** A turn of the event loop has been asked for, to start those that wait. */
  turning: boolean
  /** It ends with the answers of those that are here: what comes now is not answered any more. */
  full: boolean
}

export interface PipelineLimits {
  /** Requests of one connection that run at once, besides the one whose answer is due. */
  readonly running: number
  /** Requests of all connections that wait. */
  readonly waiting: number
}

/** A handler with a line per connection before it. */
export interface Pipeline {
  readonly handler: RequestHandler
  /**
   * Told that the time of a request that is still arriving has run out. True where that is not the client's fault, because nothing is read while others
   * wait: those are answered, and the connection ends with the last of them.
   */
  overdue(socket: Duplex): boolean
}

export const createPipeline = (
  handler: RequestHandler,
  limits: PipelineLimits = { running: LIMITS.pipelined, waiting: LIMITS.pipelinedWaiting },
): Pipeline => {
  const lines = new WeakMap<Duplex, Line>()
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
    // Whatever is sent after the last that was taken is not answered: that is how a server ends a connection.
    if (line.waiting.length === 0 && !line.full && !socket.destroyed) socket.resume()
  }

  const open = (socket: Socket): Line => {
    const line: Line = { running: new Set(), waiting: [], turning: false, full: false }
    lines.set(socket, line)
    // node reads on when the client has taken an answer; while any wait it must not.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      waitingOfAll -= line.waiting.length
      line.waiting.length = 0
      // node tells the end of a connection to the answer that is due, and to no other.
      for (const res of line.running) {
        res.destroyed = true
        res.emit('close')
      }
    })
    return line
  }

  /** Answers end with the last that was taken and is whole; the client asks for the others again, elsewhere or later. */
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
      // It has its socket already: the answers of all requests before it are out. Nearly every request is one of these.
      if (res.socket !== null) return handler(req, res)
      const { socket } = req
      if (socket.destroyed) return
      const line = lines.get(socket) ?? open(socket)
      if (line.running.size < limits.running && line.waiting.length === 0 && !line.full) start(line, { req, res })
      else wait(line, { req, res })
    },
    overdue(socket) {
      const line = lines.get(socket)
      if (line === undefined || line.waiting.length === 0) return false
      if (!line.full) finish(line, socket as Socket)
      return true
    },
  }
}
