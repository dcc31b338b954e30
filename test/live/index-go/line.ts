import { connect, type Socket } from 'node:net'

/*
 * A client that does as little for a request as a client can, so that the time of a small answer is the server's. It reads answers with a length and answers in
 * chunks, each with one copy of the body.
 */

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'

/** An answer of HTTP. */
interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** Takes the bytes of answers as they come. */
interface AnswerReader {
  /** The answer, if it ends with these bytes. */
  take(chunk: Buffer): Answer | undefined
}

/** Reads one answer after another. Throws for an answer with neither a length nor chunks, and for a chunk without a length. */
const createAnswerReader = (): AnswerReader => {
  /** A head or the length of a chunk, of which the end has not come. */
  let waiting: Buffer | undefined
  let status = 0
  let parts: Buffer[] = []
  /** Bytes of the body, or of the present chunk, that are still to come. */
  let left = 0
  let reads: 'head' | 'body' | 'size' | 'chunk' | 'chunk end' | 'last line' = 'head'

  const begin = (head: string): void => {
    status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    if (Number.isNaN(status) || (length === undefined && !isChunked)) throw new Error(`unexpected answer: ${head}`)
    left = Number(length ?? 0)
    reads = isChunked ? 'size' : 'body'
  }
  const end = (): Answer => {
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    reads = 'head'
    return { status, body }
  }
  /** Text up to a mark; undefined if the mark has not come, and then the bytes wait for more. */
  const until = (mark: string, bytes: Buffer, at: number): string | undefined => {
    const found = bytes.indexOf(mark, at, 'latin1')
    if (found >= 0) return bytes.toString('latin1', at, found)
    waiting = bytes.subarray(at)
    return undefined
  }
  const takeBytes = (bytes: Buffer, at: number): number => {
    const taken = Math.min(left, bytes.length - at)
    parts.push(bytes.subarray(at, at + taken))
    left -= taken
    return taken
  }

  return {
    take(chunk) {
      const bytes = waiting ? Buffer.concat([waiting, chunk]) : chunk
      waiting = undefined
      for (let at = 0; ; ) {
        if (reads === 'body') {
          takeBytes(bytes, at)
          return left === 0 ? end() : undefined
        }
        if (at === bytes.length) return undefined
        if (reads === 'chunk') {
          at += takeBytes(bytes, at)
          if (left === 0) reads = 'chunk end'
          continue
        }
        const mark = reads === 'head' ? HEAD_END : LINE_END
        const text = until(mark, bytes, at)
        if (text === undefined) return undefined
        at += text.length + mark.length
        if (reads === 'head') begin(text)
        else if (reads === 'chunk end') reads = 'size'
        else if (reads === 'last line') return end()
        else {
          left = Number.parseInt(text, 16)
          if (Number.isNaN(left)) throw new Error(`unexpected length of a chunk: ${text}`)
          reads = left === 0 ? 'last line' : 'chunk'
        }
      }
    },
  }
}

/** A connection that asks one question at a time. */
export interface Line {
  /** Resolves with the body. Rejects for any status but 200, with the status and the beginning of the body. */
  ask(path: string): Promise<Buffer>
  close(): void
}

/** A line to a server; `url` has its host and port. It connects when it is asked, and again after the server has closed it between two questions. */
export const openLine = (url: string): Line => {
  const { hostname, port, host } = new URL(url)
  let socket: Socket | undefined
  let waiting: { readonly path: string; readonly done: (body: Buffer) => void; readonly fail: (error: Error) => void } | undefined
  const settle = (how: (asked: NonNullable<typeof waiting>) => void): void => {
    const asked = waiting
    waiting = undefined
    if (asked) how(asked)
  }

  const dial = (): Socket => {
    const dialled = connect({ host: hostname, port: Number(port), noDelay: true })
    const reader = createAnswerReader()
    dialled.on('data', (chunk) => {
      try {
        const answer = reader.take(chunk)
        if (answer === undefined) return
        settle(({ path, done, fail }) => {
          if (answer.status === 200) done(answer.body)
          else fail(new Error(`${path}: ${answer.status} ${answer.body.toString('utf8', 0, 300)}`))
        })
      } catch (error) {
        dialled.destroy(error as Error)
      }
    })
    dialled.on('error', (error) => settle(({ fail }) => fail(error)))
    dialled.on('close', () => {
      if (socket !== dialled) return
      socket = undefined
      settle(({ path, fail }) => fail(new Error(`${path}: the server closed the connection`)))
    })
    return dialled
  }

  return {
    ask: (path) =>
      new Promise((done, fail) => {
        waiting = { path, done, fail }
        socket ??= dial()
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      }),
    close() {
      const open = socket
      socket = undefined
      open?.destroy()
    },
  }
}
