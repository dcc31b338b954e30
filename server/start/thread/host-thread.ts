import { once } from 'node:events'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { type Failure, fromFailure } from '../../base/threads/failure.ts'
import { startThread } from '../../base/threads/start.ts'
import { takeTemporaryDirectory } from '../../chain/local/store/lock-directory.ts'
import type { Host } from '../host.ts'
import type { HostSettings } from '../settings.ts'

/** `socket`: path of the socket by which the program connects to the thread. */
export type ThreadSettings = HostSettings & { readonly socket: string }

/** The thread's only message, when it has started. */
export type Started = Pick<Host, 'url' | 'wsUrl' | 'wallets'>

/** A message to the thread. `port`: the receiver of an Answer, which is closed when nobody waits any more. */
export interface HostRequest {
  readonly work: 'ask' | 'idleOrBusyTooLong' | 'reached' | 'close'
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
  // Only the user of this process can enter the directory. The path of a socket is short, so it is not in a directory that TMPDIR names.
  const directory = takeTemporaryDirectory('/tmp')
  const socket = join(directory.path, 'socket')
  // NODE_OPTIONS may contain flags of a test runner, which this thread must not use.
  const { NODE_OPTIONS: _, ...env } = process.env
  const worker = startThread(program, { name: 'tonway', env, workerData: { ...settings, socket } satisfies ThreadSettings })
  worker.unref()
  let ended: Error | undefined
  let failure: Error | undefined
  worker.on('error', (error) => {
    failure = error as Error
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => {
    directory.release()
    ended = new Error(`the thread of this tonway has ended${failure === undefined ? '' : `: ${failure.message}`}`, { cause: failure })
  })
  const [started] = (await once(worker, 'message')) as [Started]

  const run = async (work: HostRequest['work'], value?: unknown, signal?: AbortSignal): Promise<string | undefined> => {
    if (ended !== undefined) throw ended
    const { port1: port, port2 } = new MessageChannel()
    worker.postMessage({ work, value, port: port2 } satisfies HostRequest, [port2])
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
    connect() {
      if (ended !== undefined) throw ended
      return createConnection(socket).unref()
    },
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
        await exited
      }
    },
  }
}
