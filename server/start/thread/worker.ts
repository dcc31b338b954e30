import { parentPort, workerData } from 'node:worker_threads'
import { toFailure } from '../../base/threads/failure.ts'
import { startHost } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import type { Answer, HostRequest, Started } from './host-thread.ts'
import { ThreadSocket } from './thread-socket.ts'

if (!parentPort) throw new Error('this file must run in a worker thread')

const settings = workerData as HostSettings
// If the start fails, the thread ends with the error.
const host = await startHost(settings)
const { url, wsUrl, wallets } = host
parentPort.on('message', async ({ work, value, port }: HostRequest) => {
  if (work === 'connect') return host.accept(new ThreadSocket(port, settings.waitsForBlock))
  const gone = new AbortController()
  port.once('close', () => gone.abort())
  const answer = (host[work] as (value: unknown, signal: AbortSignal) => Promise<string | undefined>)(value, gone.signal)
  port.postMessage(await answer.then((result): Answer => ({ result })).catch((error: unknown): Answer => ({ error: toFailure(error) })))
})
parentPort.postMessage({ url, wsUrl, wallets } satisfies Started)
