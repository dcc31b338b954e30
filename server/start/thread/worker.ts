import { once } from 'node:events'
import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { toFailure } from '../../base/threads/failure.ts'
import { startHost } from '../host.ts'
import type { Answer, HostRequest, Started, ThreadSettings } from './host-thread.ts'

if (!parentPort) throw new Error('this file must run in a worker thread')

const { socket: path, ...settings } = workerData as ThreadSettings
// If the start fails, the thread ends with the error.
const host = await startHost(settings)
const { url, wsUrl, wallets } = host
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const own = { remoteAddress: { value: '127.0.0.1' }, waitsForBlock: { value: settings.waitsForBlock } }
  host.accept(Object.defineProperties(socket, own))
})
await once(server.listen(path), 'listening')
parentPort.on('message', async ({ work, value, port }: HostRequest) => {
  const gone = new AbortController()
  port.once('close', () => gone.abort())
  const answer = (host[work] as (value: unknown, signal: AbortSignal) => Promise<string | undefined>)(value, gone.signal)
  port.postMessage(await answer.then((result): Answer => ({ result })).catch((error: unknown): Answer => ({ error: toFailure(error) })))
})
parentPort.postMessage({ url, wsUrl, wallets } satisfies Started)
