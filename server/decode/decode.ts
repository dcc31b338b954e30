import { serializeBoc } from '../cell/boc.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { bodies, signed } from './catalogue.ts'
import type { BodyKind } from './notation.ts'
import { ANSWER_BUDGET, BODY_BUDGET, type Budget, type Json, type Run, type Shape, spend, take } from './shape.ts'
import type { Decoded } from './values.ts'

export { opcodeName } from './catalogue.ts'
export type { BodyKind } from './notation.ts'
export type { Budget, Json } from './shape.ts'
export type { Bits, Choice, Decoded, Value } from './values.ts'

/** Bodies within bodies that are shown decoded; deeper ones stay base64 (9.2). */
const MOST_DEPTH = 10

/**
 * Reads a body as one constructor; undefined where it is none of that. `whole`: nothing may be left. What does not fit is said by a CellError,
 * whose stack nobody reads and which would cost more than the reading (measured: a fifth of the recorded mix), so none is taken here.
 */
const attempt = <T>(s: Slice, whole: boolean, shape: Shape, read: (shape: Shape, s: Slice, run: Run) => T, run: Run): T | undefined => {
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

/** The first constructor that takes a body of at least 32 bits, in the order of 9.3. */
const first = <T>(body: Slice, kind: BodyKind, read: (shape: Shape, s: Slice, run: Run) => T, run: Run): T | undefined => {
  const shapes = bodies(kind, body.preloadUint(32))
  if (shapes !== undefined) {
    for (const shape of shapes) {
      const value = attempt(body.clone().skip(32), false, shape, read, run)
      if (value !== undefined) return value
    }
    return undefined
  }
  for (const { shape, fits } of signed) {
    if (!fits(body)) continue
    const value = attempt(body.clone(), true, shape, read, run)
    if (value !== undefined) return value
  }
  return undefined
}

const load = (shape: Shape, s: Slice, run: Run): Decoded => shape.load(s, run) as Decoded
const print = (shape: Shape, s: Slice, run: Run): Json => shape.print(s, run)

/** The text of a cell that nothing decodes. */
const base64 = (cell: Cell, run: Run): string => {
  const hash = cell.hashKey()
  run.texts ??= new Map()
  const text = run.texts.get(hash) ?? Buffer.from(serializeBoc(cell, { crc32c: false })).toString('base64')
  spend(run, text.length)
  run.texts.set(hash, text)
  return text
}

/** A cell within a body: decoded, or as base64. */
const show = (cell: Cell, run: Run): Json => {
  take(run)
  if (run.depth >= MOST_DEPTH) return base64(cell, run)
  run.depth++
  const shown = showCell(cell, run)
  run.depth--
  return typeof shown === 'string' ? base64(cell, run) : shown
}

/** A body as an object, or why it cannot be decoded. */
const showCell = (cell: Cell, run: Run): Json => {
  if (cell.exotic) return 'the body is an exotic cell'
  if (cell.bits === 0 && cell.refCount === 0) return { '@type': 'empty_cell' }
  if (cell.bits < 32) return `boc is too small, size ${cell.bits}`
  return first(cell.slice(), 'internal', print, run) ?? 'no parser succeeded'
}

const newRun = (budget: Readonly<Budget>): Run => ({
  cells: Math.min(budget.cells, BODY_BUDGET.cells),
  characters: Math.min(budget.characters, BODY_BUDGET.characters),
  depth: 0,
  texts: null,
  show,
})

/**
 * The constructor and the fields of a body, or null where the catalogue has none that reads it. Tags that several constructors share are
 * tried in the order of 9.4, those of `kind` first; data behind the last field is left alone. Bodies without a known tag are tried as the
 * signed requests of wallets. Cells inside stay cells: decode a payload with `decodeBody(payload, 'forward')`. Never throws for bad input.
 */
export const decodeBody = (body: Cell, kind: BodyKind = 'internal'): Decoded | null => {
  if (body.exotic || body.bits < 32) return null
  return first(body.slice(), kind, load, newRun(BODY_BUDGET)) ?? null
}

/** What the bodies of one answer may spend together; each of them takes from it. */
export const answerBudget = (): Budget => ({ ...ANSWER_BUDGET })

/**
 * A body as v3 answers show it (9.2), cells inside decoded up to 10 deep, or the reason in words where it cannot be decoded. Bounded in time
 * and memory whatever the body holds; never throws for bad input. Bodies shown with one budget are bounded together: those that come when it
 * is spent are not decoded.
 */
export const showBody = (
  body: Cell,
  budget: Budget = answerBudget(),
): { readonly shown: { readonly [key: string]: Json } } | { readonly unknown: string } => {
  const run = newRun(budget)
  const { cells, characters } = run
  const shown = showCell(body, run)
  budget.cells -= cells - Math.max(run.cells, 0)
  budget.characters -= characters - Math.max(run.characters, 0)
  return typeof shown === 'object' ? { shown } : { unknown: `${shown}` }
}

/** What `showBody` gives, null for a body that cannot be decoded. A text comment has the form that lists give it. */
export const showInList = (body: Cell, budget?: Budget): { readonly [key: string]: Json } | null => {
  const result = showBody(body, budget)
  if ('unknown' in result) return null
  const { shown } = result
  if (shown['@type'] !== 'text_comment') return shown
  return { type: 'text_comment', '@type': 'text_comment', comment: shown['text']! }
}
