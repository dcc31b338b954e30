/** Transport of bytes, by which /status and /metrics count them. */
export type Carrier = 'http' | 'websocket' | 'events'

/** Bytes to write, shared by all connections that receive them. */
export interface Chunk {
  readonly bytes: Buffer
  readonly carrier: Carrier
  /** Cursor of the chain position after this chunk; '' if the chunk has none. */
  readonly cursor: string
  /** Time of creation (performance.now()). */
  readonly madeAt: number
  /** Number of readers that have not read the chunk yet. */
  readers: number
}

export const createChunk = (bytes: Buffer, carrier: Carrier, cursor = ''): Chunk => ({
  bytes,
  carrier,
  cursor,
  madeAt: performance.now(),
  readers: 0,
})
