/** Bytes of an answer that is large: few such are made at a time, and in threads of their own. */
const LARGE = 512 << 10

/** Thrown by a handler that finds, once it has its rows, that the answer will be large. The caller of the handler then runs the same call again as a large page. */
export class LargePage extends Error {
  override readonly name = 'LargePage'
  constructor(bytes: number) {
    super(`an answer of about ${bytes} bytes`)
  }
}

/** Throws LargePage for an answer of so many bytes. */
export const checkSize = (bytes: number): void => {
  if (bytes > LARGE) throw new LargePage(bytes)
}
