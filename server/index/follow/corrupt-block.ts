/** A block that is not what its place in the chain says: the source is asked again. */
export class CorruptBlockError extends Error {
  override readonly name = 'CorruptBlockError'
}
