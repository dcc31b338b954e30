import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { inOwnTurn, inSharedTurn } from '../base/yield.ts'
import { LIMITS } from './limits.ts'

/*
 * HTTP/1.1 lets a client send requests without waiting for answers. Here only a few requests per connection run at once, in separate event-loop turns. Most
 * of the rest are not even parsed (readInPieces). A connection with more is read again when all are answered. If the last one's body is still arriving, it is
 * read when that request runs.
 */

/** Requests of one connection. */
interface Line {
  /** Unfinished responses in the order of their requests. The first ones run, the others wait. */
  readonly all: ServerResponse[]
  running: number
  isPaused: boolean
  /** Whether it was paused because its client does not read answers. */
  isUnread: boolean
  /** Whether it was ever paused. Then it is read late, and its end does not say that the client has gone. */
  wasPaused: boolean
  /** Whether a request came after the last one that is answered. Then nothing more is read. */
  isOver: boolean
  /** Called when all are answered, if the client has ended its side. */
  hangUp?: () => void
}

/** Returns whether answers wait for the client to read them. node parses no further request then, and an assertion of it fails if it gets one. */
const hasUnread = ({ all, running }: Line, { writableNeedDrain, writableHighWaterMark }: Socket): boolean => {
  if (writableNeedDrain) return true
  let queued = 0
  for (const res of all.slice(0, running)) if (res.socket === null) queued += res.writableLength
  return queued >= writableHighWaterMark
}

/** Time for answers after a client has ended its side, ms. It may still read, as `printf ... | nc` does; one that has gone looks the same. */
const HALF_OPEN = 250

/** Requests that begin in the turn that brings them. Those after them begin when a turn has time: one turn can bring thousands. */
const AT_ONCE = 64

export type Pipeline = ReturnType<typeof createPipeline>

/** Ends the connection after this response. The client has to repeat later requests: HTTP lets a server close a connection without answering them. */
export const endAfter = (res: ServerResponse): void => {
  const { socket } = res.req
  res.shouldKeepAlive = false
  res.once('close', () => socket.destroySoon())
}

/** `onPipelined`: called for each request that came before the ones before it were answered. */
export const createPipeline = (handler: RequestListener, onPipelined: () => void) => {
  const lines = new WeakMap<Duplex, Line>()
  let begun = 0
  const endTurn = (): void => {
    begun = 0
  }

  const read = (line: Line, socket: Socket): void => {
    if (line.isOver) return
    line.isPaused = false
    if (!socket.destroyed) socket.resume()
  }

  const release = (line: Line, socket: Socket): void => {
    if (!line.isUnread || hasUnread(line, socket)) return
    line.isUnread = false
    if (!line.isPaused && !socket.destroyed) socket.resume()
  }

  const start = (line: Line, res: ServerResponse): void => {
    line.running++
    // Responses close in the order of their requests.
    res.once('close', () => {
      line.running--
      line.all.shift()
      const { socket } = res.req
      release(line, socket)
      // Hundreds of connections may have answers in one turn. `advance` begins up to eight requests of each.
      if (line.all.length > line.running) setImmediate(inOwnTurn<void>, () => advance(line))
      else if (line.all.length === 0) {
        if (line.isPaused) read(line, socket)
        line.hangUp?.()
      }
    })
    if (begun === 0) setImmediate(endTurn)
    if (++begun <= AT_ONCE) handler(res.req, res)
    else inSharedTurn(() => res.req.socket.destroyed || handler(res.req, res))
  }

  const advance = (line: Line): void => {
    while (line.running < LIMITS.pipelined && line.all.length > line.running) {
      start(line, line.all[line.running]!)
    }
    const last = line.all.at(-1)
    if (line.running === line.all.length && last?.req.complete === false) read(line, last.req.socket)
  }

  const open = (socket: Socket): Line => {
    const line: Line = { all: [], running: 0, isPaused: false, isUnread: false, wasPaused: false, isOver: false }
    lines.set(socket, line)
    // node resumes reading once the client has read an answer, and so do others when a turn has time again.
    socket.on('resume', () => {
      line.isUnread ||= hasUnread(line, socket)
      if (line.isPaused || line.isUnread) socket.pause()
      // It may have been paused after this was scheduled.
      release(line, socket)
    })
    socket.on('drain', () => release(line, socket))
    socket.once('close', () => {
      // node reports a closed connection only to the response that is sent next, so the running responses behind it are closed here.
      const behind = line.all.slice(0, line.running).filter((res) => res.socket === null)
      line.all.length = line.running
      for (const res of behind) {
        inSharedTurn(() => {
          res.destroyed = true
          res.emit('close')
        })
      }
    })
    return line
  }

  return {
    handler(req: IncomingMessage, res: ServerResponse): void {
      const { socket } = req
      if (socket.destroyed) return
      const line = lines.get(socket) ?? open(socket)
      if (line.all.at(-1)?.shouldKeepAlive === false) {
        line.isOver = true
        return
      }
      if (line.all.push(res) > 1) onPipelined()
      // node read these without a pause.
      line.wasPaused ||= line.all.length > LIMITS.pipelined
      if (line.running === line.all.length - 1 && line.running < LIMITS.pipelined) start(line, res)
    },
    unfinished: (socket: Duplex): readonly ServerResponse[] => lines.get(socket)?.all ?? [],
    /** Whether more of the connection may be read now. If not, it is resumed later. `hasRest`: whether more has arrived. */
    mayRead(socket: Socket, hasRest: boolean): boolean {
      const line = lines.get(socket)
      if (line === undefined) return true
      const { all, running, isOver } = line
      const isBody = running === all.length && all.at(-1)?.req.complete === false
      const isFull = all.length > running || (hasRest && all.length >= LIMITS.pipelined)
      line.isPaused = isOver || (isFull && !isBody)
      line.wasPaused ||= line.isPaused
      line.isUnread = hasUnread(line, socket)
      return !line.isPaused && !line.isUnread
    },
    /**
     * Calls `hangUp`, which aborts what is not answered: at once if a body is unfinished, otherwise when all is answered, or soon unless the connection was
     * paused.
     */
    whenAnswered(socket: Duplex, hangUp: () => void): void {
      const line = lines.get(socket)
      const last = line?.all.at(-1)
      if (line === undefined || last === undefined || !(line.wasPaused || last.req.complete)) hangUp()
      else {
        line.hangUp = hangUp
        // An answer that is being sent is sent to its end.
        if (!line.wasPaused) setTimeout(() => line.all[0]?.writableEnded || hangUp(), HALF_OPEN).unref()
      }
    },
  }
}

