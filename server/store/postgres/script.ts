import type { Client, Submittable, Connection as Wire } from 'pg'

/*
 * Sends several statements and the rows of their COPYs as one message. The server reads the rows when it comes to a `copy ... from stdin`, so that the
 * client need not wait until it is ready. If a statement is refused, the server skips the rows that follow (PostgreSQL's protocol, 53.2.6).
 */

const COPY_DATA = 0x64
const COPY_DONE = 0x63
/** Header of a protocol message: a letter, and a length that includes itself. */
const HEADER = 5

/** Lines of COPY's text format: strings, or bytes of lines with their line ends. */
export type CopyRows = readonly string[] | Uint8Array

/** Protocol messages with the rows of a script's COPYs, in the order of its statements. */
export const copyMessages = (tables: readonly CopyRows[]): Uint8Array => {
  const texts = tables.map((rows) => (rows instanceof Uint8Array ? rows : `${rows.join('\n')}\n`))
  const sizes = texts.map((text) => (typeof text === 'string' ? Buffer.byteLength(text) : text.length))
  // A buffer of its own, so that it can be transferred to another thread.
  const out = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size + 2 * HEADER, 0))
  let at = 0
  for (const [i, text] of texts.entries()) {
    out[at] = COPY_DATA
    at = out.writeUInt32BE(sizes[i]! + HEADER - 1, at + 1)
    if (typeof text === 'string') at += out.write(text, at)
    else {
      out.set(text, at)
      at += text.length
    }
    out[at] = COPY_DONE
    at = out.writeUInt32BE(HEADER - 1, at + 1)
  }
  return out
}

/** The methods that the driver calls on a running statement. */
interface Answered extends Submittable {
  /** The driver replaces it by one that also ends the statement's time limit, so every end has to come by it. */
  callback(error?: Error): void
  handleError(error: Error): void
  handleReadyForQuery(): void
  handleCommandComplete(): void
  handleEmptyQuery(): void
  handleCopyInResponse(): void
  handleRowDescription(): void
  handleDataRow(): void
}

/** Runs a script with the rows of its COPYs (copyMessages). */
export const runScript = (client: Client, text: string, rows: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const ignore = (): void => {}
    const statement: Answered = {
      submit(wire: Wire) {
        const { stream } = wire
        // Statements and rows go out in one write.
        stream.cork()
        wire.query(text)
        stream.write(rows)
        stream.uncork()
      },
      callback: (error) => (error ? reject(error) : resolve()),
      handleError: (error) => statement.callback(error),
      handleReadyForQuery: () => statement.callback(),
      handleCommandComplete: ignore,
      handleEmptyQuery: ignore,
      handleCopyInResponse: ignore,
      handleRowDescription: ignore,
      handleDataRow: ignore,
    }
    client.query(statement)
  })
