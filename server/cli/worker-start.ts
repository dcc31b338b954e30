import { once } from 'node:events'
import type { Config } from '../config/settings.ts'
import type { SharedSource } from '../network/shared-source.ts'

/* What passes between a worker of `TONWAY_WORKERS` and the process that starts it: a question, its answer, and one word when the worker serves. */

/** What a worker serves, and as which one. */
export interface WorkerStart {
  /** From 1 on. The first one opens the shared sources. */
  readonly number: number
  readonly config: Config
  /** By the name of the network. */
  readonly sources: ReadonlyMap<string, SharedSource>
  /** Whether it tells people that the service has started. */
  readonly announces: boolean
}

export const ASKS = 'start'
export const STARTED = 'started'

/** In a worker: asks what to serve. */
export const askForStart = async (): Promise<WorkerStart> => {
  process.send!(ASKS)
  const [start] = (await once(process, 'message')) as [WorkerStart]
  return start
}

/** In a worker: says that it serves. */
export const sayStarted = (): void => void process.send!(STARTED)
