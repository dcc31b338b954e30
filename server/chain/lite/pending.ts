import { randomBytes } from 'node:crypto'
import { untilAborted } from '../../base/abort.ts'
import { AdnlError } from '../adnl/error.ts'

const PREFIX = 24

interface Waiting {
  resolve(data: Uint8Array): void
  reject(error: unknown): void
}

/** A query id consists of the connection's random prefix and a counter, so that answers to queries that were never sent are detected. */
export const createPending = () => {
  const prefix = randomBytes(PREFIX)
  const waiting = new Map<number, Waiting>()
  let count = 0

  const take = (number: number): Waiting | undefined => {
    const found = waiting.get(number)
    waiting.delete(number)
    return found
  }

  return {
    size: (): number => waiting.size,
    add(signal: AbortSignal) {
      count += 1
      const number = count
      const id = Buffer.alloc(32)
      prefix.copy(id)
      id.writeBigUInt64LE(BigInt(number), PREFIX)
      const answer = new Promise<Uint8Array>((resolve, reject) => waiting.set(number, { resolve, reject }))
      return { id, answer: untilAborted(answer, signal, () => waiting.delete(number)) }
    },
    /** Delivers an answer. If the query was aborted, the answer is dropped. Throws AdnlError for an id that was never sent. */
    settle(id: Uint8Array, data: Uint8Array): void {
      const bytes = Buffer.from(id.buffer, id.byteOffset, id.byteLength)
      const number = Number(bytes.readBigUInt64LE(PREFIX))
      if (prefix.compare(bytes, 0, PREFIX) !== 0 || number > count || number === 0)
        throw new AdnlError('the answer belongs to no query of this connection')
      take(number)?.resolve(data)
    },
    fail(error: Error): void {
      for (const number of [...waiting.keys()]) take(number)?.reject(error)
    },
  }
}
export type Pending = ReturnType<typeof createPending>
