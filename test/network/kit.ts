import { request } from 'node:http'
import { WebSocket } from 'ws'

/* Asking a service that has several networks. */

export interface Answer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: unknown
}

/** One request with a Host header of the test's own, which fetch does not let one set. */
export const ask = (url: string, options: { host?: string; body?: unknown; path: string }): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host, body, path } = options
    const { hostname, port } = new URL(url)
    const sent = request(
      { hostname, port, path, method: body === undefined ? 'GET' : 'POST', headers: host === undefined ? {} : { Host: host } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** One strict JSON-RPC call; `prefix`: that of a network, or nothing. */
export const call = async <T>(url: string, prefix: string, method: string, params: object = {}): Promise<T> => {
  const { body } = await ask(url, { path: `${prefix}/jsonRPC`, body: { jsonrpc: '2.0', id: 1, method, params } })
  const { result, error } = body as { result: T; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
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
