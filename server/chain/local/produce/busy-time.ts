import { createDeferred } from '../../../base/promises/deferred.ts'

/** Milliseconds after which callers give up, because a contract may send messages to itself without an end. */
const MAX_WAIT_MS = 8_000

type Event = ReturnType<typeof createDeferred<void>>

/** Knows when the chain has nothing to do. A busy time lasts from the first block that must be made until no message is left. */
export const createBusyTime = () => {
  let busy: { readonly idle: Event; readonly long: Event; readonly timer: NodeJS.Timeout } | undefined
  return {
    begin(): void {
      if (busy !== undefined) return
      const long = createDeferred()
      busy = { idle: createDeferred(), long, timer: setTimeout(long.resolve, MAX_WAIT_MS).unref() }
    },
    end(): void {
      if (busy === undefined) return
      clearTimeout(busy.timer)
      busy.idle.resolve()
      busy.long.resolve()
      busy = undefined
    },
    /** Resolves at the end of the busy time; at once if there is nothing to do. */
    idle: async (): Promise<void> => busy?.idle.promise,
    /** Resolves at the end of the busy time, or MAX_WAIT_MS after its beginning: once it has been longer, nobody waits. */
    idleOrBusyTooLong: async (): Promise<void> => busy?.long.promise,
  }
}
