/* JSON text that comes piece by piece. */

/** A piece of a text, or its bytes in UTF-8. No character is in two pieces. */
export type Piece = string | Uint8Array

/** Bytes of a piece, without a copy if it is bytes. */
export const bytesOfPiece = (piece: Piece): Buffer =>
  typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)

export const textOfPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : bytesOfPiece(piece).toString())

/**
 * Text that is made while it is read. The reader must read it to the end or call `return`, because the text can hold a snapshot of the database or a permit
 * until then.
 */
export interface TextSource extends AsyncIterableIterator<Piece> {
  return(): Promise<IteratorResult<Piece>>
}

const DONE: IteratorResult<Piece> = { done: true, value: undefined }

/** The same text. `end` is called once: when it has been read, when making it failed, or when the reader gives up, even before the first piece. */
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
