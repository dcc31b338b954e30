import { type Client, Query, type Connection as Wire } from 'pg'

/*
 * Sends several statements and the rows of their COPYs in one write. The server reads the rows when it reaches a `copy ... from stdin`, so the client need not
 * wait for the server to ask for them. If a statement fails, the server skips the rows that follow (PostgreSQL's protocol, 53.2.6).
 */

const COPY_DATA = 0x64
const COPY_DONE = 0x63
/** Bytes of a protocol message's header: one letter, and a 4-byte length that includes itself. */
const HEADER = 5
const NONE = new Uint8Array()

/** Messages are joined into buffers of about this many bytes. */
const JOINED = 1 << 20

/**
 * Encodes the rows of a script's COPYs, in the order of its statements, as messages of PostgreSQL's protocol. Each table's rows are chunks of complete
 * lines in COPY's text format. The result uses new buffers, which can be transferred to another thread. Yields after each buffer, because a group of blocks
 * can have hundreds of megabytes of rows.
 */
export function* copySteps(tables: readonly (readonly Uint8Array[])[]): Generator<void, readonly Uint8Array[]> {
  const joined: Uint8Array[] = []
  let parts: Uint8Array[] = []
  let size = 0
  const join = (): void => {
    const out = Buffer.allocUnsafeSlow(size)
    let at = 0
    for (const part of parts) {
      out.set(part, at)
      at += part.length
    }
    joined.push(out)
    parts = []
    size = 0
  }
  const put = (letter: number, body: Uint8Array): void => {
    const header = Buffer.alloc(HEADER)
    header[0] = letter
    header.writeUInt32BE(body.length + HEADER - 1, 1)
    parts.push(header, body)
    size += HEADER + body.length
  }
  for (const pieces of tables) {
    for (const piece of pieces) {
      put(COPY_DATA, piece)
      if (size < JOINED) continue
      join()
      yield
    }
    put(COPY_DONE, NONE)
  }
  if (size > 0) join()
  return joined
}

/** Runs a script. It is a statement of the driver that is sent with rows, and does not wait until the server asks for them. */
export const runScript = (client: Client, text: string, rows: readonly Uint8Array[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = Object.assign(new Query(text, (error) => (error ? reject(error) : resolve())), {
      submit(wire: Wire) {
        const { stream } = wire
        stream.cork()
        wire.query(text)
        for (const each of rows) stream.write(each)
        stream.uncork()
      },
      handleCopyInResponse() {},
    })
    client.query(script)
  })
