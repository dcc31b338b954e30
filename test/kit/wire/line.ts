import { once } from 'node:events'
import { WebSocket } from 'ws'
import { until } from '../wait.ts'
import type { WireService } from './service.ts'

/* WebSockets whose messages are JSON. */

export interface Line {
  readonly socket: WebSocket
  readonly messages: Record<string, unknown>[]
  /** Sends a message and waits for the next one. */
  ask(message: object | string): Promise<Record<string, unknown>>
  /** Code and reason of the close frame. */
  readonly closed: Promise<readonly [code: number, reason: string]>
}

export const openLine = async (service: WireService, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Line> => {
  const socket = new WebSocket(service.url.replace('http', 'ws') + path, { headers })
  const messages: Record<string, unknown>[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Record<string, unknown>))
  const closed = new Promise<readonly [number, string]>((resolve) =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  )
  await once(socket, 'open')
  return {
    socket,
    messages,
    closed,
    async ask(message) {
      const count = messages.length
      socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      await until(() => messages.length > count)
      return messages[count]!
    },
  }
}
