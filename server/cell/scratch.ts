/** Words that are kept; larger needs get memory of their own, which goes with them. */
const KEPT = 1 << 16

/**
 * Memory for numbers that are needed only while one bag is read. It is the same each time, with whatever the last one left in it: a typed array is a
 * piece of memory outside the heap, and a small bag would take longer to get and to free six of them than to be read.
 */
export const createScratch = (): ((words: number) => Uint32Array) => {
  let kept = new Uint32Array(256)
  return (words) => {
    if (words > KEPT) return new Uint32Array(words)
    if (words > kept.length) kept = new Uint32Array(Math.min(KEPT, 2 * words))
    return kept
  }
}
