import type { Socket } from 'node:net'

/**
 * Once connections have taken this many milliseconds of an event-loop turn, nothing more is read in it. node parses up to 2 MB of each connection in a turn,
 * 64 KB at a time. 64 KB in chunks of one byte take 25 ms, so sixty connections could fill a turn of seconds.
 */
const LONG_TURN = 20

/** Bounds what bytes that can take long to parse take of an event-loop turn. If the turn is long, none of the `open` connections is read before the next one. */
export const createGiveWay = (open: ReadonlySet<Socket>) => {
  /** Time (monotonic ms) of the first call of this turn. */
  let began: number | undefined
  const paused = new Set<Socket>()
  const endTurn = (): void => {
    const resumed = [...paused]
    began = undefined
    paused.clear()
    // A socket without a reader must not be resumed: a WebSocket that waits for its handshake would lose what arrives.
    for (const socket of resumed) if (socket.readableFlowing === false) socket.resume()
  }
  const pause = (socket: Socket): void => {
    paused.add(socket)
    socket.pause()
  }
  /** Called before such bytes are parsed. */
  const giveWay = (): void => {
    if (began === undefined) {
      began = performance.now()
      setImmediate(endTurn)
    }
    if (paused.size > 0 || performance.now() - began < LONG_TURN) return
    for (const socket of open) if (socket.readableFlowing) pause(socket)
  }
  /** node resumes a connection for each piece of a body that is read. */
  function stayPaused(this: Socket): void {
    if (paused.size > 0) pause(this)
  }
  return {
    giveWay,
    /** Calls giveWay before each further read of a connection. */
    watch(socket: Socket): void {
      if (socket.listeners('data').includes(giveWay)) return
      socket.prependListener('data', giveWay)
      socket.on('resume', stayPaused)
    },
    unwatch(socket: Socket): void {
      socket.off('data', giveWay)
      socket.off('resume', stayPaused)
    },
  }
}
