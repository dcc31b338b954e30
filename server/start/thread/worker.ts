import { parentPort } from 'node:worker_threads'
import { createLink } from '../../base/threads/link.ts'
import { type OwnHost, startHost } from '../host.ts'
import type { HostSettings } from '../settings.ts'
import { isConnection, type Started } from './protocol.ts'
import { ThreadSocket } from './thread-socket.ts'

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')

let host: OwnHost | undefined
const running = (): OwnHost => {
  if (host === undefined) throw new Error('the tonway is not started')
  return host
}
const send = (message: unknown): boolean => {
  port.postMessage(message)
  return true
}
const link = createLink(
  { send },
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
)
port.on('message', (message: unknown) => {
  if (isConnection(message)) running().accept(new ThreadSocket(message.port, running().waitsForBlock))
  else link.receive(message)
})
