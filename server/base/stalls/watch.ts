import { inspect } from 'node:util'
import type { LogFormat, LogLevel } from '../log.ts'
import { builtWorker } from '../threads/built-worker.ts'
import { startThread } from '../threads/start.ts'

/* Ends a process whose event loop is blocked. Code in that loop cannot do so, so a small thread watches it. */

export interface StallSettings {
  /** Processor seconds that the main thread may use before its event loop turns once; 0: any number. */
  readonly stallSeconds: number
  readonly log: LogLevel
  readonly logFormat: LogFormat
}

/** What the thread is started with. */
export interface StallWatchData {
  /** One 32-bit number, which grows while the event loop of the main thread turns. */
  readonly beats: SharedArrayBuffer
  readonly seconds: number
  readonly log: LogLevel
  readonly logFormat: LogFormat
  /** Fields of the line that the thread logs. */
  readonly fields: object
}

/** Milliseconds between two beats. The thread looks at them once a second. */
const BEAT_MS = 500

/** Begins to watch the event loop of this process, for as long as it lives. `fields`: what lines of this process's log carry. */
export const watchStalls = ({ stallSeconds, log, logFormat }: StallSettings, fields: object = {}): void => {
  if (stallSeconds === 0) return
  const beats = new SharedArrayBuffer(4)
  const count = new Int32Array(beats)
  setInterval(() => Atomics.add(count, 0, 1), BEAT_MS).unref()
  const isText = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY === true)
  const data: StallWatchData = { beats, seconds: stallSeconds, log, logFormat: isText ? 'text' : 'json', fields }
  const thread = startThread(builtWorker('base'), {
    name: 'stalls',
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 },
  })
  thread.on('error', (error) => process.emitWarning(`the event loop is not watched: ${inspect(error)}`))
  thread.unref()
}
