import type { Duplex } from 'node:stream'
import { TransformStream } from 'node:stream/web'
import { builtWorker } from '../../base/threads/built-worker.ts'
import { createLink } from '../../base/threads/link.ts'
import { startThread } from '../../base/threads/start.ts'
import type { Host } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import { type ConnectionEnd, type Started, socketOf } from './protocol.ts'

/**
 * Runs `startHost` in a thread, so that the program and the service do not block each other's event loop. The thread does not keep the process running. If
 * it dies, connections and calls fail. `program`: URL of the built worker.
 */
export const startHostThread = async (settings: HostSettings, program: URL = builtWorker('start/thread')): Promise<Host> => {
  // NODE_OPTIONS may contain flags of a test runner, which this thread must not use.
  const { NODE_OPTIONS: _, ...env } = process.env
  const worker = startThread(program, { name: 'tonway', env })
  let ended: string | undefined
  const send = (message: unknown): boolean => {
    if (ended === undefined) worker.postMessage(message)
    return ended === undefined
  }
  const link = createLink({ send }, {}, {})
  let cause = ''
  worker.on('message', (message: unknown) => link.receive(message))
  worker.on('error', (error) => {
    cause = `: ${(error as Error | undefined)?.message ?? String(error)}`
  })
  const sockets = new Set<Duplex>()
  worker.on('exit', () => {
    ended = `the thread of this tonway has ended${cause}`
    link.close()
    for (const socket of sockets) socket.destroy()
  })
  worker.unref()
  /** Sends a request to the thread. If the thread has died, the error contains the reason. */
  const ask = <T>(kind: string, value?: unknown): Promise<T> =>
    link.ask<T>(kind, value).catch((error: unknown) => {
      throw ended === undefined ? error : new Error(ended, { cause: error })
    })
  const started = await ask<Started>('start', settings).catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  return {
    ...started,
    connect() {
      if (ended !== undefined) throw new Error(ended)
      const [there, back] = [new TransformStream(), new TransformStream()]
      const end: ConnectionEnd = { type: 'connection', readable: there.readable, writable: back.writable }
      worker.postMessage(end, [end.readable, end.writable])
      const socket = socketOf({ readable: back.readable, writable: there.writable }, false)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
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
