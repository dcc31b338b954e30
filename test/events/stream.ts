import { type Line, openLine } from '../kit/service/client.ts'
import { until } from '../kit/wait.ts'
import type { Event } from './kit.ts'

/** A socket of streaming v2, and the events that it was told. */
export interface StreamReader {
  readonly line: Line
  readonly events: Event[]
  /** Sends an operation, and resolves with its answer. */
  op(message: object): Promise<unknown>
  close(): void
}

export const openStream = async (url: string): Promise<StreamReader> => {
  const line = await openLine(url)
  const events: Event[] = []
  const answers: unknown[] = []
  line.socket.removeAllListeners('message')
  line.socket.on('message', (data) => {
    const value = JSON.parse(String(data)) as Event
    if (typeof value.type === 'string') events.push(value)
    else answers.push(value)
  })
  return {
    line,
    events,
    async op(message) {
      line.send(message)
      await until(() => answers.length > 0)
      return answers.shift()
    },
    close: () => line.socket.terminate(),
  }
}
