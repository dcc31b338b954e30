/** Bytes to be written, shared by every reader that gets the same text. */
export interface Chunk {
  readonly bytes: Buffer
  /** Cursor of the place in the chain after this chunk; '' if it has none. */
  readonly cursor: string
  /** Order in which chunks were made. */
  readonly made: number
  /** When it was made (performance.now()). */
  readonly at: number
  /** How many queues hold it. */
  holders: number
}

let made = 0
export const chunkOf = (bytes: Buffer, cursor: string): Chunk => ({
  bytes,
  cursor,
  made: made++,
  at: performance.now(),
  holders: 0,
})
