import { createGzip, type Gzip } from 'node:zlib'
import { bytesOfPiece, type Piece, type TextSource } from '../../base/pieces.ts'
import { wrote } from '../../base/write-turns.ts'
import { toTonError } from '../../dispatch/failure.ts'
import type { Exchange } from '../exchange.ts'
import { JSON_TYPE } from '../headers.ts'
import type { Flow } from './outflow.ts'

/* Long answers are written in parts, so that it is known how much their readers have taken. */

/** Characters of a complete text that are written at a time. */
const PART = 1 << 18
/** Level of gzip, the same as for koa-compress (outermost.ts). */
const LEVEL = 5

/** A flow whose bytes go through gzip. */
class Compressed {
  readonly #gzip: Gzip = createGzip({ level: LEVEL })
  readonly #flow: Flow
  readonly #made: Buffer[] = []
  constructor(flow: Flow) {
    this.#flow = flow
    this.#gzip.on('data', (chunk: Buffer) => this.#made.push(chunk))
  }
  async write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#gzip.write(bytes, (error) => (error ? reject(error) : resolve())))
    await this.#send()
  }
  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.#gzip.once('end', resolve).end())
    await this.#send()
  }
  close(): void {
    this.#gzip.destroy()
  }
  async #send(): Promise<void> {
    for (const chunk of this.#made.splice(0)) await this.#flow.write(chunk)
  }
}

/**
 * Writes an answer from its pieces. If making them fails or the reader is cut off, the connection closes before the answer ends, so that no client
 * takes it for a complete one. `length`: total bytes, if known.
 */
const send = async (ctx: Exchange, status: number, flow: Flow, pieces: AsyncIterable<Piece>, length?: number): Promise<void> => {
  const { res, state } = ctx
  ctx.respond = false
  const isSmall = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  state.headers.push('Content-Type', JSON_TYPE, 'Vary', 'Accept-Encoding')
  if (isSmall) state.headers.push('Content-Encoding', 'gzip')
  else if (length !== undefined) state.headers.push('Content-Length', String(length))
  const gzip = isSmall ? new Compressed(flow) : undefined
  try {
    res.writeHead(status, state.headers)
    for await (const piece of pieces) {
      await (gzip ?? flow).write(bytesOfPiece(piece))
      await wrote(piece.length)
    }
    await gzip?.end()
    res.end()
  } catch (error) {
    if (!res.destroyed) state.call.log.warn('answer.cut', { reason: toTonError(error, state.call).message })
    res.destroy()
  } finally {
    gzip?.close()
  }
}

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PART)
    // Keeps both halves of a surrogate pair together.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end--
    yield text.slice(at, end)
    at = end
  }
}

/** Sends a complete long text. */
export const sendLong = (ctx: Exchange, status: number, text: string, flow: Flow): Promise<void> =>
  send(ctx, status, flow, partsOf(text), Buffer.byteLength(text))

async function* joined(first: string, rest: TextSource, after: () => string): AsyncGenerator<Piece> {
  yield first
  yield* rest
  const last = after()
  if (last !== '') yield last
}

/** Sends an answer that begins with `first` and is still being made. `after` gives the text that closes it. */
export const sendRest = async (ctx: Exchange, first: string, rest: TextSource, after: () => string): Promise<void> => {
  await send(ctx, 200, ctx.state.outflow.open(ctx.res), joined(first, rest, after))
  await rest.return()
}
