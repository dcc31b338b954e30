/** An answer with more bytes than this is large. Only a few large answers are produced at a time, in their own threads. */
const LARGE = 512 << 10

/** Thrown by a handler that has read its rows and found that the answer will be large. Dispatch then runs the same call again as a large page. */
export class LargePage extends Error {
  override readonly name = 'LargePage'
  constructor(bytes: number) {
    super(`an answer of about ${bytes} bytes`)
  }
}

export const checkSize = (bytes: number): void => {
  if (bytes > LARGE) throw new LargePage(bytes)
}
