import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/* HTTP as bytes on a socket, read without an HTTP library: what comes is seen as it came. */

/** An HTTP answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  /** By lower-case name; lines of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly text: string
  /** The parsed body. Throws if it is not JSON. */
  readonly json: unknown
}

export interface Connection {
  readonly socket: Socket
  /** Resolves when the system has taken the bytes. Texts are sent as latin1. */
  send(bytes: string | Buffer): Promise<void>
  /** Reads the next answer. Rejects if the connection ends before it is complete. `isHead`: it answers HEAD, so it has no body. */
  answer(isHead?: boolean): Promise<WireAnswer>
  /** Reads every answer until the connection ends. Rejects if it ends within one. */
  answers(): Promise<readonly WireAnswer[]>
  /** The next bytes, for a protocol other than HTTP. Rejects if the connection ends before. */
  take(count: number): Promise<Buffer>
  /** Bytes that came and that no answer has taken. */
  left(): Buffer
  readonly closed: Promise<void>
  /** Says that nothing more will be sent; answers can still come. */
  end(): void
  destroy(): void
}

const CRLF = '\r\n'

/** Bytes of a socket, read by lines and lengths. The socket is not read before somebody waits. */
class Bytes {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #size = 0
  #isEnded = false
  #wake: () => void = () => {}
  #isRead = false
  constructor(socket: Socket) {
    this.#socket = socket
    socket.once('close', () => {
      this.#isEnded = true
      this.#wake()
    })
  }
  all(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]!
  }
  #more(): Promise<void> {
    if (this.#isEnded) throw new Error(`the connection ended after ${JSON.stringify(this.all().toString('latin1').slice(-300))}`)
    const more = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    if (!this.#isRead) {
      this.#isRead = true
      this.#socket.on('data', (chunk) => {
        this.#chunks.push(chunk)
        this.#size += chunk.length
        this.#wake()
      })
    }
    return more
  }
  /** Whether the connection ended and everything is read. */
  async isOver(): Promise<boolean> {
    while (this.#size === 0 && !this.#isEnded) await this.#more()
    return this.#size === 0
  }
  async take(count: number): Promise<Buffer> {
    while (this.#size < count) await this.#more()
    const all = this.all()
    this.#chunks = [all.subarray(count)]
    this.#size = all.length - count
    return all.subarray(0, count)
  }
  async until(mark: string): Promise<string> {
    let at = this.all().indexOf(mark)
    while (at === -1) {
      await this.#more()
      at = this.all().indexOf(mark)
    }
    return (await this.take(at + mark.length)).toString('latin1', 0, at)
  }
}

const chunksOf = async (bytes: Bytes): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for (;;) {
    const line = await bytes.until(CRLF)
    if (!/^[0-9a-f]+$/i.test(line)) throw new Error(`no size of a chunk: ${JSON.stringify(line)}`)
    const size = Number.parseInt(line, 16)
    if (size > 0) chunks.push(await bytes.take(size))
    if ((await bytes.take(2)).toString() !== CRLF) throw new Error('a chunk without its end')
    if (size === 0) return Buffer.concat(chunks)
  }
}

const readAnswer = async (bytes: Bytes, isHead: boolean): Promise<WireAnswer> => {
  const [first = '', ...lines] = (await bytes.until(CRLF + CRLF)).split(CRLF)
  const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(first)?.[1])
  if (!status) throw new Error(`no status line: ${JSON.stringify(first)}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    const value = line.slice(line.indexOf(':') + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  const isEmpty = isHead || status < 200 || status === 204 || status === 304
  const isChunked = headers['transfer-encoding'] === 'chunked'
  if (!isEmpty && !isChunked && headers['content-length'] === undefined) throw new Error(`an answer without a length: ${first}`)
  const body = isEmpty ? Buffer.alloc(0) : isChunked ? await chunksOf(bytes) : await bytes.take(Number(headers['content-length']))
  return {
    status,
    headers,
    body,
    get text() {
      return body.toString('utf8')
    },
    get json() {
      return JSON.parse(body.toString('utf8')) as unknown
    },
  }
}

/** Opens a connection to a port of this machine. The client's half can be ended alone. `from`: its own address; another one of 127.0.0.0/8 is another client. */
export const openConnection = async (port: number, from = '127.0.0.1'): Promise<Connection> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  const bytes = new Bytes(socket)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    // The server's half is ended: nothing more will come.
    socket.once('end', () => socket.end())
  })
  let turn: Promise<unknown> = Promise.resolve()
  const answer = (isHead = false): Promise<WireAnswer> => {
    const next = turn.then(() => readAnswer(bytes, isHead))
    turn = next.catch(() => {})
    return next
  }
  return {
    socket,
    closed,
    answer,
    async answers() {
      const all: WireAnswer[] = []
      while (!(await bytes.isOver())) all.push(await answer())
      return all
    },
    take: (count) => bytes.take(count),
    left: () => bytes.all(),
    send: (data) =>
      new Promise<void>((resolve) => void socket.write(typeof data === 'string' ? Buffer.from(data, 'latin1') : data, () => resolve())),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  }
}

/** A request without a body. `lines`: header lines besides Host. */
export const requestOf = (verb: string, path: string, ...lines: readonly string[]): string =>
  [`${verb} ${path} HTTP/1.1`, 'Host: localhost', ...lines, CRLF].join(CRLF)

export const get = (path: string, ...lines: readonly string[]): string => requestOf('GET', path, ...lines)

/** A POST whose body has its length. */
export const post = (path: string, body: string, ...lines: readonly string[]): string => {
  const bytes = Buffer.from(body)
  return requestOf('POST', path, ...lines, `Content-Length: ${bytes.length}`) + bytes.toString('latin1')
}

/** The text of a JSON-RPC request. */
export const rpcText = (method: string, params: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
