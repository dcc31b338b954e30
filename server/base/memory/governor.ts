import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createHeapGrowth } from './heap-growth.ts'

/*
 * Adapts the heap of a process that serves to its work. V8 sizes the heap for a start, in which almost every object stays alive, and gives little back while
 * there is no work.
 */

/** Milliseconds between checks of how busy the process is. */
const LOOK_MS = 1_000
/** Part of the time that a process with work is busy, and the part below which it has none. */
const BUSY = 0.5
const QUIET = 0.2
/**
 * Number of equal checks in a row that decide. Work has to be noticed at once: several calls at a time fill the small young generation of a process at rest
 * within milliseconds, so most of their objects are copied, and become garbage of the old generation. Then a call takes half as much processor time again.
 * Pauses between bursts are no rest.
 */
const LOOKS = { work: 1, rest: 10, collect: 3 }

/** Sets how many times larger the young generation may become at a time: 1 for rest (the program starts with it, main.ts), 2, V8's own, for work. */
export const setGrowth = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Clocks of the process; tests replace them. */
export interface Clocks {
  /** Part of the time since the last call that the event loop was busy, 0 to 1. */
  loop(): number
  /** Processor time of all threads of the process so far, ms. */
  processor(): number
  /** Monotonic time, ms. */
  now(): number
}

/** The operations on the heap; tests replace them. */
export interface MemoryControls {
  /** Part of the time since the last call that the process was busy; more than 1 if several of its threads were. */
  busy(): number
  /** How many times larger the young generation may become at a time, and what goes with it (setGrowth). */
  growth(factor: 1 | 2): void
  /** Collects all garbage, and gives memory back. */
  collect(): void
}

/**
 * How busy the process was since the last call. The flags of V8 hold for all of its threads, so the work of all counts: the index works in another
 * thread than the event loop. The event loop counts besides: on a machine with too few processors it is busy although it gets little of their time.
 */
export const createBusyMeter = ({ loop, processor, now }: Clocks): (() => number) => {
  let at = now()
  let used = processor()
  return () => {
    const passed = now() - at
    const worked = processor() - used
    at += passed
    used += worked
    return Math.max(loop(), worked / Math.max(passed, 1))
  }
}

/**
 * Lets the young generation grow only while there is work, and collects garbage once, in the first quiet seconds after the start:
 * until then nobody waits, and what the start left behind is a third of the heap. Returns a function that looks once.
 */
export const createMemoryGovernor = ({ busy, growth, collect }: MemoryControls): (() => void) => {
  let factor: 1 | 2 = 1
  let looks = 0
  let last: keyof typeof LOOKS | 'none' = 'none'
  let collected = false
  const kindOf = (part: number): typeof last => {
    if (factor === 2) return part < QUIET ? 'rest' : 'none'
    if (part > BUSY) return 'work'
    return !collected && part < QUIET ? 'collect' : 'none'
  }
  return () => {
    const part = busy()
    const kind = kindOf(part)
    // Counts equal checks in a row.
    looks = kind === last ? looks + 1 : 1
    last = kind
    if (kind === 'none' || looks < LOOKS[kind]) return
    looks = 0
    if (kind === 'collect') {
      collected = true
      collect()
    } else {
      factor = kind === 'work' ? 2 : 1
      growth(factor)
    }
  }
}

const createClocks = (): Clocks => {
  let last = performance.eventLoopUtilization()
  return {
    loop() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    processor() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000
    },
    now: () => performance.now(),
  }
}

/** Adapts the heap of this process from now on. The timer does not keep the process alive. */
export const governMemory = (): void => {
  const look = createMemoryGovernor({
    busy: createBusyMeter(createClocks()),
    growth: setGrowth,
    collect() {
      setFlagsFromString('--expose-gc')
      runInNewContext('gc')()
    },
  })
  const boundGarbage = createHeapGrowth()
  setInterval(() => {
    look()
    boundGarbage()
  }, LOOK_MS).unref()
}
