import { connect, type Socket } from 'node:net'

/** One HTTP/1.1 request as bytes. */
export const getRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
export const postRequest = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

export const rpcRequest = (method: string, params: object): string =>
  postRequest('/jsonRPC', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
/** A get-method of a wallet. The stack differs for each `n`, so that no cache answers. */
export const seqnoRequest = (address: string, n: number): string =>
  rpcRequest('runGetMethod', { address, method: 'seqno', stack: [['num', String(n)]] })

const END = Buffer.from('\r\n\r\n')

/** The body of the first whole answer in a buffer; undefined if there is none yet. Throws for any status but 200. */
const wholeAnswer = (bytes: Buffer): Buffer | undefined => {
  const head = bytes.indexOf(END)
  if (head === -1) return undefined
  const text = bytes.toString('latin1', 0, head)
  const length = /\r\ncontent-length: (\d+)/i.exec(text)
  if (!text.startsWith('HTTP/1.1 200') || !length) throw new Error(`unexpected answer: ${text}`)
  const body = head + END.length
  const end = body + Number(length[1])
  return bytes.length >= end ? bytes.subarray(body, end) : undefined
}

/** One keep-alive connection that asks one request at a time. */
export interface Line {
  /** Resolves with the body of the answer. */
  ask(request: Buffer): Promise<Buffer>
  close(): void
}

/** Connects with as little work per request as a client can do. `from`: the local address; another one of 127.0.0.0/8 makes another caller. */
export const dial = (url: string, from = '127.0.0.1'): Promise<Line> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket: Socket = connect({ port: Number(port), host: hostname, localAddress: from })
    let rest: Buffer | undefined
    let seen = false
    let waiting: { readonly done: (body: Buffer) => void; readonly fail: (error: unknown) => void } | undefined
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error)
      waiting?.fail(error)
    }
    socket.setNoDelay(true)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      const all = rest ? Buffer.concat([rest, chunk]) : chunk
      try {
        const body = wholeAnswer(all)
        rest = body === undefined ? all : undefined
        if (body === undefined) return
        // An error of JSON-RPC has status 200 too: what is measured must not be that.
        if (!seen && all.includes('"error":')) throw new Error(`unexpected answer: ${all.toString('utf8', 0, 1_000)}`)
        seen = true
        waiting?.done(body)
      } catch (error) {
        fail(error)
      }
    })
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, failed) => {
            waiting = { done, fail: failed }
            socket.write(request)
          }),
        close() {
          socket.removeAllListeners('close')
          socket.destroy()
        },
      }),
    )
  })

/**
 * Keeps this process from sleeping. Waking it is work that the kernel does within the server's write, more of it the longer the server lets it sleep:
 * a microsecond of the server's own would be measured as four.
 */
export const stayAwake = (): (() => void) => {
  let awake = true
  const turn = (): void => {
    if (awake) setImmediate(turn)
  }
  turn()
  return () => {
    awake = false
  }
}

/** Sends `total` requests over keep-alive connections, one in flight on each. `request`: one for all, or made for each number. */
export const load = async (url: string, request: string | ((n: number) => string), total: number, connections = 64): Promise<void> => {
  const same = typeof request === 'string' ? Buffer.from(request) : undefined
  const bytesOf = (n: number): Buffer => same ?? Buffer.from((request as (n: number) => string)(n))
  const sleep = stayAwake()
  let sent = 0
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const line = await dial(url)
        while (sent < total) await line.ask(bytesOf(sent++))
        line.close()
      }),
    )
  } finally {
    sleep()
  }
}
