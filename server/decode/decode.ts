import { cellsInBoc, serializeBoc } from '../cell/boc.ts'
import { spendCell } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { type Catalogue, createCatalogue, type MessageTable } from './catalogue.ts'
import type { BodyKind } from './notation.ts'
import { ANSWER_BUDGET, BODY_BUDGET, type Budget, type Constructors, type DecodeRun, type Json, type Shape, spend } from './shape.ts'
import type { Decoded } from './values.ts'

export type { BodyKind } from './notation.ts'
export type { Budget, Json } from './shape.ts'
export type { Bits, Decoded, Value } from './values.ts'

/** Levels of nested bodies that are shown decoded. Deeper ones stay base64. */
const MAX_DEPTH = 10

/**
 * Reads a body as one constructor; undefined if it does not fit. With `whole`, no data may be left. A misfit throws a CellError. Its stack trace is
 * never read and would cost more than the reading (measured: a fifth of the recorded mix), so it is turned off here.
 */
const attempt = <T>(
  s: Slice,
  whole: boolean,
  shape: Shape,
  read: (shape: Shape, s: Slice, run: DecodeRun) => T,
  run: DecodeRun,
): T | undefined => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const value = read(shape, s, run)
    if (whole) s.end()
    return value
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** The first constructor that fits a body of at least 32 bits: those with the body's tag first, then those without a tag. */
const first = <T>(body: Slice, kind: BodyKind, read: (shape: Shape, s: Slice, run: DecodeRun) => T, run: DecodeRun): T | undefined => {
  const { bodies, untagged } = run.constructors
  const shapes = bodies(kind, body.preloadUint(32))
  if (shapes !== undefined) {
    for (const shape of shapes) {
      const value = attempt(body.clone().skip(32), false, shape, read, run)
      if (value !== undefined) return value
    }
    return undefined
  }
  for (const { shape, fits } of untagged) {
    if (!fits(body)) continue
    const value = attempt(body.clone(), true, shape, read, run)
    if (value !== undefined) return value
  }
  return undefined
}

const load = (shape: Shape, s: Slice, run: DecodeRun): Decoded => shape.load(s, run) as Decoded
const print = (shape: Shape, s: Slice, run: DecodeRun): Json => shape.print(s, run)

/** Characters that each cell of a BoC counts, because cells that are not decoded may overlap: a body of 8,000 cells can have millions below its references. */
const CELL_CHARACTERS = 200

/** A cell that is not decoded, as base64. */
const base64 = (cell: Cell, run: DecodeRun): string => {
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

/** A cell within a body, decoded or as base64. */
const show = (cell: Cell, run: DecodeRun): Json => {
  spendCell(run)
  if (run.depth >= MAX_DEPTH) return base64(cell, run)
  run.depth++
  const shown = showCell(cell, run)
  run.depth--
  return typeof shown === 'string' ? base64(cell, run) : shown
}

/** A body as an object, or the reason why it cannot be decoded. */
const showCell = (cell: Cell, run: DecodeRun): Json => {
  if (cell.exotic) return 'the body is an exotic cell'
  if (cell.bits === 0 && cell.refCount === 0) return { '@type': 'empty_cell' }
  if (cell.bits < 32) return `boc is too small, size ${cell.bits}`
  return first(cell.slice(), 'internal', print, run) ?? 'no parser succeeded'
}

const newRun = (constructors: Constructors, budget: Readonly<Budget>): DecodeRun => ({
  constructors,
  cells: Math.min(budget.cells, BODY_BUDGET.cells),
  characters: Math.min(budget.characters, BODY_BUDGET.characters),
  depth: 0,
  texts: null,
  show,
})

/** The shared budget of all bodies in one answer. Each body reduces it. */
export const answerBudget = (): Budget => ({ ...ANSWER_BUDGET })

/** A body with its fields in the form of answers. */
type ShownBody = { readonly [key: string]: Json }

/** A body with what its constructor does not describe. */
interface InspectedBody {
  /** The body as `showBody` shows it; null if nothing in the catalogue fits. */
  readonly decoded: ShownBody | null
  /** Bits after the last field of the constructor. */
  readonly leftBits: number
  /** References after the last field of the constructor, each decoded in the same way. */
  readonly left: readonly { readonly cell: Cell; readonly decoded: ShownBody | null }[]
}

/** Reads bodies. Time and memory are bounded for any body; nothing here throws for malformed input. */
export interface Decoder extends Catalogue {
  /**
   * The constructor and the fields of a body; null if nothing in the catalogue fits. If constructors share a tag, those of `kind` are tried first, then
   * the others in the order internal, external, forward, event. Data after the last field is ignored. A body whose tag is not in the catalogue is
   * tried as a signed wallet request. Nested cells stay cells: decode a payload with `decodeBody(payload, 'forward')`.
   */
  readonly decodeBody: (body: Cell, kind?: BodyKind) => Decoded | null
  /**
   * A body in the form of v3 answers with nested cells decoded up to 10 levels, or the reason as text if it cannot be decoded. Bodies with
   * the same budget are bounded together: when it is spent, the next ones are not decoded.
   */
  readonly showBody: (body: Cell, budget?: Budget) => { readonly shown: ShownBody } | { readonly unknown: string }
  /** Same as `showBody`, but null for a body that cannot be decoded. A text comment has the form used in lists. */
  readonly showInList: (body: Cell, budget?: Budget) => ShownBody | null
  /**
   * A body in the form of v3 answers, and what stands after the last field of its constructor: contracts put data there that the schemas of v3 leave out, such as
   * the message to the jetton wallet in a mint.
   */
  readonly inspectBody: (body: Cell) => InspectedBody
}

const decodedOrNull = (json: Json | undefined): ShownBody | null => (typeof json === 'object' ? json : null)

const inspect = (body: Cell, run: DecodeRun): InspectedBody => {
  if (body.exotic) return { decoded: null, leftBits: 0, left: [] }
  const readOn = (shape: Shape, s: Slice) => ({ shown: print(shape, s, run), rest: s })
  const read = body.bits < 32 ? undefined : first(body.slice(), 'internal', readOn, run)
  const rest = read?.rest ?? body.slice()
  const left = Array.from({ length: rest.remainingRefs }, (_, i) => rest.preloadRef(i))
  return {
    decoded: decodedOrNull(read?.shown),
    leftBits: rest.remainingBits,
    left: left.map((cell) => ({ cell, decoded: decodedOrNull(showCell(cell, run)) })),
  }
}

/** A decoder of the bodies in some tables. */
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
    decodeBody(body, kind = 'internal') {
      if (body.exotic || body.bits < 32) return null
      return first(body.slice(), kind, load, newRun(catalogue, BODY_BUDGET)) ?? null
    },
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
