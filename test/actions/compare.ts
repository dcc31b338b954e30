import { at, type Row } from './rows.ts'

/* How TON Center compares the actions of its cases: ../shared/data/traces-SCHEMA.md. */

export interface Term {
  readonly path: string
  readonly op: '==' | '!=' | 'empty'
  readonly value?: unknown
}

export interface Expected {
  readonly type: string
  readonly selector?: { readonly all?: readonly Term[]; readonly any?: readonly Term[] }
  readonly values: Readonly<Record<string, unknown>>
}

export interface Case {
  readonly id: string
  readonly trace: string
  readonly expected_actions?: readonly Expected[]
  readonly mutations?: readonly unknown[]
  readonly expected_exact?: { readonly count: number; readonly actions: readonly Expected[] }
}

/** Numbers of cases as text, as rows have them. */
const normal = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return value
  if ('$int' in value) return value.$int
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normal(inner)]))
}

const holds = (row: Row, { path, op, value }: Term): boolean => {
  const found = at(row, path)
  if (op === 'empty') return found === null || (Array.isArray(found) && found.length === 0)
  return (JSON.stringify(found) === JSON.stringify(normal(value ?? null))) === (op === '==')
}

const selected = (row: Row, { all, any }: NonNullable<Expected['selector']>): boolean =>
  all === undefined ? (any ?? []).some((term) => holds(row, term)) : all.every((term) => holds(row, term))

/** Differences of a value from what is expected; only what is listed counts, and the order of lists does not. */
const differences = (found: unknown, wanted: unknown, path: string): string[] => {
  if (Array.isArray(wanted) && Array.isArray(found)) {
    if (found.length !== wanted.length) return [`${path}: ${found.length} items instead of ${wanted.length}`]
    return wanted.flatMap((item) =>
      found.some((other) => differences(other, item, path).length === 0) ? [] : [`${path}: ${JSON.stringify(item)} is missing`],
    )
  }
  if (typeof wanted === 'object' && wanted !== null && typeof found === 'object' && found !== null) {
    return Object.entries(wanted).flatMap(([name, inner]) => {
      if (!(name in found)) return [`${path}.${name} is missing`]
      return differences((found as Row)[name], inner, `${path}.${name}`)
    })
  }
  return found === wanted ? [] : [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`]
}

/** What is wrong with the actions of a trace; empty if they are as expected. */
export const mismatches = (rows: readonly Row[], { type, selector, values }: Expected): string[] => {
  let candidates = rows.filter((row) => row['type'] === type.toLowerCase())
  if (selector !== undefined && candidates.length > 0) candidates = candidates.filter((row) => selected(row, selector)).slice(0, 1)
  const [row, ...others] = candidates
  if (row === undefined || others.length > 0) {
    const types = rows.map((each) => each['type']).join(', ')
    return [`${candidates.length} actions ${type} instead of one, among: ${types}`]
  }
  return Object.entries(values).flatMap(([path, wanted]) => differences(at(row, path), normal(wanted), `${type} ${path}`))
}
