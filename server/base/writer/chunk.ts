/** Transport of bytes. /status and /metrics count bytes by it. */
export type Carrier = 'http' | 'websocket' | 'events'

/** What is written to a connection at once. */
export interface Chunk {
  /** Messages of a WebSocket, or pieces of a text. */
  readonly pieces: readonly Buffer[]
  /** Bytes of all pieces. */
  readonly length: number
  readonly carrier: Carrier
  /** Cursor of the last event in this chunk; '' if the chunk contains no event of a block. */
  readonly cursor: string
  /** Time of creation (performance.now()). */
  readonly madeAt: number
  readers: number
}

export const createChunk = (pieces: readonly Buffer[], carrier: Carrier, cursor = ''): Chunk => ({
  pieces,
  length: pieces.reduce((sum, { length }) => sum + length, 0),
  carrier,
  cursor,
  madeAt: performance.now(),
  readers: 0,
})
