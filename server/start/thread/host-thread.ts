import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { type Failure, fromFailure } from '../../base/threads/failure.ts'
import { startThread } from '../../base/threads/start.ts'
import type { Host } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import { ThreadSocket } from './thread-socket.ts'

/** The thread's only message, when it has started. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'>

/** A message to the thread. `port`: the other end of a new connection, or the receiver of an Answer, which is closed when nobody waits any more. */
export interface HostRequest {
  readonly work: 'connect' | 'ask' | 'idleOrBusyTooLong' | 'reached' | 'close'
  readonly value: unknown
  readonly port: MessagePort
}
export interface Answer {
  readonly result?: string | undefined
  readonly error?: Failure
}

/**
 * Runs `startHost` in a thread, so that the program and the service do not block each other's event loop. The thread does not keep the process running. If
 * it dies, connections and calls fail. `program`: URL of the built worker.
 */
export const startHostThread = async (settings: HostSettings, program: URL = builtWorker('start/thread')): Promise<Host> => {
  // NODE_OPTIONS may contain flags of a test runner, which this thread must not use.
  const { NODE_OPTIONS: _, ...env } = process.env
  const worker = startThread(program, { name: 'tonway', env, workerData: settings })
  worker.unref()
  let ended: Error | undefined
  let failure: Error | undefined
  worker.on('error', (error) => {
    failure = error as Error
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => {
    ended = new Error(`the thread of this tonway has ended${failure === undefined ? '' : `: ${failure.message}`}`, { cause: failure })
  })
  const [started] = (await once(worker, 'message')) as [Started]

  /** Returns our end of the request's port. */
  const request = (work: HostRequest['work'], value?: unknown): MessagePort => {
    if (ended !== undefined) throw ended
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ work, value, port: port2 } satisfies HostRequest, [port2])
    return port1
  }
  const run = async (work: HostRequest['work'], value?: unknown, signal?: AbortSignal): Promise<string | undefined> => {
    const port = request(work, value)
    try {
      const closed = once(port, 'close').then(() => [])
      const [answer] = (await Promise.race([once(port, 'message', { signal }), closed])) as [Answer?]
      // Without an answer the thread has died.
      if (answer === undefined) await exited
      const error = answer === undefined ? ended : answer.error && fromFailure(answer.error)
      if (error !== undefined) throw error
      return answer?.result
    } finally {
      port.close()
    }
  }
  return {
    ...started,
    ask: (text, signal) => run('ask', text, signal),
    connect: () => new ThreadSocket(request('connect')),
    async idleOrBusyTooLong() {
      await run('idleOrBusyTooLong')
    },
    async reached(seqno) {
      await run('reached', seqno)
    },
    async close() {
      try {
        await run('close')
      } catch (error) {
        // The error of a dead thread is ignored, because nothing is left to close.
        if (ended === undefined) throw error
      } finally {
        await worker.terminate()
      }
    },
  }
}
