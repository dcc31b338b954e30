import { randomBytes } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { type CellTable, RECORD } from '../table.ts'

/** The first 32 bits of a cell's hash. As the key of a Map, a number needs no string for each cell of a table. */
export const wordOf = (cell: Cell): number => {
  const { src } = cell
  if (typeof src === 'string') {
    const key = cell.hashKey()
    return key.charCodeAt(0) | (key.charCodeAt(1) << 8) | (key.charCodeAt(2) << 16) | (key.charCodeAt(3) << 24)
  }
  const table = src as CellTable
  return table.records.readInt32LE(table.hashed(cell.aux as number, 3) * RECORD)
}

const isSame = (a: Cell, b: Cell): boolean => (a.src === b.src && typeof a.src !== 'string' && a.aux === b.aux) || a.equals(b)

/** Step from a key to the next one. The next key is used if another cell with a different hash has the first key. */
const NEXT_KEY = 0x9e3779b9
/** Maximum number of keys that are tried for a cell. Only cells that were crafted to have equal keys need more; they are found by their full hash. */
const MAX_PLACES = 8

/**
 * V8 hashes numbers in Maps by a public function, so thousands of cells can be crafted whose words are in one bucket. Each process mixes words by secrets of its
 * own. Equal words stay equal, and nobody can compute which words share a bucket.
 */
const [SECRET, FACTOR] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE() | 1]
const keyOf = (word: number): number => Math.imul(word ^ SECRET, FACTOR)

/** Numbers distinct cells in the order in which they are added. */
export class CellNumbers {
  readonly #cells: Cell[]
  readonly #places = new Map<number, number>()
  readonly #rest = new Map<string, number>()

  /** Added cells are appended to the caller's array `cells`. */
  constructor(cells: Cell[]) {
    this.#cells = cells
  }

  /** Returns the number of a cell; undefined if it was not added. `word` is the result of `wordOf`. */
  find(word: number, cell: Cell): number | undefined {
    let key = keyOf(word)
    for (let i = 0; i < MAX_PLACES; i++) {
      const number = this.#places.get(key)
      if (number === undefined || isSame(this.#cells[number]!, cell)) return number
      key = (key + NEXT_KEY) | 0
    }
    return this.#rest.get(cell.hashKey())
  }

  /** The cell must not have been added before. */
  add(word: number, cell: Cell): void {
    const id = this.#cells.length
    this.#cells.push(cell)
    let key = keyOf(word)
    for (let i = 0; i < MAX_PLACES; i++) {
      if (!this.#places.has(key)) return void this.#places.set(key, id)
      key = (key + NEXT_KEY) | 0
    }
    this.#rest.set(cell.hashKey(), id)
  }
}
