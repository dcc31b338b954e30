import { parentPort } from 'node:worker_threads'
import { createAnswers, type Request } from '../../base/threads/link.ts'
import { type OwnHost, startHost } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import type { Connection, Started } from './protocol.ts'
import { ThreadSocket } from './thread-socket.ts'

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')

let host: OwnHost | undefined
const running = (): OwnHost => {
  if (host === undefined) throw new Error('the tonway is not started')
  return host
}
const answer = createAnswers(
  {
    async start(settings: HostSettings): Promise<Started> {
      host = await startHost(settings)
      const { url, wsUrl, wallets, ask } = host
      return { url, wsUrl, wallets, asks: ask !== undefined }
    },
    ask: (text: string, signal: AbortSignal) => running().ask!(text, signal),
    settled: () => running().settled(),
    indexed: () => running().indexed(),
    close: () => running().close(),
  },
  (reply) => port.postMessage(reply),
)
port.on('message', (message: Connection | Request) => {
  if (message.type === 'connection') running().accept(new ThreadSocket(message.port, running().waitsForBlock))
  else void answer(message)
})
