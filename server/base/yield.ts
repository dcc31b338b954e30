/*
 * Long tasks that wait for a turn. Clients take turns, so that the many tasks of one do not delay those of others, and the service has every other turn: its
 * blocks and its index go on whatever the clients want.
 */

type Go = () => void

/** Tasks that do not wait for the others. */
const next: Go[] = []
/** Tasks of the service, and those that name no client. */
const own: Go[] = []
/** Tasks by client. The first client is next; afterwards it is the last one. */
const ofClients = new Map<string, Go[]>()
let isForClients = false
let count = 0

const takeOfClients = (): Go => {
  const [client, line] = ofClients.entries().next().value!
  ofClients.delete(client)
  const go = line.shift()!
  if (line.length > 0) ofClients.set(client, line)
  return go
}

const take = (): Go => {
  if (next.length > 0) return next.shift()!
  isForClients = ofClients.size > 0 && (isForClients || own.length === 0)
  const go = isForClients ? takeOfClients() : own.shift()!
  isForClients = !isForClients
  return go
}

const advance = (): void => {
  count--
  take()()
  if (count > 0) setImmediate(advance)
}

const lineOf = (client: string): Go[] => {
  const line = client === '' ? own : (ofClients.get(client) ?? [])
  if (line.length === 0 && client !== '') ofClients.set(client, line)
  return line
}

const wait = (line: Go[]): Promise<void> =>
  new Promise((resolve) => {
    line.push(resolve)
    if (++count === 1) setImmediate(advance)
  })

/**
 * Waits for an event-loop turn in which no other long task runs. setImmediate alone does not suffice: all pending immediates run in one turn, so fifty tasks of
 * 80 ms each would block the turn for four seconds.
 */
export const yieldToEventLoop = (client = ''): Promise<void> => wait(lineOf(client))

/** As yieldToEventLoop, but before all that wait there. For work that holds much memory meanwhile: if the others began first, each would hold as much. */
export const yieldAsNext = (): Promise<void> => wait(next)

/** For whom the work with a signal is done. */
const callers = new WeakMap<AbortSignal, { readonly client?: string | undefined }>()
export const workFor = (signal: AbortSignal, caller: { readonly client?: string | undefined }): void => void callers.set(signal, caller)
/** The client for whom the work with a signal is done; '' if it is the service, or if nobody said it. */
export const clientOf = (signal: AbortSignal | undefined): string => (signal && callers.get(signal)?.client) ?? ''
/** `to` is a signal of the same work as `from`. */
export const workForSame = (from: AbortSignal, to: AbortSignal): void => {
  const caller = callers.get(from)
  if (caller !== undefined) callers.set(to, caller)
}

const SLICE_MS = 10

/** Called by long work after each small step. If it returns a promise, the work must await it, so that other code can run. */
export type Pause = () => Promise<void> | undefined

/** Time (monotonic ms) at which long work began in this turn of the event loop; undefined if none did. All long work of a turn shares its time slice. */
let began: number | undefined
const endTurn = (): void => {
  began = undefined
}
const beginWork = (): number => {
  began = performance.now()
  setImmediate(endTurn)
  return began
}

/** Yields when long work has taken `slice` milliseconds of this turn. The signal says for which client the work is done (workFor). Pauses reject with the signal's reason once the signal is aborted. */
export const createPauses = (slice = SLICE_MS, signal?: AbortSignal): Pause => {
  began ?? beginWork()
  const pause = async (): Promise<void> => {
    await yieldToEventLoop(clientOf(signal))
    beginWork()
    signal?.throwIfAborted()
  }
  return () => (performance.now() - (began ?? beginWork()) < slice ? undefined : pause())
}

const turnIsLong = createPauses()

/**
 * Runs work of many milliseconds at once, or in a later event-loop turn if long work has taken its time slice of this one. So work that several callers
 * begin together gets turns of its own. A mere `await` before the work would let all of them pass before any has begun.
 */
export const inOwnTurn = <T>(work: () => T | Promise<T>): T | Promise<T> => {
  const paused = turnIsLong()
  return paused === undefined ? work() : paused.then(work)
}

/** The first work of the line is under way, or waits for its turn. */
const line: (() => void)[] = []

const runLine = async (): Promise<void> => {
  for (; line.length > 0; line.shift()) {
    // Waits each time, so that what follows a rejected promise counts too.
    await turnIsLong()
    try {
      line[0]!()
    } catch (error) {
      // As if it had not waited: nobody awaits it.
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/**
 * Runs short work, of which one turn may bring thousands: what follows the end of a connection. It runs soon, while this turn has time left, and otherwise in
 * one of the next turns. All such work shares their time. `inOwnTurn` would give each piece of work a turn of its own.
 */
export const inSharedTurn = (work: () => void): void => {
  if (line.push(work) === 1) void runLine()
}

export const endSteps = <R>(steps: Generator<void, R>): R => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Runs a generator to its end and returns its result. Pauses before a step when a slice of time is over: before the first one too, because a thousand
 * generators of one step may run in a row. Rejects with the signal's reason once the signal is aborted.
 */
export const runSteps = async <R>(steps: Generator<void, R>, signal?: AbortSignal): Promise<R> => {
  const pause = createPauses(SLICE_MS, signal)
  for (;;) {
    const paused = pause()
    if (paused !== undefined) await paused
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Maps many items with pauses. Rejects with the signal's reason once the signal is aborted. */
export const mapWithPauses = async <T, R>(items: Iterable<T>, map: (item: T) => R, signal?: AbortSignal): Promise<R[]> => {
  const pause = createPauses(SLICE_MS, signal)
  const results: R[] = []
  for (const item of items) {
    // Pauses before the first item too, because many calls may begin in the same turn.
    const paused = pause()
    if (paused !== undefined) await paused
    results.push(map(item))
  }
  return results
}
