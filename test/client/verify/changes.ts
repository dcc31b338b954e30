/* Changes of one member of an answer, each of which a verifier has to notice. */

/** All paths of leaves of a row. */
export function* leaves(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (typeof value !== 'object' || value === null) yield path
  else for (const [name, member] of Object.entries(value)) yield* leaves(member, [...path, name])
}

const changed = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (value === null) return '1'
  const text = String(value)
  return /^\d+$/.test(text) ? String(BigInt(text) + 1n) : text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`
}

export const withChange = (
  row: object,
  path: readonly (string | number)[],
  change: (parent: Record<string, unknown>, name: string) => void,
): object => {
  const copy = structuredClone(row) as Record<string, unknown>
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy)
  change(parent, String(path.at(-1)))
  return copy
}

export const alter = (parent: Record<string, unknown>, name: string): void => {
  parent[name] = changed(parent[name])
}
export const leaveOut = (parent: Record<string, unknown>, name: string): void => {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
}
