/** A piece of a text, as a string or as UTF-8 bytes. A character is never split between two pieces. */
export type Piece = string | Uint8Array

/** UTF-8 bytes of a piece. Bytes are not copied. */
export const bytesOfPiece = (piece: Piece): Buffer =>
  typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)

export const textOfPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : bytesOfPiece(piece).toString())

/**
 * Text that is produced while it is read. The reader must read it to the end or call `return`, because until then the source can occupy a database snapshot
 * or a permit.
 */
export interface TextSource extends AsyncIterableIterator<Piece> {
  return(): Promise<IteratorResult<Piece>>
}

const DONE: IteratorResult<Piece> = { done: true, value: undefined }

/** Passes on the text, and calls `end` once when the reading ends: at the end of the text, after an error, or when the reader calls `return`. */
export const endingWith = (source: AsyncIterator<Piece>, end: () => void): TextSource => {
  let hasEnded = false
  const once = (): void => {
    if (hasEnded) return
    hasEnded = true
    end()
  }
  return {
    async next() {
      try {
        const step = await source.next()
        if (step.done === true) once()
        return step
      } catch (error) {
        once()
        throw error
      }
    },
    async return() {
      once()
      await source.return?.()
      return DONE
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
