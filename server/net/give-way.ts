import type { Socket } from 'node:net'

/**
 * Once connections have taken this many milliseconds of an event-loop turn, nothing more is read in it. node parses up to 2 MB of each connection in a turn,
 * 64 KB at a time. 64 KB in chunks of one byte take 25 ms, so sixty connections could fill a turn of seconds.
 */
const LONG_TURN = 20

/**
 * Bounds what bytes that can take long to parse take of an event-loop turn. If the turn is long, none of the `open` connections is read before the next one.
 * Those that were read in a long turn wait until the others had theirs: the kernel names connections in the same order each time.
 */
export const createGiveWay = (open: ReadonlySet<Socket>) => {
  /** Time (monotonic ms) of the first call of this turn. */
  let began: number | undefined
  let isLong = false
  let isEndScheduled = false
  let paused = new Set<Socket>()
  /** Connections that were read in this turn, and those of long turns before it that wait for the others. */
  const read = new Set<Socket>()
  const resting: Socket[] = []
  /** Connections that `resume` was called of, and that have not emitted it. node starts reading them then, also if they were paused in between. */
  const resuming = new WeakSet<Socket>()

  const pause = (socket: Socket): void => {
    paused.add(socket)
    socket.pause()
  }
  /** node also resumes a connection for each piece of a body that is read. */
  function stayPaused(this: Socket): void {
    resuming.delete(this)
    if (isLong) pause(this)
  }
  const resume = (socket: Socket): void => {
    // A socket without a reader must not be resumed: a WebSocket that waits for its handshake would lose what arrives.
    if (socket.readableFlowing !== false) return
    resuming.add(socket)
    if (!socket.listeners('resume').includes(stayPaused)) socket.once('resume', stayPaused)
    socket.resume()
  }
  const scheduleEnd = (): void => {
    if (isEndScheduled) return
    isEndScheduled = true
    setImmediate(endTurn)
  }
  const endTurn = (): void => {
    const others = [...paused].filter((socket) => !read.has(socket))
    resting.push(...[...paused].filter((socket) => read.has(socket)))
    if (!isLong || others.length === 0) others.push(...resting.splice(0))
    isEndScheduled = false
    began = undefined
    isLong = false
    paused = new Set()
    read.clear()
    for (const socket of others) resume(socket)
    if (resting.length > 0) scheduleEnd()
  }
  const noteRead = (socket: Socket): number => {
    read.add(socket)
    began ??= performance.now()
    scheduleEnd()
    return performance.now() - began
  }
  const hasTime = (socket: Socket): boolean => {
    if (noteRead(socket) < LONG_TURN && !isLong) return true
    if (!isLong) for (const each of open) if (each.readableFlowing && !resuming.has(each)) pause(each)
    isLong = true
    return false
  }
  function beforeRead(this: Socket): void {
    noteRead(this)
  }
  /** A connection that its own reader has paused by now is that reader's to resume. */
  function afterRead(this: Socket): void {
    if (!hasTime(this) && this.readableFlowing) pause(this)
  }
  return {
    /** Called before such bytes of a connection are parsed. Returns whether the turn has time for them. */
    giveWay(socket: Socket): boolean {
      if (hasTime(socket)) return true
      pause(socket)
      return false
    },
    /** Bounds each further read of a connection by the listeners that it has now. */
    watch(socket: Socket): void {
      if (socket.listeners('data').includes(beforeRead)) return
      socket.prependListener('data', beforeRead)
      socket.on('data', afterRead)
      socket.on('resume', stayPaused)
    },
    unwatch(socket: Socket): void {
      socket.off('data', beforeRead)
      socket.off('data', afterRead)
      socket.off('resume', stayPaused)
    },
  }
}
