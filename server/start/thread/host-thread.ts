import { MessageChannel } from 'node:worker_threads'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { createRequests } from '../../base/threads/link.ts'
import { startThread } from '../../base/threads/start.ts'
import type { Host } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import type { Connection, Started } from './protocol.ts'
import { ThreadSocket } from './thread-socket.ts'

/**
 * Runs `startHost` in a thread, so that the program and the service do not block each other's event loop. The thread does not keep the process running. If
 * it dies, connections and calls fail. `program`: URL of the built worker.
 */
export const startHostThread = async (settings: HostSettings, program: URL = builtWorker('start/thread')): Promise<Host> => {
  // NODE_OPTIONS may contain flags of a test runner, which this thread must not use.
  const { NODE_OPTIONS: _, ...env } = process.env
  const worker = startThread(program, { name: 'tonway', env })
  const { ask, receive, close } = createRequests((request) => worker.postMessage(request))
  let cause = ''
  let ended: Error | undefined
  worker.on('message', receive)
  worker.on('error', (error) => {
    cause = `: ${(error as Error | undefined)?.message ?? String(error)}`
  })
  worker.on('exit', () => {
    ended = new Error(`the thread of this tonway has ended${cause}`)
    close(ended)
  })
  worker.unref()
  const { asks, ...started } = await ask<Started>('start', settings).catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  return {
    ...started,
    ask: asks ? (text, signal) => ask('ask', text, signal) : undefined,
    connect() {
      if (ended !== undefined) throw ended
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ type: 'connection', port: port2 } satisfies Connection, [port2])
      return new ThreadSocket(port1)
    },
    settled: () => ask('settled'),
    indexed: () => ask('indexed'),
    async close() {
      try {
        await ask('close')
      } catch (error) {
        // The error of a dead thread is ignored, because nothing is left to close.
        if (ended === undefined) throw error
      } finally {
        await worker.terminate()
      }
    },
  }
}
