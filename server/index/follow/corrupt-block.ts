/** A block or state does not fit its place in the chain. The source is asked again. */
export class CorruptBlockError extends Error {
  override readonly name = 'CorruptBlockError'
}
