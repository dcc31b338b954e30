import type { Client, Submittable, Connection as Wire } from 'pg'

/*
 * Several statements and the rows of their COPYs as one message: the server takes the rows where it comes to a `copy ... from stdin`, and nobody
 * waits for it to say that it is ready for them. Where a statement is refused it passes over the rows that come after (PostgreSQL's protocol, 53.2.6).
 */

const COPY_DATA = 0x64
const COPY_DONE = 0x63
/** A letter and a length that counts itself. */
const HEADER = 5

/** Lines of COPY's text format: texts, or the bytes of such lines with their ends. */
export type CopyRows = readonly string[] | Uint8Array

/** Rows of a script's COPYs, in the order of its statements, as they go to the server. */
export const copyMessages = (tables: readonly CopyRows[]): Uint8Array => {
  const texts = tables.map((rows) => (rows instanceof Uint8Array ? rows : `${rows.join('\n')}\n`))
  const sizes = texts.map((text) => (typeof text === 'string' ? Buffer.byteLength(text) : text.length))
  // By itself, so that it can change hands.
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

/** What the driver calls of a statement under way. */
interface Answered extends Submittable {
  /** Looked for by the driver, which puts its own there when statements have a time limit. */
  callback(): void
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
        // One write for both.
        stream.cork()
        wire.query(text)
        stream.write(rows)
        stream.uncork()
      },
      callback: ignore,
      handleError: reject,
      handleReadyForQuery: resolve,
      handleCommandComplete: ignore,
      handleEmptyQuery: ignore,
      handleCopyInResponse: ignore,
      handleRowDescription: ignore,
      handleDataRow: ignore,
    }
    client.query(statement)
  })
