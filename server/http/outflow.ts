import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { TonError } from '../../shared/errors.ts'
import { createByteBudget, type Holder } from '../base/limits/byte-budget.ts'
import { bytesOfPiece, type TextSource } from '../base/pieces.ts'
import { wrote } from '../base/write-turns.ts'
import { toTonError } from '../dispatch/failure.ts'
import type { Context } from './context.ts'

/*
 * Bodies of large HTTP answers. Bytes that readers have not taken stay in this process's memory, so they are counted for each connection and in total. A
 * body is a stream: it gives a part when the connection has taken the ones before. If the total is over its bound, the slowest readers are cut off first.
 */

export interface OutflowLimits {
  /** Bytes that may wait for the readers of one connection, and in total. */
  readonly ofConnection: number
  readonly ofAll: number
  /** Total milliseconds that an answer which is made while it is sent may wait for its reader or for room. */
  readonly patience: number
  /** Milliseconds before a new reader may be cut off. */
  readonly grace: number
}

export interface Outflow {
  /** The body of an answer that is made while it is sent: `first`, `rest`, and what `after` gives then. */
  made(ctx: Context, first: string, rest: TextSource, after: () => string): Readable
  /** The body of an answer that is in memory, all of which counts until its response closes. undefined if there is no room: it has to be refused. */
  whole(res: ServerResponse, bytes: Buffer): Readable | undefined
  /** Waiting bytes of all answers. */
  waiting(): number
}

interface Reader extends Holder {
  readonly res: ServerResponse
  readonly socket: Socket
  taken: number
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

export const createOutflow = (limits: OutflowLimits): Outflow => {
  /** The slowest reader is cut off first: the one that takes the fewest bytes per second. */
  const budget = createByteBudget<Reader>({
    most: limits.ofAll,
    costOf: ({ taken }, age) => (age < limits.grace ? undefined : -taken / age),
  })
  /** Bytes of the other answers of its connection. */
  const besides = ({ socket, bytes }: Reader): number => {
    let sum = -bytes
    for (const reader of budget.holders) if (reader.socket === socket) sum += reader.bytes
    return sum
  }
  const follow = (res: ServerResponse): Reader => {
    const reader = budget.add({ res, socket: res.req.socket, since: performance.now(), bytes: 0, taken: 0, cut: () => res.destroy() })
    res.once('close', () => budget.remove(reader))
    return reader
  }
  const fits = (reader: Reader, bytes: number): boolean => {
    const others = besides(reader)
    return (others === 0 || others + reader.bytes + bytes <= limits.ofConnection) && budget.makeRoom(bytes, reader)
  }

  /** Waits until a piece has room. Returns the milliseconds that it took. Rejects after `patience` milliseconds. */
  const room = async (reader: Reader, bytes: number, patience: number): Promise<number> => {
    const began = performance.now()
    while (!fits(reader, bytes)) {
      if (performance.now() - began >= patience) throw SLOW
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, limits.grace)))
    }
    return performance.now() - began
  }

  async function* counted(ctx: Context, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { res } = ctx
    const reader = follow(res)
    let { patience } = limits
    /** Bytes that the connection has, and has perhaps not written yet. */
    let underway = 0
    try {
      for await (const piece of pieces) {
        if (!fits(reader, piece.length)) patience -= await room(reader, piece.length, patience)
        budget.count(reader, piece.length)
        const began = performance.now()
        const stop = setTimeout(() => res.destroy(), patience)
        try {
          // Goes on when the connection has taken the piece before.
          yield piece
        } finally {
          clearTimeout(stop)
        }
        patience -= performance.now() - began
        reader.taken += underway
        budget.count(reader, -underway)
        underway = piece.length
        await wrote(piece.length)
      }
    } catch (error) {
      // The connection closes before the answer ends, so that no client takes it for a complete one.
      if (!res.destroyed) ctx.state.call.log.warn('answer.cut', { reason: toTonError(error, ctx.state.call).message })
      res.destroy()
    }
  }

  async function* parts(reader: Reader, bytes: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += PART) {
      const part = bytes.subarray(at, at + PART)
      yield part
      reader.taken += part.length
      await wrote(part.length)
    }
  }

  return {
    made(ctx, first, rest, after) {
      // It may end before anything of it is read.
      const end = (): void => void rest.return().catch(() => {})
      if (isGone(ctx.res)) end()
      ctx.res.once('close', end)
      return Readable.from(counted(ctx, joined(first, rest, after)))
    },
    whole(res, bytes) {
      if (isGone(res)) return Readable.from([])
      const reader = follow(res)
      if (!fits(reader, bytes.length)) {
        budget.remove(reader)
        return undefined
      }
      budget.count(reader, bytes.length)
      return Readable.from(parts(reader, bytes))
    },
    waiting: budget.total,
  }
}
