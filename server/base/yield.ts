import { createByClient } from './by-client.ts'

/*
 * Long tasks wait here for a turn of the event loop, which short ones share. Its three queues take turns. In a single queue, the many tasks of one client would
 * delay each part of every call, of a block and of the index.
 */

type Go = () => void

/** Work that pauses for the first time, and so may be short. */
const newcomers: Go[] = []
/** Work that has had a turn and goes on, and tasks that take a whole turn. */
const longWork: Go[] = []
/** Tasks that have begun and hold much memory. They go before arrivals, each of which would hold as much. */
const begun: Go[] = []
/** Tasks that have not begun. */
const arrivals = createByClient<Go>()
let count = 0

type Queue = () => Go | undefined
const short: readonly Queue[] = [() => newcomers.shift(), () => longWork.shift()]
/** The queues of a turn's first task, and those of the tasks that share the turn with it, which arrivals never do. Queues take turns. */
const ofFirst: Queue[] = [...short, () => begun.shift() ?? arrivals.take()]
const ofOthers: Queue[] = [...short]

const takeFrom = (queues: Queue[]): Go | undefined => {
  for (let tries = queues.length; tries > 0; tries--) {
    const queue = queues.shift()!
    queues.push(queue)
    const go = queue()
    if (go !== undefined) return go
  }
  return undefined
}

/** Tasks that may share a turn, and milliseconds after which no further one goes on in it. With a turn for each, hundreds of short ones would wait for seconds. */
const SHARED = { most: 16, ms: 5 } as const
/** Time (monotonic ms) at which the first task of this turn went on; long ago if none may go on in this turn. */
let turnBegan = Number.NEGATIVE_INFINITY
/** Longest time for which turns that accept connections have no work, ms, and how many times as long as the turn with work before them it is at most. */
const ACCEPTING = { most: 120, times: 4 } as const
/** Whether this turn has accepted a connection. What is scheduled after that runs after `endAccepting`, and so does not wait. */
let isAccepting = false
const endAccepting = (): void => {
  isAccepting = false
}
export const noteAccepted = (): void => {
  isAccepting = true
  setImmediate(endAccepting)
}

/**
 * Returns a function to call once in a turn. It returns whether work may go on in the turn. node accepts one connection in each turn, and a thousand may wait
 * in the kernel: if every turn had work as well, the last one would wait for seconds. So connections get up to four fifths of the time.
 */
export const createTurns = (): (() => boolean) => {
  let [last, until, mayGoOn] = [0, 0, true]
  return () => {
    const now = performance.now()
    if (mayGoOn) until = now + Math.min(ACCEPTING.times * (now - last), ACCEPTING.most)
    mayGoOn = !isAccepting || now > until
    if (mayGoOn) last = now
    return mayGoOn
  }
}
const mayGoOn = createTurns()

/**
 * Whether at least as many tasks wait as this number of turns can go on with. They are not ordered by client, so those of one client's hundreds of connections
 * would delay all others at each of their steps. While a backlog lasts, requests begin one by one.
 */
export const hasBacklog = (turns: number): boolean => newcomers.length + longWork.length >= turns * SHARED.most

/** Lets a task go on. Further ones of the same turn wait for the next turn if those before them took long; node runs each to its end in between. */
const advance = (isFirst: boolean): void => {
  if (isFirst) turnBegan = mayGoOn() ? performance.now() : Number.NEGATIVE_INFINITY
  if (performance.now() - turnBegan > SHARED.ms) return
  const go = takeFrom(isFirst ? ofFirst : ofOthers)
  if (go === undefined) return
  count--
  go()
}

let isScheduled = false
const scheduleTurn = (): void => {
  isScheduled = count > 0
  if (!isScheduled) return
  for (let i = 0; i < Math.min(count, SHARED.most); i++) setImmediate(advance, i === 0)
  setImmediate(scheduleTurn)
}

const waitIn = (join: (go: Go) => void): Promise<void> =>
  new Promise((resolve) => {
    join(resolve)
    count++
    if (!isScheduled) scheduleTurn()
  })

/**
 * Waits for an event-loop turn in which no other long task has run. setImmediate alone does not suffice: all pending immediates run in one turn, so fifty tasks
 * of 80 ms each would block the turn for four seconds.
 */
export const yieldToEventLoop = (): Promise<void> => waitIn((go) => longWork.push(go))

/** As yieldToEventLoop, for a task that has not begun and holds nothing that others wait for. */
export const yieldToBegin = (client = ''): Promise<void> => waitIn((go) => arrivals.add(client, go))

/** For a task that has begun after yieldToBegin: it goes on before another one begins. */
export const yieldAsBegun = (): Promise<void> => waitIn((go) => begun.push(go))

const yieldAsNewcomer = (): Promise<void> => waitIn((go) => newcomers.push(go))

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

/** Yields when long work has taken `slice` milliseconds of this turn. Pauses reject with the signal's reason once the signal is aborted. */
export const createPauses = (slice = SLICE_MS, signal?: AbortSignal): Pause => {
  began ?? beginWork()
  let wait = yieldAsNewcomer
  const pause = async (): Promise<void> => {
    const turn = wait()
    wait = yieldToEventLoop
    await turn
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

const line = createByClient<() => void>()
let isLineRunning = false

const runLine = async (): Promise<void> => {
  isLineRunning = true
  for (;;) {
    // Waits each time, so that what follows a rejected promise counts too.
    await turnIsLong()
    const work = line.take()
    if (work === undefined) break
    // If it throws, then as if it had not waited: nobody awaits it.
    queueMicrotask(work)
  }
  isLineRunning = false
}

/**
 * Runs short work, of which one turn may bring thousands: what follows the end of a connection. It runs soon, while this turn has time left, and otherwise in
 * one of the next turns. All such work shares their time, and clients take turns. `inOwnTurn` would give each piece of work a turn of its own.
 */
export const inSharedTurn = (work: () => void, client = ''): void => {
  line.add(client, work)
  if (!isLineRunning) void runLine()
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
