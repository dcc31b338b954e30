/* JSON text that comes piece by piece. */

/**
 * Text that is made while it is read. The reader must read it to the end or call `return`, because the text can hold a snapshot of the database or a permit
 * until then.
 */
export interface TextSource extends AsyncIterableIterator<string> {
  return(): Promise<IteratorResult<string>>
}

const DONE: IteratorResult<string> = { done: true, value: undefined }

/** The same text. `end` is called once: when it has been read, when making it failed, or when the reader gives up, even before the first piece. */
export const endingWith = (source: AsyncIterator<string>, end: () => void): TextSource => {
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

/** Characters of a piece. Sending a smaller piece costs more than making it; making a larger one keeps other calls waiting. */
const PIECE = 1 << 16

/** The same text in pieces of at least PIECE characters (the last may be shorter). */
export async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
