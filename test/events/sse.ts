import { request } from 'node:http'

/** One frame of an SSE stream. */
export interface SseFrame {
  readonly event?: string
  readonly id?: string
  readonly data?: { readonly type?: string; readonly [name: string]: unknown }
}

export interface SseReader {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly frames: SseFrame[]
  /** Comments. */
  readonly comments: string[]
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>
  close(): void
}

const frameOf = (text: string): SseFrame => {
  const members: Record<string, unknown> = {}
  for (const line of text.split('\n')) {
    const at = line.indexOf(': ')
    const value = line.slice(at + 2)
    members[line.slice(0, at)] = line.startsWith('data') ? JSON.parse(value) : value
  }
  return members
}

/** Opens a stream: by POST with a body, or else by GET. Rejects with the body of an answer that is no stream. */
export const openSse = (url: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<SseReader> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      method: body ? 'POST' : 'GET',
      agent: false,
      headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'gzip', ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const frames: SseFrame[] = []
      const comments: string[] = []
      let rest = ''
      response.setEncoding('utf8')
      response.on('error', () => {})
      response.on('data', (text: string) => {
        const parts = (rest + text).split('\n\n')
        rest = parts.pop()!
        for (const part of parts) {
          if (part.startsWith(':')) comments.push(part)
          else frames.push(frameOf(part))
        }
      })
      const closed = new Promise<void>((done) => response.on('close', done))
      if (response.statusCode !== 200) {
        closed.then(() => reject(new Error(`${response.statusCode} ${rest}`)))
        return
      }
      resolve({ status: response.statusCode, headers: response.headers, frames, comments, closed, close: () => sent.destroy() })
    })
    sent.end(body && JSON.stringify(body))
  })
