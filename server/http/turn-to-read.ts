import { yieldToEventLoop } from '../base/yield.ts'

/* A turn of the event loop reads what thousands of connections have sent. What they sent must not all be parsed in that turn. */

/** Bytes of requests that are parsed in a turn. A larger request has a turn without other long work. */
const MAX_READ = 64 << 10
/** Bytes that a request counts besides its own. */
const OF_REQUEST = 512

interface Waiting {
  readonly size: number
  go(): void
}

/** Bytes of the requests that are parsed in the present turn. */
let read = 0
const waiting: Waiting[] = []

/** Begins the next turn with those that wait. */
const advance = (): void => {
  read = 0
  while (waiting.length > 0 && read + waiting[0]!.size <= MAX_READ) {
    const { size, go } = waiting.shift()!
    read += size
    go()
  }
  if (read > 0) setImmediate(advance)
}

/** Waits until a request of so many bytes may be parsed; undefined if it may be now. Requests of up to MAX_READ bytes go in the order in which they came. */
export const turnToRead = (bytes: number): Promise<void> | undefined => {
  const size = bytes + OF_REQUEST
  if (size > MAX_READ) return yieldToEventLoop()
  if (waiting.length > 0 || read + size > MAX_READ) return new Promise((go) => void waiting.push({ size, go }))
  if (read === 0) setImmediate(advance)
  read += size
  return undefined
}

/** For a connection whose requests begin in their order: whether the next one may be parsed now. If not, `again` is called once it may. */
export const createNextTurn = () => {
  let state: 'none' | 'waits' | 'may' = 'none'
  return (bytes: number, again: () => void): boolean => {
    const turn = state === 'none' ? turnToRead(bytes) : undefined
    if (turn !== undefined) {
      state = 'waits'
      void turn.then(() => {
        state = 'may'
        again()
      })
    }
    if (state === 'waits') return false
    state = 'none'
    return true
  }
}
