/** Largest array that is shared, in words. A larger request gets its own array, which is freed after use. */
const MAX_SHARED = 1 << 16
/** Rows of a large bag that are read between two steps. */
const ROWS_A_STEP = 1 << 14

/** A bag of more cells is large: its memory is its own, so that others can be read between the steps of its reading. */
export const isLarge = (cells: number): boolean => cells > MAX_SHARED

/** Whether a step ends before this row. The steps of a bag that is not large never end early. */
export const endsStep = (row: number, cells: number): boolean => cells > MAX_SHARED && row % ROWS_A_STEP === 0

/**
 * Memory for numbers that are needed only while one bag is read. Each call returns the same array, with its old contents. A typed array is memory
 * outside the heap: for a small bag, allocating and freeing six of them would take longer than reading it.
 */
export const createScratch = (): ((words: number) => Uint32Array) => {
  let shared = new Uint32Array(256)
  return (words) => {
    if (words > MAX_SHARED) return new Uint32Array(words)
    if (words > shared.length) shared = new Uint32Array(Math.min(MAX_SHARED, 2 * words))
    return shared
  }
}
