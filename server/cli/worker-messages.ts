import { once } from 'node:events'
import type { Config } from '../config/settings.ts'
import type { SharedSource } from '../network/shared-lite-server.ts'

/*
 * Messages between a worker of `TONWAY_WORKERS` and the primary process. The worker requests its settings, receives them, and reports that it serves. Later
 * the primary process asks it to stop.
 */

export interface WorkerStart {
  /** Number of the worker, from 1. Worker 1 opens the shared sources. */
  readonly number: number
  readonly config: Config
  readonly sources: ReadonlyMap<string, SharedSource>
  readonly announces: boolean
}

export const ASKS = 'start'
export const STARTED = 'started'
export const STOP = 'stop'

export const askForStart = async (): Promise<WorkerStart> => {
  process.send!(ASKS)
  const [start] = (await once(process, 'message')) as [WorkerStart]
  return start
}

/**
 * For a worker: calls `stop` when the primary process asks for it. Signals are ignored, because the primary process handles them, and a terminal sends them
 * to all processes.
 */
export const onStop = (stop: () => void): void => {
  process.on('SIGTERM', () => {})
  process.on('SIGINT', () => {})
  process.on('message', (message) => {
    if (message === STOP) stop()
  })
}

export const sayStarted = (): void => void process.send!(STARTED)
