import { setInterval, setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { interruptMainThread, mainThreadTime } from './main-thread.ts'
import type { StallWatchData } from './watch.ts'

/** The exit code of a process whose event loop was blocked: EX_SOFTWARE of sysexits.h. */
const EXIT_CODE = 70
const LOOK_MS = 1_000
/** Time (ms) for interrupting the main thread. Native code cannot be interrupted; after this time the process is killed. */
const INTERRUPT_MS = 5_000

const { beats, stallSeconds, log: level, logFormat, fields } = workerData as StallWatchData
const count = new Int32Array(beats)

/**
 * Resolves when the main thread has used its processor seconds without incrementing the counter. Sleep, SIGSTOP and breakpoints also stop the counter, but
 * use no processor time.
 */
const untilStalled = async (): Promise<{ readonly beat: number; readonly used: number }> => {
  let [beat, used, time, now] = [-1, 0, mainThreadTime(), performance.now()]
  for await (const _ of setInterval(LOOK_MS)) {
    const [timeBefore, before] = [time, now]
    ;[time, now] = [mainThreadTime(), performance.now()]
    // One thread cannot use more processor time than has passed. The total of all threads, which is read without /proc, can.
    used += Math.min(time - timeBefore, (now - before) / 1000)
    const latest = Atomics.load(count, 0)
    if (latest !== beat) [beat, used] = [latest, 0]
    else if (used >= stallSeconds) break
  }
  return { beat, used }
}

const report = async (used: number, stack: readonly string[] | undefined): Promise<void> => {
  // The log is loaded only here, because its library would occupy megabytes all the time.
  const { createLog } = await import('../log.ts')
  const why = stack === undefined ? { stack: 'native code, which was not interrupted' } : { stack }
  createLog(level, undefined, logFormat).error('process.stalled', { ...fields, processorSeconds: Number(used.toFixed(1)), ...why })
}

const inTime = async <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), sleep(INTERRUPT_MS, undefined)])

/** Ends the process. Returns instead if the main thread is being debugged or has continued by itself. */
const end = async ({ beat, used }: { readonly beat: number; readonly used: number }): Promise<void> => {
  const main = interruptMainThread()
  const isDebugged = await inTime(main.isDebugged())
  const stack = isDebugged === false ? await inTime(main.halt()) : undefined
  if (isDebugged === true || Atomics.load(count, 0) !== beat) return main.release()
  await report(used, stack)
  if (stack !== undefined) {
    main.exit(EXIT_CODE)
    await sleep(INTERRUPT_MS)
  }
  process.kill(process.pid, 'SIGKILL')
}

for (;;) await end(await untilStalled())
