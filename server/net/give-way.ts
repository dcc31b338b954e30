import type { Socket } from 'node:net'

/**
 * Once connections have taken this many milliseconds of an event-loop turn, nothing more is read in it. node parses up to 2 MB of each connection in a turn,
 * 64 KB at a time. 64 KB in chunks of one byte take 25 ms, so sixty connections could fill a turn of seconds.
 */
const LONG_TURN = 50

/**
 * Returns a function to call before bytes are parsed that can take long. If the turn is long already, none of the `open` connections is read before the next
 * turn.
 */
export const createGiveWay = (open: ReadonlySet<Socket>): (() => void) => {
  /** Time (monotonic ms) of the first call of this turn. */
  let began: number | undefined
  let paused: readonly Socket[] = []
  const endTurn = (): void => {
    // A socket without a reader must not be resumed: a WebSocket that waits for its handshake would lose what arrives.
    for (const socket of paused) if (socket.readableFlowing === false) socket.resume()
    began = undefined
    paused = []
  }
  return () => {
    if (began === undefined) {
      began = performance.now()
      setImmediate(endTurn)
    }
    if (paused.length > 0 || performance.now() - began < LONG_TURN) return
    paused = [...open].filter((socket) => socket.readableFlowing)
    for (const socket of paused) socket.pause()
  }
}
