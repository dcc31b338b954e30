import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { TonError } from '../../shared/errors.ts'
import { bytesOfPiece, type TextSource } from '../base/pieces.ts'
import { type Chunk, createChunk } from '../base/writer/chunk.ts'
import type { Reader, Unread } from '../base/writer/unread.ts'
import { createPauses } from '../base/yield.ts'
import { toTonError } from '../dispatch/failure.ts'
import type { Context } from './context.ts'

/* Bodies of large HTTP answers: streams that give a part when the connection has taken the ones before. What waits is in the account of unread bytes. */

export interface BodyStreams {
  /** The body of an answer that is made while it is sent: `first`, `rest`, and what `after` gives then. */
  made(ctx: Context, first: string, rest: TextSource, after: () => string): Readable
  /** The body of an answer that is in memory, all of which counts until its response closes. undefined if there is no room: it has to be refused. */
  whole(res: ServerResponse, bytes: Buffer): Readable | undefined
}

/** Bytes of an answer in memory that are written at a time. */
const PART = 1 << 18
/** Milliseconds after which a piece that found no room looks again: readers pass their grace time meanwhile, and can then be cut off. */
const LOOK_MS = 250

const isGone = (res: ServerResponse): boolean => res.destroyed || res.closed

const SLOW = new TonError('UNAVAILABLE', 'the answer is read too slowly')

async function* joined(first: string, rest: TextSource, after: () => string): AsyncGenerator<Buffer> {
  yield Buffer.from(first)
  for await (const piece of rest) yield bytesOfPiece(piece)
  const last = after()
  if (last !== '') yield Buffer.from(last)
}

interface Body extends Reader {
  /** Bytes that the connection has taken. */
  taken: number
  hold(chunk: Chunk): void
  release(chunk: Chunk): void
  /** Whether a chunk has room. Slower readers may be cut off for it. */
  hasRoom(chunk: Chunk): boolean
}

export const createBodyStreams = (unread: Unread): BodyStreams => {
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
      /** Milliseconds that it needs for what waits, at the speed that it has had. */
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
      hasRoom({ bytes: { length } }) {
        const others = unread.besides(body)
        return (others === 0 || others + body.bytes + length <= limits.ofConnection) && unread.makeRoom(length, body)
      },
    }
    unread.add(body)
    res.once('close', close)
    return body
  }

  /** Waits until a chunk has room. Rejects after `patience` milliseconds. */
  const waitForRoom = async (body: Body, chunk: Chunk, patience: number): Promise<void> => {
    const until = performance.now() + patience
    while (!body.hasRoom(chunk)) {
      if (performance.now() >= until) throw SLOW
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, limits.grace)))
    }
  }

  async function* send(ctx: Context, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { res } = ctx
    const body = open(res)
    const pause = createPauses()
    let { patience } = limits
    /** What the connection has, and has perhaps not written yet. */
    let underway: Chunk | undefined
    try {
      for await (const piece of pieces) {
        const chunk = createChunk(piece, 'http')
        const began = performance.now()
        await waitForRoom(body, chunk, patience)
        body.hold(chunk)
        const stop = setTimeout(() => res.destroy(), patience - (performance.now() - began))
        try {
          // Goes on when the connection has taken the piece before.
          yield piece
        } finally {
          clearTimeout(stop)
        }
        patience -= performance.now() - began
        if (underway !== undefined) {
          body.taken += underway.bytes.length
          body.release(underway)
        }
        underway = chunk
        await pause()
      }
    } catch (error) {
      // The connection closes before the answer ends, so that no client takes it for a complete one.
      if (!res.destroyed) ctx.state.call.log.warn('answer.cut', { reason: toTonError(error, ctx.state.call).message })
      res.destroy()
    }
  }

  async function* parts(body: Body, bytes: Buffer): AsyncGenerator<Buffer> {
    const pause = createPauses()
    for (let at = 0; at < bytes.length; at += PART) {
      const part = bytes.subarray(at, at + PART)
      yield part
      body.taken += part.length
      await pause()
    }
  }

  return {
    made(ctx, first, rest, after) {
      // It may end before anything of it is read.
      const end = (): void => void rest.return().catch(() => {})
      if (isGone(ctx.res)) end()
      ctx.res.once('close', end)
      return Readable.from(send(ctx, joined(first, rest, after)))
    },
    whole(res, bytes) {
      if (isGone(res)) return Readable.from([])
      const body = open(res)
      const chunk = createChunk(bytes, 'http')
      if (!body.hasRoom(chunk)) {
        unread.remove(body)
        return undefined
      }
      body.hold(chunk)
      return Readable.from(parts(body, bytes))
    },
  }
}