const HEAD_END = '\r\n\r\n'
const EMPTY = Buffer.alloc(0)
/** Minimum length of a piece, bytes. Otherwise a body of empty lines would be parsed four bytes at a time. */
const SHORTEST = 64

/** Length of the next piece: up to the end of a head, if another head may follow. */
const pieceEnd = (chunk: Buffer): number => {
  const at = chunk.indexOf(HEAD_END, SHORTEST - HEAD_END.length)
  if (at < 0) return chunk.length
  const end = at + HEAD_END.length
  return end < chunk.length && chunk.includes(HEAD_END, end) ? end : chunk.length
}

/** Time after a pipelined request in which new connections are read in pieces from the beginning, ms. */
const PIPELINED_LATELY = 60_000

/**
 * Gives node's HTTP parser a network chunk in pieces, each up to the end of a head. While the connection is paused, the rest of the chunk is not parsed. A
 * chunk of 64 KB can hold 2,400 requests: node would begin all of them, keep their objects until the connection closes, and then make an error for each.
 * Reading in JavaScript costs a tenth of a short call, and hardly any client pipelines. So node reads until one connection has a pipelined request; from
 * then on all are read here, before hundreds of others can bring such chunks in the same turn.
 * `hasTime`: whether the turn has time for another request. `isPaused()` of the socket does not help here, because node resumes it after each request.
 */
export const readInPieces = (server: Server, pipeline: Pipeline, hasTime: (socket: Socket) => boolean) => {
  const stops = new WeakMap<Duplex, () => void>()
  /** For each connection that node reads: what takes it over. */
  const byNode = new Map<Duplex, () => void>()
  let takesUntil = Number.NEGATIVE_INFINITY
  const mayGoOn = (socket: Socket, hasRest: boolean): boolean => {
    if (!pipeline.mayRead(socket, hasRest)) return false
    // The rest of a single request, which is its body, is parsed at once.
    const isPipelined = pipeline.unfinished(socket).length > 1
    return !hasRest || !isPipelined || hasTime(socket)
  }
  server.on('connection', (socket: Socket) => {
    const parse = socket.listeners('data')[0] as (chunk: Buffer) => void
    const hangUp = socket.listeners('end').at(-1) as () => void
    const abort = socket.listeners('close').at(-1) as () => void
    let rest: Buffer = EMPTY
    const read = (chunk: Buffer): void => {
      rest = chunk
      while (rest.length > 0 && !socket.destroyed) {
        const end = pieceEnd(rest)
        // Most chunks are one piece.
        const isLast = end === rest.length
        const piece = isLast ? rest : rest.subarray(0, end)
        rest = isLast ? EMPTY : rest.subarray(end)
        parse(piece)
        // node pauses a connection whose body is not read, and resumes it.
        if (mayGoOn(socket, rest.length > 0) && !(rest.length > 0 && socket.isPaused())) continue
        socket.pause()
        socket.unshift(rest)
        break
      }
      // An idle connection must not keep its last chunk in memory.
      rest = EMPTY
    }
    // Thousands of clients may leave at one instant. For one that left in a body node makes an error, and a refusal is written.
    const leave = (): void => inSharedTurn(() => socket.destroyed || hangUp())
    const end = (): void => pipeline.whenAnswered(socket, leave)
    // node makes an error for each request that was read of the connection, answered or not.
    const close = (): void => {
      byNode.delete(socket)
      inSharedTurn(abort)
    }
    socket.off('end', hangUp)
    socket.off('close', abort)
    socket.on('end', end)
    socket.on('close', close)
    const take = (): void => {
      byNode.delete(socket)
      socket.off('data', parse)
      socket.on('data', read)
      // node's parser does not report what it reads, so the stream still waits for it, and would not begin to read after a pause.
      socket.push(EMPTY)
    }
    if (performance.now() < takesUntil) take()
    else byNode.set(socket, take)
    stops.set(socket, () => {
      byNode.delete(socket)
      socket.off('data', read)
      socket.off('end', end)
      socket.off('close', close)
      socket.unshift(rest)
      rest = EMPTY
    })
  })
  // node has removed its own listeners. What follows the head is another protocol's.
  const stop = (_req: unknown, socket: Duplex): void => stops.get(socket)?.()
  server.prependListener('upgrade', stop)
  server.prependListener('connect', stop)
  return {
    takeOver: (socket: Socket): void => byNode.get(socket)?.(),
    /** Takes over all connections, and those of the next minute. */
    takeOverAll(): void {
      takesUntil = performance.now() + PIPELINED_LATELY
      for (const take of byNode.values()) take()
    },
  }
}
