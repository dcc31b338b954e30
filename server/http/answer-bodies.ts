import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { TonError } from '../../shared/errors.ts'
import { bytesOfPiece, type TextSource } from '../base/pieces.ts'
import { type Chunk, createChunk } from '../base/writer/chunk.ts'
import type { Reader, Unread } from '../base/writer/unread.ts'
import { createPauses } from '../base/yield.ts'
import { toTonError } from '../dispatch/failure.ts'
import type { Context } from './context.ts'

/*
 * Bodies of large HTTP answers: streams that produce pieces as fast as they can, as long as a connection may have so many unread bytes
 * (base/writer/unread.ts).
 */

/** Characters of an in-memory answer that are written at a time. */
const PART = 1 << 18
const isLeading = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Parts of long texts, for steps of about a millisecond. The two halves of a surrogate pair are one character, and stay together. */
export function* slicesOf(texts: readonly string[]): Generator<string> {
  for (const text of texts)
    for (let at = 0, next = 0; at < text.length; at = next) {
      next = isLeading(text.charCodeAt(at + PART - 1)) ? at + PART + 1 : at + PART
      yield text.slice(at, next)
    }
}
export const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)
/** Interval (ms) at which an answer over the limit of unread bytes checks again whether it may continue. */
const LOOK_MS = 250

/** Number of pieces of an answer that are made ahead of its reader. */
const AHEAD = 4_096

const isGone = (res: ServerResponse): boolean => res.destroyed || res.closed

const SLOW = new TonError('UNAVAILABLE', 'the answer is read too slowly')

async function* joined(first: string, rest: TextSource, after: () => string): AsyncGenerator<Buffer> {
  yield Buffer.from(first)
  for await (const piece of rest) yield bytesOfPiece(piece)
  const last = after()
  if (last !== '') yield Buffer.from(last)
}

interface Body extends Reader {
  taken: number
  hold(chunk: Chunk): void
  release(chunk: Chunk): void
  hasRoom(chunk: Chunk): boolean
}

export type BodyStreams = ReturnType<typeof createBodyStreams>

export const createBodyStreams = (unread: Unread) => {
  const { limits } = unread
  const open = (res: ServerResponse): Body => {
    const since = performance.now()
    const chunks = new Set<Chunk>()
    const close = (): void => {
      for (const chunk of chunks) body.release(chunk)
      unread.remove(body)
    }
    const body: Body = {
      connection: res.req.socket,
      bytes: 0,
      taken: 0,
      /** Milliseconds that the connection needs for its unread bytes, at its average speed so far. undefined during the grace time. */
      cost(now) {
        const age = now - since
        return age < limits.grace ? undefined : (age * body.bytes) / (body.taken + 1)
      },
      cut() {
        close()
        res.destroy()
      },
      hold(chunk) {
        chunks.add(chunk)
        unread.hold(body, chunk)
      },
      release(chunk) {
        if (chunks.delete(chunk)) unread.release(body, chunk)
      },
      hasRoom({ length }) {
        const all = unread.besides(body) + body.bytes
        return (all === 0 || all + length <= limits.ofConnection) && unread.makeRoom(length, body)
      },
    }
    unread.add(body)
    res.once('close', close)
    return body
  }

  /** Counts pieces as unread as soon as they are made. Waits while there is no room for a piece, and throws after `limits.patience` milliseconds. */
  async function* counted(body: Body, pieces: AsyncIterable<Buffer>): AsyncGenerator<Chunk> {
    const pause = createPauses()
    for await (const piece of pieces) {
      const chunk = createChunk([piece], 'http')
      for (const until = performance.now() + limits.patience; !body.hasRoom(chunk); ) {
        if (performance.now() >= until) throw SLOW
        await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, limits.grace)))
      }
      body.hold(chunk)
      yield chunk
      await pause()
    }
  }

  async function* send(ctx: Context, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { res } = ctx
    const body = open(res)
    let { patience } = limits
    /** The last piece that the stream passed to the connection, which may not have written it yet. */
    let underway: Chunk | undefined
    try {
      // A slow reader must not occupy what makes the pieces: a snapshot, or a permit that others need.
      for await (const chunk of Readable.from(counted(body, pieces), { highWaterMark: AHEAD }) as AsyncIterable<Chunk>) {
        const began = performance.now()
        {
          using _stop = setTimeout(() => res.destroy(), patience)
          // The generator resumes when the connection has accepted the previous piece.
          yield chunk.pieces[0]!
        }
        patience -= performance.now() - began
        if (underway !== undefined) {
          body.taken += underway.length
          body.release(underway)
        }
        underway = chunk
      }
    } catch (error) {
      // Destroys the connection before the response ends. Otherwise the client would take the answer for a complete one.
      if (!res.destroyed) ctx.state.call.log.warn('answer.cut', { reason: toTonError(error, ctx.state.call).message })
      res.destroy()
    }
  }

  /** Encodes each part when the connection takes it: the bytes of a long answer, for each caller that shares it, would be gigabytes. */
  async function* parts(body: Body, texts: readonly string[]): AsyncGenerator<Buffer> {
    const pause = createPauses()
    for (const part of slicesOf(texts)) {
      yield Buffer.from(part)
      body.taken += part.length
      await pause()
    }
  }

  return {
    /** The body of an answer that is produced while it is sent: `first`, then `rest`, then the text that `after` returns. */
    made(ctx: Context, first: string, rest: TextSource, after: () => string): Readable {
      // The response may close before its body is read, so `rest` must also end on close.
      const end = (): void => void rest.return().catch(() => {})
      if (isGone(ctx.res)) end()
      ctx.res.once('close', end)
      return Readable.from(send(ctx, joined(first, rest, after)))
    },
    /**
     * The body of an answer that is complete in memory. All its characters count as unread bytes until its response closes. Returns undefined if there is no
     * room; the caller then refuses the request.
     */
    whole(res: ServerResponse, texts: readonly string[]): Readable | undefined {
      if (isGone(res)) return Readable.from([])
      const body = open(res)
      const chunk = { ...createChunk([], 'http'), length: lengthOf(texts) }
      if (!body.hasRoom(chunk)) {
        unread.remove(body)
        return undefined
      }
      body.hold(chunk)
      return Readable.from(parts(body, texts))
    },
  }
}
