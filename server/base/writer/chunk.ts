/** What bytes belong to, as /status and /metrics count them. */
export type Carrier = 'http' | 'websocket' | 'events'

/** Bytes to be written, shared by every reader that gets the same ones. */
export interface Chunk {
  readonly bytes: Buffer
  readonly carrier: Carrier
  /** Cursor of the place in the chain after this chunk; '' if it has none. */
  readonly cursor: string
  /** When it was made (performance.now()). */
  readonly madeAt: number
  /** How many readers it waits for. */
  readers: number
}

export const createChunk = (bytes: Buffer, carrier: Carrier, cursor = ''): Chunk => ({
  bytes,
  carrier,
  cursor,
  madeAt: performance.now(),
  readers: 0,
})
