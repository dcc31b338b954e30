import { WebSocket } from 'ws'
import { type Answer, askAlone } from '../kit/service/client.ts'

/* Asking a service that has several networks. */

/** One request with a Host header of the test's own: a POST where it has a body. */
export const askHost = (url: string, options: { host?: string; body?: unknown; path: string }): Promise<Answer> => {
  const { host, body, path } = options
  return askAlone(url + path, {
    headers: host === undefined ? {} : { Host: host },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
}

/** One call over a WebSocket of its own. */
export const callSocket = (
  url: string,
  path: string,
  host: string | undefined,
  method: string,
  params: object = {},
): Promise<{ result?: unknown; error?: unknown }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: host === undefined ? {} : { Host: host } })
    socket.once('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
    socket.once('message', (data) => {
      resolve(JSON.parse(String(data)))
      socket.close()
    })
    socket.once('error', reject)
  })
