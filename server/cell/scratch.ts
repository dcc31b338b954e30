/** Largest array that is kept, in words. A larger request gets its own array, which is freed after use. */
const KEPT = 1 << 16

/**
 * Memory for numbers that are needed only while one bag is read. Each call returns the same array, with its old contents. A typed array is memory
 * outside the heap: for a small bag, allocating and freeing six of them would take longer than reading it.
 */
export const createScratch = (): ((words: number) => Uint32Array) => {
  let kept = new Uint32Array(256)
  return (words) => {
    if (words > KEPT) return new Uint32Array(words)
    if (words > kept.length) kept = new Uint32Array(Math.min(KEPT, 2 * words))
    return kept
  }
}
