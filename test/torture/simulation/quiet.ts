import { real } from './virtual-time.ts'

/** Turns of the event loop without any event, after which nothing is left to do. */
const QUIET_TURNS = 3
/**
 * What ends by itself, by the names that node gives it: immediates, requests to the file system, and connects, writes and ends of sockets. Node lists no
 * work of its threads for zlib and crypto. `virtual-time.ts` does the former in this thread; the latter opens a session of the database, for which the
 * gate waits.
 */
const PASSING = /^(Immediate|FSReq|CloseReq|ConnectWrap|SimpleWriteWrap|SimpleShutdownWrap)/

/** Whether something goes on that ends by itself. */
export const isPassing = (): boolean => process.getActiveResourcesInfo().some((name) => PASSING.test(name))

export const turn = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve))

/** Resolves when this process has nothing left to do. `events`: how much has happened that only the caller knows of. */
export const untilQuiet = async (events: () => number): Promise<void> => {
  let [quiet, seen] = [0, events()]
  while (quiet < QUIET_TURNS) {
    await turn()
    const isBusy = events() !== seen || isPassing()
    seen = events()
    quiet = isBusy ? 0 : quiet + 1
  }
}
