import { cellsInBoc, serializeBoc } from '../cell/boc.ts'
import { spendCell } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { type Catalogue, createCatalogue, type MessageTable } from './bodies.ts'
import { ANSWER_BUDGET, BODY_BUDGET, type Budget, type Constructors, type DecodeRun, type Json, type Shape, spend } from './shape.ts'

export type { Budget, Json } from './shape.ts'

/** Maximum depth at which nested bodies are decoded. Deeper bodies are shown in base64. */
const MAX_DEPTH = 10

interface Read {
  readonly shown: Json
  /** The data after the last field. */
  readonly rest: Slice
}

/** Reads a body as one constructor; undefined if the body does not fit. With `whole`, no data may be left over. */
const readAs = (s: Slice, whole: boolean, shape: Shape, run: DecodeRun): Read | undefined =>
  attempt(() => {
    const shown = shape.print(s, run)
    if (whole) s.end()
    return { shown, rest: s }
  })

/** Reads a body of at least 32 bits with the first constructor that fits: one with the body's tag, or one without a tag if the tag is unknown. */
const first = (body: Slice, run: DecodeRun): Read | undefined => {
  const { bodies, untagged } = run.constructors
  const shapes = bodies(body.preloadUint(32))
  const candidates =
    shapes?.map((shape) => ({ shape, skipped: 32 })) ??
    untagged.filter(({ fits }) => fits(body)).map(({ shape }) => ({ shape, skipped: 0 }))
  for (const { shape, skipped } of candidates) {
    const read = readAs(body.clone().skip(skipped), skipped === 0, shape, run)
    if (read !== undefined) return read
  }
  return undefined
}

/**
 * Characters of the budget that each cell of an undecoded BoC costs. Undecoded BoCs can share cells, so the BoCs of a body with 8,000 cells can have
 * millions of cells in total.
 */
const CELL_CHARACTERS = 200

const base64 = (cell: Cell, run: DecodeRun): string => {
  // The constructors of a tag are tried one after another, at each depth. Once the budget is used up, none of them may write the cells again.
  spend(run, 0)
  const hash = cell.hashKey()
  run.texts ??= new Map()
  const cached = run.texts.get(hash)
  if (cached !== undefined) {
    spend(run, cached.length)
    return cached
  }
  const bytes = serializeBoc(cell, { crc32c: false })
  const text = Buffer.from(bytes).toString('base64')
  spend(run, text.length + CELL_CHARACTERS * cellsInBoc(bytes))
  run.texts.set(hash, text)
  return text
}

/** Returns the JSON of a cell inside a body: base64 if the cell cannot be decoded. */
const show = (cell: Cell, run: DecodeRun): Json => {
  spendCell(run)
  if (run.depth >= MAX_DEPTH) return base64(cell, run)
  run.depth++
  const shown = showCell(cell, run)
  run.depth--
  return typeof shown === 'string' ? base64(cell, run) : shown
}

/** Returns a decoded body as an object. If the body cannot be decoded, returns the reason as text. */
const showCell = (cell: Cell, run: DecodeRun): Json => {
  if (cell.exotic) return 'the body is an exotic cell'
  if (cell.bits === 0 && cell.refCount === 0) return { '@type': 'empty_cell' }
  if (cell.bits < 32) return `boc is too small, size ${cell.bits}`
  return first(cell.slice(), run)?.shown ?? 'no parser succeeded'
}

const newRun = (constructors: Constructors, budget: Readonly<Budget>): DecodeRun => ({
  constructors,
  cells: Math.min(budget.cells, BODY_BUDGET.cells),
  characters: Math.min(budget.characters, BODY_BUDGET.characters),
  depth: 0,
  texts: null,
  show,
})

export const answerBudget = (): Budget => ({ ...ANSWER_BUDGET })

type ShownBody = { readonly [key: string]: Json }

interface InspectedBody {
  /** The body as `showBody` shows it; null if nothing in the catalogue fits. */
  readonly decoded: ShownBody | null
  readonly leftBits: number
  /** References after the last field of the constructor, each decoded like the body. */
  readonly left: readonly { readonly cell: Cell; readonly decoded: ShownBody | null }[]
}

/** Decodes bodies. Time and memory are bounded for any body, and malformed bodies do not throw. */
export interface Decoder extends Catalogue {
  /**
   * Returns a body in the form of v3 answers, or the reason as text if it cannot be decoded. Nested cells are decoded up to 10 levels. Bodies that
   * share a budget are limited together: when it is used up, no further body is decoded.
   */
  readonly showBody: (body: Cell, budget?: Budget) => { readonly shown: ShownBody } | { readonly unknown: string }
  /** Same as `showBody`, but returns null for a body that cannot be decoded. A text comment has the form that v3 uses in lists. */
  readonly showInList: (body: Cell, budget?: Budget) => ShownBody | null
  /**
   * Returns a body in the form of v3 answers, and the data after the last field of its constructor. Some contracts put data there that v3's schemas do not
   * describe, such as the message to the jetton wallet in a mint.
   */
  readonly inspectBody: (body: Cell) => InspectedBody
}

const decodedOrNull = (json: Json | undefined): ShownBody | null => (typeof json === 'object' ? json : null)

const inspect = (body: Cell, run: DecodeRun): InspectedBody => {
  if (body.exotic) return { decoded: null, leftBits: 0, left: [] }
  const read = body.bits < 32 ? undefined : first(body.slice(), run)
  const rest = read?.rest ?? body.slice()
  const left = Array.from({ length: rest.remainingRefs }, (_, i) => rest.preloadRef(i))
  return {
    decoded: decodedOrNull(read?.shown),
    leftBits: rest.remainingBits,
    left: left.map((cell) => ({ cell, decoded: decodedOrNull(showCell(cell, run)) })),
  }
}

export const createDecoder = (tables: readonly MessageTable[]): Decoder => {
  const catalogue = createCatalogue(tables)
  const showBody: Decoder['showBody'] = (body, budget = answerBudget()) => {
    if (budget.cells <= 0 || budget.characters <= 0) return { unknown: 'the answer has too many bodies' }
    const run = newRun(catalogue, budget)
    const { cells, characters } = run
    const shown = showCell(body, run)
    budget.cells -= cells - Math.max(run.cells, 0)
    budget.characters -= characters - Math.max(run.characters, 0)
    return typeof shown === 'object' ? { shown } : { unknown: `${shown}` }
  }
  return {
    ...catalogue,
    showBody,
    showInList(body, budget) {
      const result = showBody(body, budget)
      if ('unknown' in result) return null
      const { shown } = result
      if (shown['@type'] !== 'text_comment') return shown
      return { type: 'text_comment', '@type': 'text_comment', comment: shown['text']! }
    },
    inspectBody: (body) => inspect(body, newRun(catalogue, BODY_BUDGET)),
  }
}
