/** Maximum size of a shared array, in words. A larger request gets its own array, which is freed after use. */
const MAX_SHARED = 1 << 12
const ROWS_A_STEP = 1 << 14

/** Returns whether a bag has too many cells for the shared arrays. A large bag has its own arrays, so other bags can be read between its steps. */
export const isLarge = (cells: number): boolean => cells > MAX_SHARED

/** Returns whether a step ends before this row. A bag that is not large is read in one step. */
export const endsStep = (row: number, cells: number): boolean => cells > MAX_SHARED && row % ROWS_A_STEP === 0

/**
 * Returns an allocator of memory that is needed only while one bag is read. Each call returns the same array, with its old contents. The reason: a typed array
 * is memory outside the heap. Allocating and freeing six typed arrays takes longer than reading a small bag.
 */
export const createScratch = (): ((words: number) => Uint32Array) => {
  let shared = new Uint32Array(256)
  return (words) => {
    if (words > MAX_SHARED) return new Uint32Array(words)
    if (words > shared.length) shared = new Uint32Array(Math.min(MAX_SHARED, 2 * words))
    return shared
  }
}
