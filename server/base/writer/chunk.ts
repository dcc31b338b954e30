/** Transport of bytes. /status and /metrics count bytes by it. */
export type Carrier = 'http' | 'websocket' | 'events'

/** What is written to a connection at once. */
export type Chunk = ReturnType<typeof createChunk>

export const createChunk = (pieces: readonly Buffer[], carrier: Carrier, cursor = '') => ({
  /** Messages of a WebSocket, or pieces of a text. */
  pieces,
  /** Bytes of all pieces. */
  length: pieces.reduce((sum, { length }) => sum + length, 0),
  carrier,
  /** Cursor of the last event in this chunk; '' if the chunk contains no event of a block. */
  cursor,
  /** Time of creation (performance.now()). */
  madeAt: performance.now(),
  readers: 0,
})
