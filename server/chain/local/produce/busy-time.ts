/** Milliseconds after which callers give up, because a contract may send messages to itself without an end. */
const MAX_WAIT_MS = 8_000

interface Event {
  readonly happened: Promise<void>
  readonly happen: () => void
}

const createEvent = (): Event => {
  let happen!: () => void
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happened, happen }
}

/** Knows when the chain has nothing to do. A busy time lasts from the first block that must be made until no message is left. */
export const createBusyTime = () => {
  let busy: { readonly idle: Event; readonly long: Event; readonly timer: NodeJS.Timeout } | undefined
  return {
    begin(): void {
      if (busy !== undefined) return
      const long = createEvent()
      busy = { idle: createEvent(), long, timer: setTimeout(long.happen, MAX_WAIT_MS).unref() }
    },
    end(): void {
      if (busy === undefined) return
      clearTimeout(busy.timer)
      busy.idle.happen()
      busy.long.happen()
      busy = undefined
    },
    /** Resolves at the end of the busy time; at once if there is nothing to do. */
    idle: async (): Promise<void> => busy?.idle.happened,
    /** Resolves at the end of the busy time, or MAX_WAIT_MS after its beginning: once it has been longer, nobody waits. */
    idleOrBusyTooLong: async (): Promise<void> => busy?.long.happened,
  }
}
