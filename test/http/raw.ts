import { connect, type Socket } from 'node:net'

/** An HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const portOf = (url: string): number => Number(new URL(url).port)

/** Opens a connection to a server of this machine. */
export const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(portOf(url), '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
  })

/** Reads one answer with a Content-Length (or none) off a connection; rejects when it closes before. */
export const readAnswer = (socket: Socket, head = false): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    let text = ''
    const finish = (): void => {
      const split = text.indexOf('\r\n\r\n')
      if (split === -1) return
      const [first = '', ...lines] = text.slice(0, split).split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      )
      const length = head ? 0 : Number(headers['content-length'] ?? 0)
      if (text.length < split + 4 + length) return
      socket.off('data', take)
      socket.off('close', cut)
      resolve({ status: Number(first.split(' ')[1]), headers, body: text.slice(split + 4, split + 4 + length) })
    }
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      finish()
    }
    const cut = (): void => reject(new Error(`closed after ${JSON.stringify(text)}`))
    socket.on('data', take)
    socket.once('close', cut)
    socket.on('error', () => {})
  })

/** Sends bytes on a connection of their own and reads one answer. */
export const rawRequest = async (url: string, bytes: string): Promise<RawAnswer> => {
  const socket = await open(url)
  const answer = readAnswer(socket, bytes.startsWith('HEAD '))
  socket.write(bytes)
  try {
    return await answer
  } finally {
    socket.destroy()
  }
}

/** Text of a POST. */
export const rawPost = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
