import { once } from 'node:events'
import type { Config } from '../config/settings.ts'
import type { SharedSource } from '../network/shared-source.ts'

/*
 * What passes between a worker of `TONWAY_WORKERS` and the process that starts it: the worker requests its settings, gets them, reports that it serves, and gets the order
 * to stop.
 */

/** What a worker serves, and as which one. */
export interface WorkerStart {
  /** From 1 on. The first one opens the shared sources. */
  readonly number: number
  readonly config: Config
  /** By the name of the network. */
  readonly sources: ReadonlyMap<string, SharedSource>
  /** Whether it prints that the service has started. */
  readonly announces: boolean
}

export const ASKS = 'start'
export const STARTED = 'started'
export const STOP = 'stop'

/** In a worker: requests its settings. */
export const askForStart = async (): Promise<WorkerStart> => {
  process.send!(ASKS)
  const [start] = (await once(process, 'message')) as [WorkerStart]
  return start
}

/** In a worker: calls `stop` at the order to stop. Signals are for the process that started it: a terminal, for one, sends them to all. */
export const onStop = (stop: () => void): void => {
  process.on('SIGTERM', () => {})
  process.on('SIGINT', () => {})
  process.on('message', (message) => {
    if (message === STOP) stop()
  })
}

/** In a worker: says that it serves. */
export const sayStarted = (): void => void process.send!(STARTED)
