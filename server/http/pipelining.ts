import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { inOwnTurn } from '../base/yield.ts'
import { LIMITS } from './limits.ts'

/*
 * HTTP/1.1 lets a client send requests without waiting for answers, and node passes on all requests of one network chunk at once, possibly thousands. Here
 * only a few requests per connection run at once, in separate event-loop turns; the rest wait. A connection with waiting requests is read again when all are
 * answered: node hangs up as soon as it reads that the client sends no more, and would drop the last answers. If the
 * last one's body is still arriving, it is read when that request runs.
 */

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void

/** Requests of one connection. */
interface Line {
  /** Unfinished responses in the order of their requests. The first ones run, the others wait. */
  readonly all: ServerResponse[]
  running: number
  isPaused: boolean
  /** Number of requests that are not answered, because too many wait. */
  dropped: number
}

/**
 * Number of requests that a connection may send beyond the limit before it is cut. node keeps each of them until the connection closes, and a chunk of the
 * network has thousands.
 */
const MAX_DROPPED = 100

export interface Pipeline {
  readonly handler: RequestHandler
  unfinished(socket: Duplex): readonly ServerResponse[]
}

/** Ends the connection after this response. The client has to repeat later requests: HTTP lets a server close a connection without answering them. */
export const endAfter = (res: ServerResponse): void => {
  const { socket } = res.req
  res.shouldKeepAlive = false
  res.once('close', () => socket.destroySoon())
}

export const createPipeline = (
  handler: RequestHandler,
  limits: { readonly running: number; readonly waiting: number } = { running: LIMITS.pipelined, waiting: LIMITS.pipelinedWaiting },
): Pipeline => {
  const lines = new WeakMap<Duplex, Line>()
  /** Waiting requests of all connections. */
  let waiting = 0

  const read = (line: Line, socket: Socket): void => {
    if (line.dropped > 0) return
    line.isPaused = false
    if (!socket.destroyed) socket.resume()
  }

  const start = (line: Line, res: ServerResponse): void => {
    line.running++
    // Responses close in the order of their requests.
    res.once('close', () => {
      line.running--
      line.all.shift()
      const { socket } = res.req
      // Hundreds of connections may have answers in one turn. `advance` begins up to eight requests of each.
      if (line.all.length > line.running) setImmediate(inOwnTurn<void>, () => advance(line))
      else if (line.isPaused && line.all.length === 0) read(line, socket)
    })
    handler(res.req, res)
  }

  const advance = (line: Line): void => {
    while (line.running < limits.running && line.all.length > line.running) {
      waiting--
      start(line, line.all[line.running]!)
    }
    const last = line.all.at(-1)
    if (line.running === line.all.length && last?.req.complete === false) read(line, last.req.socket)
  }

  const drop = (line: Line, socket: Socket): void => {
    // Its last response may be sent much later: after that of an event stream, for example.
    line.isPaused = true
    socket.pause()
    if (++line.dropped > MAX_DROPPED) socket.destroy()
  }

  const open = (socket: Socket): Line => {
    const line: Line = { all: [], running: 0, isPaused: false, dropped: 0 }
    lines.set(socket, line)
    // node resumes reading once the client has read an answer.
    socket.on('resume', () => {
      if (line.isPaused) socket.pause()
    })
    socket.once('close', () => {
      waiting -= line.all.length - line.running
      // node reports a closed connection only to the response that is sent next, so the running responses behind it are closed here.
      const behind = line.all.slice(0, line.running).filter((res) => res.socket === null)
      line.all.length = line.running
      for (const res of behind) {
        res.destroyed = true
        res.emit('close')
      }
    })
    return line
  }

  return {
    handler(req, res) {
      const { socket } = req
      if (socket.destroyed) return
      const line = lines.get(socket) ?? open(socket)
      const last = line.all.at(-1)
      // The connection ends after an earlier response.
      if (last?.shouldKeepAlive === false) return drop(line, socket)
      const hasWaiting = line.all.length > line.running
      if (!hasWaiting && line.running < limits.running) {
        line.all.push(res)
        start(line, res)
      } else if (waiting < limits.waiting) {
        waiting++
        line.all.push(res)
        line.isPaused = true
        socket.pause()
      } else {
        endAfter(last!)
        drop(line, socket)
      }
    },
    unfinished: (socket) => lines.get(socket)?.all ?? [],
  }
}
