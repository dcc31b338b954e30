import { inspect } from 'node:util'
import { isJson, type LogFormat, type LogLevel } from '../log.ts'
import { builtWorker } from '../threads/built-worker.ts'
import { startThread } from '../threads/start.ts'

/* Ends a process whose event loop is blocked. A blocked loop cannot watch itself, so a small thread does. */

export interface StallSettings {
  /** Maximum processor time (seconds) of the main thread within one event-loop turn; 0: unlimited. */
  readonly stallSeconds: number
  readonly log: LogLevel
  readonly logFormat: LogFormat
}

export interface StallWatchData extends StallSettings {
  /** One 32-bit counter, which the main thread increments while its event loop runs. */
  readonly beats: SharedArrayBuffer
  readonly fields: object
}

/** Interval (ms) at which the main thread increments the counter. The watching thread reads it once a second. */
const BEAT_MS = 500

/** Watches the event loop of this process until the process ends. `fields`: fields of this process's log lines. */
export const watchStalls = ({ stallSeconds, log, logFormat }: StallSettings, fields: object = {}): void => {
  if (stallSeconds === 0) return
  const beats = new SharedArrayBuffer(4)
  const count = new Int32Array(beats)
  setInterval(() => Atomics.add(count, 0, 1), BEAT_MS).unref()
  const data: StallWatchData = { beats, stallSeconds, log, logFormat: isJson(logFormat) ? 'json' : 'text', fields }
  const thread = startThread(builtWorker('base'), {
    name: 'stalls',
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 },
  })
  thread.on('error', (error) => process.emitWarning(`the event loop is not watched: ${inspect(error)}`))
  thread.unref()
}
