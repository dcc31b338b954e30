/** Thrown if a block or state does not fit its position in the chain. The request to the source is repeated. */
export class CorruptBlockError extends Error {
  override readonly name = 'CorruptBlockError'
}
