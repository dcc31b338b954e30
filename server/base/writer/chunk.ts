/** Transport of bytes. /status and /metrics count bytes by it. */
export type Carrier = 'http' | 'websocket' | 'events'

export interface Chunk {
  readonly bytes: Buffer
  readonly carrier: Carrier
  /** Cursor of the last event in this chunk; '' if the chunk contains no event of a block. */
  readonly cursor: string
  /** Time of creation (performance.now()). */
  readonly madeAt: number
  readers: number
}

export const createChunk = (bytes: Buffer, carrier: Carrier, cursor = ''): Chunk => ({
  bytes,
  carrier,
  cursor,
  madeAt: performance.now(),
  readers: 0,
})
