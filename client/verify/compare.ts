import { base64Of } from '../bytes.ts'
import { type Budget, wholeRoot } from './boc.ts'
import { type Cell, sameBytes } from './cell.ts'
import { must, VerifyError, within } from './error.ts'
import { itemsOf, membersOf } from './ids.ts'

/** Throws if the value of a member is wrong. Returns false if the value may be right, but the cells do not prove it. */
type Check = (value: unknown, budget: Budget) => unknown

/** The value that a member must have, according to the cells. Undefined: the member must be absent. */
export type Expected = string | number | boolean | null | undefined | Check | readonly Expected[] | ExpectedMembers
export type ExpectedMembers = { readonly [name: string]: Expected }

/** A path in the answer without the numbers of rows. */
const general = (path: string): string => path.replace(/\[\d+\]/g, '[]')

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100))

/** Shared by all comparisons of a page. */
export interface Comparison {
  /** Paths of members that the cells do not prove: `transactions[].trace_id`. */
  readonly uncovered: Set<string>
  readonly budget: Budget
}

const compareMembers = (value: unknown, expected: ExpectedMembers, path: string, result: Comparison): void => {
  const row = within(path, () => membersOf(value))
  for (const name of Object.keys(expected)) compare(row[name], expected[name], `${path}.${name}`, result)
  for (const name of Object.keys(row)) if (!Object.hasOwn(expected, name)) result.uncovered.add(general(`${path}.${name}`))
}

const compareItems = (value: unknown, expected: readonly Expected[], path: string, result: Comparison): void => {
  const items = within(path, () => itemsOf(value))
  if (items.length !== expected.length) throw new VerifyError(path, `${items.length} items, the cells have ${expected.length}`)
  for (const [i, each] of expected.entries()) compare(items[i], each, `${path}[${i}]`, result)
}

/** Throws VerifyError if a member differs from what the cells say. Adds the paths of unproven members to `result.uncovered`. */
export const compare = (value: unknown, expected: Expected, path: string, result: Comparison): void => {
  if (Array.isArray(expected)) compareItems(value, expected, path, result)
  else if (typeof expected === 'object' && expected !== null) compareMembers(value, expected as ExpectedMembers, path, result)
  else
    within(path, () => {
      if (typeof expected !== 'function') must(value === expected, () => `${shown(value)}, the cells say ${shown(expected)}`)
      else if (expected(value, result.budget) === false) result.uncovered.add(general(path))
    })
}

/** Accepts an object with exactly these members. */
export const record =
  (expected: Readonly<Record<string, string>>): Check =>
  (value) => {
    const found = membersOf(value)
    const names = Object.keys(found)
    const same = names.length === Object.keys(expected).length && names.every((name) => found[name] === expected[name])
    must(same, () => `${shown(found)}, the cells say ${shown(expected)}`)
  }

/** Accepts a bag of cells (base64) with this root. */
export const boc =
  (cell: Cell): Check =>
  (value, budget) => {
    const root = wholeRoot(value, budget)
    must(
      sameBytes(root.hashes[0]!, cell.hashes[0]!),
      () => `the hash is ${base64Of(root.hashes[0]!)}, the cells say ${base64Of(cell.hashes[0]!)}`,
    )
  }

/** Accepts what `boc` accepts, and an absent member. */
export const optionalBoc =
  (cell: Cell): Check =>
  (value, budget) => {
    if (value !== undefined) boc(cell)(value, budget)
  }
