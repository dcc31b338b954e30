import { randomBytes } from 'node:crypto'
import { AdnlError } from '../adnl/error.ts'

export interface Pending {
  readonly size: number
  add(signal: AbortSignal): { readonly id: Buffer; readonly answer: Promise<Uint8Array> }
  /** Delivers an answer. If the query was aborted, the answer is dropped. Throws AdnlError for an id that was never sent. */
  settle(id: Uint8Array, data: Uint8Array): void
  fail(error: Error): void
}

const PREFIX = 24

interface Waiting {
  resolve(data: Uint8Array): void
  reject(error: unknown): void
  readonly signal: AbortSignal
}

/** A query id consists of the connection's random prefix and a counter, so that answers to queries that were never sent are detected. */
export const createPending = (): Pending => {
  const prefix = randomBytes(PREFIX)
  const waiting = new Map<number, Waiting>()
  /** Numbers of the queries by signal. Each signal has one listener, because adding and removing many listeners on one signal is slow. */
  const groups = new Map<AbortSignal, { readonly numbers: Set<number>; readonly listener: () => void }>()
  let count = 0

  const join = (signal: AbortSignal, number: number): void => {
    const group = groups.get(signal)
    if (group) {
      group.numbers.add(number)
      return
    }
    const numbers = new Set([number])
    const listener = (): void => {
      for (const each of [...numbers]) take(each)?.reject(signal.reason)
    }
    groups.set(signal, { numbers, listener })
    signal.addEventListener('abort', listener)
  }
  const take = (number: number): Waiting | undefined => {
    const found = waiting.get(number)
    if (found === undefined) return undefined
    waiting.delete(number)
    const group = groups.get(found.signal)
    group?.numbers.delete(number)
    if (group?.numbers.size === 0) {
      groups.delete(found.signal)
      found.signal.removeEventListener('abort', group.listener)
    }
    return found
  }

  return {
    get size() {
      return waiting.size
    },
    add(signal) {
      count += 1
      const number = count
      const id = Buffer.alloc(32)
      prefix.copy(id)
      id.writeBigUInt64LE(BigInt(number), PREFIX)
      const answer = new Promise<Uint8Array>((resolve, reject) => waiting.set(number, { resolve, reject, signal }))
      join(signal, number)
      return { id, answer }
    },
    settle(id, data) {
      const bytes = Buffer.from(id.buffer, id.byteOffset, id.byteLength)
      const number = Number(bytes.readBigUInt64LE(PREFIX))
      if (prefix.compare(bytes, 0, PREFIX) !== 0 || number > count || number === 0)
        throw new AdnlError('the answer belongs to no query of this connection')
      take(number)?.resolve(data)
    },
    fail(error) {
      for (const number of [...waiting.keys()]) take(number)?.reject(error)
    },
  }
}
